"""Published controlled pairs, each checked as the probe that it is called."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.errors import InputError, PairFileError
from counterbalance.importers.controlled_pairs import controlled_pairs
from extras import reference_folder

if TYPE_CHECKING:
    from pathlib import Path

PROSE = "It rains. Take a coat."


def line(name: str, kind: str, a: str, b: str, **metadata: str) -> str:
    row = {"id": name, "question": "Will it rain?", "response_a": a, "response_b": b}
    return json.dumps({**row, "bias_type": kind, "metadata": metadata})


LINES = [
    line("l", "length", f"{PROSE} It is wet out there.", PROSE, category="weather"),
    line("s", "style", "- It rains.\n- Take a **coat**.", PROSE),
    line("m", "style_ba", PROSE, "- It rains.\n- Take a **coat**."),
    line("t", "length_truncated", f"{PROSE} Or do not.", "It rains."),
    line("p", "position", PROSE, PROSE),
    line("o", "model_origin_rr", PROSE, "No.", model_a="gpt-4o", model_b="claude-3"),
    line("f", "length", "It rains.", PROSE),
]


def test_every_kind_becomes_its_probe_with_the_target_first(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    packed = tmp_path / "deep" / "controlled_pairs.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(LINES).encode()))
    pairs = {each.pair.id: each.pair for each in controlled_pairs(tmp_path)}
    assert {name: pair.probe for name, pair in pairs.items()} == {
        "l": "expanded", "s": "markdown", "m": "markdown", "t": "truncated", "p": "identical",
        "o": "same_family", "f": "expanded",
    }  # fmt: skip
    assert pairs["m"].a.text == pairs["s"].a.text
    assert (pairs["o"].a.system, pairs["l"].item.category) == ("gpt-4o", "weather")


def test_the_verb_lists_the_flawed_and_writes_the_sound(tmp_path: Path) -> None:
    file, sound = tmp_path / "c.jsonl", tmp_path / "sound.jsonl"
    file.write_text("\n".join(LINES))
    shown = command_here("bias", "--published", file, "--write", sound)
    assert shown.code == 0, shown.err
    assert "7 published pairs of c.jsonl, 6 of them as they are called" in shown.out
    assert "f: the expanded side is longer in characters" in shown.out
    assert [json.loads(row)["id"] for row in sound.read_text().splitlines()] == list("lsmtpo")
    value = json.loads(command_here("bias", "--published", file, "--json").out)
    assert [flaw["pair"] for flaw in value["flaws"]] == ["f"]
    assert command_here("bias", "--published", file, "--write", file).code == 2
    assert command_here("bias", "--write", sound).code == 2


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "holds no pair"),
        (b'{"id": 1}', "line 1 is no pair of the study"),
        (b"[1]", "line 1 is no pair of the study"),
        (b"{", "line 1 is no pair of the study"),
        (LINES[0].encode() + b"\n" + LINES[0].encode(), "line 2 repeats the id l"),
        (b"\xff\xfe", "not UTF-8"),
        (b"\x1f\x8b broken", "gzip"),
        (line("x", "colour", "a", "b").encode(), "line 1 is no pair of the study"),
    ],
)
def test_another_file_is_refused_with_its_line(tmp_path: Path, content: bytes, found: str) -> None:
    file = tmp_path / "c.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match=found):
        controlled_pairs(file)


def test_an_empty_answer_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(line("x", "length", " ", "b"))
    with pytest.raises(PairFileError, match=r"c\.jsonl"):
        controlled_pairs(file)
    with pytest.raises(InputError, match="No such file"):
        controlled_pairs(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="under this folder"):
        controlled_pairs(tmp_path)


@pytest.mark.reference
def test_flawed_pairs_of_the_published_set_are_found() -> None:
    folder = reference_folder() / "judging_the_judges_sksoumik"
    value = json.loads(command_here("bias", "--published", folder, "--json").out)
    counts = {probe["probe"]: probe for probe in value["probes"]}
    assert {name: (c["pairs"], c["sound"]) for name, c in counts.items()} == {
        "identical": (50, 50), "expanded": (50, 18), "truncated": (25, 25),
        "markdown": (100, 0), "same_family": (150, 150),
    }  # fmt: skip
    failed = counts["expanded"]["failed"]
    assert failed["the expanded side is longer in characters"] == 10
    assert failed["the expanded side is longer in tokens"] == 15
    assert failed["the expanded side ends with a whole sentence"] == 31
