import pytest

from counterbalance.errors import PairFileError
from counterbalance.items.fields import Place
from counterbalance.items.ledger import Ledger
from counterbalance.items.rows import pair_from_row

ROW = {"id": "p", "item": "i", "prompt": "2 + 2?", "a": "4", "b": "5"}
STATED = {"requirements": [{"id": "r", "rule": "stated", "value": "a"}]}


def notes(*rows):
    ledger = Ledger()
    for line, row in enumerate(rows, 1):
        place = Place("pairs.jsonl", line)
        ledger.admit(place, pair_from_row(row, place))
    return ledger.notes()


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({}, "repeats line 2; remove one of them"),
        ({"b": "6"}, 'pair id "p" is that of line 2, whose content differs; '),
        ({"reference": "a"}, 'pair id "p" is that of line 2, whose content differs; '),
        (STATED, 'pair id "p" is that of line 2, whose content differs; '),
        ({"id": "q", "prompt": "2 + 3?"}, 'item "i" has another prompt than in line 2; '),
        ({"id": "q", "context": "c"}, 'item "i" has another context than in line 2; '),
        ({"id": "q", "reference_answer": "4"}, 'item "i" has another reference_answer than'),
        ({"id": "q"} | STATED, 'item "i" has another requirements than in line 2; '),
        ({"id": "q", "category": "c"}, 'item "i" has another category than in line 2; '),
        ({"id": "q", "cluster": "c"}, 'item "i" has another cluster than in line 2; '),
        ({"id": "q", "consequence": 2}, 'item "i" has another consequence than in line 2; '),
    ],
)
def test_contradictions(edit, expected):
    first = {"prompt": "Another.", "a": "1", "b": "2"}
    with pytest.raises(PairFileError) as caught:
        notes(first, ROW, ROW | edit)
    assert str(caught.value).startswith(f"pairs.jsonl:3: {expected}")


def test_same_row_without_ids():
    row = {"prompt": "2 + 2?", "a": "4", "b": "5"}
    with pytest.raises(
        PairFileError, match=r"^pairs\.jsonl:2: repeats line 1; remove one of them$"
    ):
        notes(row, row)
    with pytest.raises(PairFileError, match='pair id "pair-2a288cf50b6c54e9" is that of line 1, w'):
        notes(row, row | {"reference": "a"})


@pytest.mark.parametrize("edit", [{"text": "6"}, {"system": "s"}, {"version": "2"}])
def test_candidate_id_for_two_candidates(edit):
    one = {"id": "c", "text": "4"}
    with pytest.raises(
        PairFileError, match='candidate id "c" is used in line 1 for another text, '
    ):
        notes(ROW | {"a": one}, ROW | {"id": "q", "b": one | edit})
    with pytest.raises(
        PairFileError, match='1: candidate id "c" is used by the other candidate for'
    ):
        notes(ROW | {"a": one, "b": one | edit})


def test_what_may_stand_together():
    one = {"id": "c", "text": "4"}
    other_item = {"id": "q", "item": "j", "prompt": "Why?", "a": {"id": "c", "text": "x"}}
    assert notes(ROW | {"a": one, "b": one}, ROW | other_item) == ()
    assert notes(ROW | STATED, ROW | {"id": "q", "b": "6"} | {
        "requirements": [{"id": "r", "rule": "stated", "value": "b"}]
    }) == ()  # fmt: skip


def test_notes():
    assert notes(
        ROW, ROW | {"id": "q", "a": "5", "b": "4"}, ROW | {"id": "r", "a": "4\x07"},
        ROW | {"id": "s", "b": "\x9b"},
    ) == (
        ("2 pairs with control characters in a text (first in line 3); they are kept and shown to "
        "the judge"),
        ("1 pair with the two candidates of an earlier pair (first: line 2, as line 1); the same "
        "comparison counts again"),
    )  # fmt: skip
    assert notes(ROW | {"a": "a\tb\r\nc"}) == ()
