"""Places: what is a path, what an address, and that no password is ever shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import InputError, RecordError
from counterbalance.record.place import PostgresPlace, place_of

SECRET = "hunter2-x"  # noqa: S105 (shown nowhere, which is what is tested)


@pytest.mark.parametrize("text", ["r.sqlite", "a#b", "/home/postgresql:x", "postgresql:/h/d#x"])
def test_paths_stay_paths(text):
    assert place_of(text) == Path(text)
    assert place_of(text, Path("/study")) == Path("/study") / text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql:///db#x", "postgresql:///db#x"),
        (f"postgres://ada:{SECRET}@h:5433/db#A.b-c_1", "postgres://ada@h:5433/db#A.b-c_1"),
        (f"postgresql://h/db?password={SECRET}&host=/run/pg#x", "postgresql://h/db?host=/run/pg#x"),
        (f"postgresql://h/db?sslpassword={SECRET}#x", "postgresql://h/db#x"),
        (f"postgresql://ada:a?{SECRET}@h/db#x", "postgresql://ada@h/db#x"),
        (f"postgresql://ada:a/{SECRET}@h/db#x", "postgresql://ada@h/db#x"),
        (f"postgresql://ada:a@{SECRET}@h/db#x", "postgresql://ada@h/db#x"),
        (f"postgresql://ada:a#{SECRET}@h/db#x", "postgresql://ada@h/db#x"),
    ],
)
def test_addresses_are_shown_without_passwords(text, shown):
    place = place_of(text)
    assert isinstance(place, PostgresPlace)
    assert str(place) == shown
    assert SECRET not in repr(place)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://ada:{SECRET}@h/db",
        f"postgresql://ada:{SECRET}@h/db#",
        f"postgresql://ada:{SECRET}@h/db#two words",
        f'postgresql://ada:{SECRET}@h/db#x"; DROP SCHEMA public',
        f"postgresql://ada:#{SECRET}@h/db",
        "postgresql://h/db#" + "x" * 41,
        "postgresql://h/db#-x",
    ],
)
def test_a_record_needs_a_name(text):
    with pytest.raises(RecordError, match="is named after a #") as error:
        place_of(text)
    assert SECRET not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_may_hold_no_password():
    with pytest.raises(InputError, match="PGPASSWORD") as error:
        place_of(f"postgresql://ada:{SECRET}@h/db#x", Path("study"))
    assert SECRET not in str(error.value)
    assert str(place_of("postgresql://ada@h/db#x", Path("study"))) == "postgresql://ada@h/db#x"


@given(st.text(min_size=6).filter(lambda text: text not in "postgresql://ada@host/db#x"))
def test_no_password_is_shown_whatever_it_holds(password):
    marked = f"<{password}>"
    place = place_of(f"postgresql://ada:{marked}@host/db#x")
    assert marked not in str(place)
    assert str(place) == "postgresql://ada@host/db#x"
