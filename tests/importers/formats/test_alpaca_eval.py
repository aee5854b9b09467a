"""AlpacaEval annotations: preferences name outputs; an order is used only where it is proved."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers import rows as row_reading
from counterbalance.importers.formats.alpaca_eval_order import is_exchanged, preferred_slot
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_format import Notes
from counterbalance.items.frames import Order, Slot
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import format_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

EXCHANGED = (
    False, True, True, True, False, True, False, False, True, True, True, True, True, False,
)  # fmt: skip
"""Choice of the standard library's generator seeded with is_switched_outputsQuestion N?0."""


def logprobs(first: float, second: float) -> dict[str, Any]:
    alternatives = [{"token": "The", "logprob": -0.01}]
    alternatives += [{"token": "m", "logprob": first}, {"token": "M", "logprob": second}]
    return {"text": "m", "logprobs": {"content": [{"top_logprobs": alternatives}]}}


def row(n: int, preference: object = 1.25, **changes: object) -> dict[str, Any]:
    """One annotation whose reply fits the seeded rule."""
    wins_1 = isinstance(preference, float | int) and preference < 1.5
    is_first = wins_1 != EXCHANGED[n]
    return {
        "instruction": f"Question {n}?",
        "output_1": "one",
        "generator_1": "zeta",
        "dataset": "vicuna",
        "output_2": "number two",
        "generator_2": "alpha",
        "annotator": "judge x",
        "preference": preference,
        "raw_completion": logprobs(-0.1, -2.0) if is_first else logprobs(-2.0, -0.1),
        **changes,
    }


def proving(*more: dict[str, Any]) -> list[dict[str, Any]]:
    return [row(n, 1.25 if n % 3 else 2.0) for n in range(12)] + list(more)


def annotations(path: Path, rows: list[Any], name: str = "annotations.json") -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(json.dumps(rows), encoding="utf-8")
    return path / name


def judgments(*paths: Path, notes: Notes | None = None) -> list[Judgment]:
    return [found for found in rows_of(*paths, notes=notes) if isinstance(found, Judgment)]


def test_the_rule_is_the_programs_own() -> None:
    assert tuple(is_exchanged(f"Question {n}?") for n in range(14)) == EXCHANGED
    assert is_exchanged("\ud800") is None


def test_a_preference_becomes_the_slot_in_which_its_output_stood(tmp_path: Path) -> None:
    found = judgments(annotations(tmp_path, proving()))
    for n, judgment in enumerate(found):
        assert (judgment.a, judgment.b) == ("zeta", "alpha")  # the baseline, though it sorts last
        assert judgment.order is (Order.REVERSED if EXCHANGED[n] else Order.FORWARD)
        wins_first = (n % 3 > 0) != EXCHANGED[n]
        assert judgment.outcome.kind is (OutcomeKind.FIRST if wins_first else OutcomeKind.SECOND)
        distance = 0.25 if n % 3 else 0.5
        assert judgment.margin == (distance if wins_first else -distance)
        assert (judgment.judge, judgment.category) == ("judge x", "vicuna")
        assert judgment.item == judgment.cluster
        assert judgment.item.startswith(f"Question {n}? #")
        assert (judgment.length_a, judgment.length_b) == (3, 10)


@pytest.mark.parametrize(
    ("preference", "completion", "kind", "margin"),
    [
        (1.5, "m", OutcomeKind.TIE, 0.0),
        (0, "m", OutcomeKind.TIE, 0.0),
        (0.0, None, OutcomeKind.TIE, 0.0),
        (None, None, OutcomeKind.FAILED, None),
        (None, "I cannot.", OutcomeKind.UNPARSED, None),
        (float("nan"), "I cannot.", OutcomeKind.UNPARSED, None),
        (2, None, OutcomeKind.SECOND, -0.5),
        (1.4999999, None, OutcomeKind.FIRST, 1.5 - 1.4999999),
    ],
)
def test_draws_and_failures_are_told_apart(
    tmp_path: Path, preference: object, completion: object, kind: OutcomeKind, margin: float | None
) -> None:
    extra = row(13, preference, raw_completion=completion)  # shown in the order of the log
    found = judgments(annotations(tmp_path, proving(extra)))[-1]
    assert found.order is Order.FORWARD
    assert found.outcome.kind is kind
    assert found.margin == margin
    assert not found.identical


def test_identical_outputs_are_a_draw_without_a_call(tmp_path: Path) -> None:
    same = row(0, 1.5, output_2="one", raw_completion=None)
    asked = row(1, 1.5, output_2="one")
    found = judgments(annotations(tmp_path, proving(same, asked)))[-2:]
    assert [judgment.identical for judgment in found] == [True, False]
    assert {judgment.outcome.kind for judgment in found} == {OutcomeKind.TIE}


def test_one_reply_against_the_rule_is_enough_to_leave_the_order_unknown(tmp_path: Path) -> None:
    notes = Notes()
    against = row(13, 1.25, raw_completion=logprobs(-2.0, -0.1))
    found = judgments(annotations(tmp_path, proving(against)), notes=notes)
    assert {judgment.order for judgment in found} == {None}
    assert any("fits only 12 of 13 replies" in sentence for sentence in notes.sentences)
    # written as if output_1 had been shown first
    assert found[1].outcome.kind is OutcomeKind.FIRST
    assert found[1].margin == 0.25
    assert found[0].outcome.kind is OutcomeKind.SECOND


def test_too_few_replies_prove_nothing(tmp_path: Path) -> None:
    notes = Notes()
    found = judgments(annotations(tmp_path, proving()[:9]), notes=notes)
    assert {judgment.order for judgment in found} == {None}
    assert any("9 replies name a winner" in sentence for sentence in notes.sentences)


def test_files_of_a_judge_prove_the_order_together_and_not_for_another_judge(
    tmp_path: Path,
) -> None:
    bare = [row(n, raw_completion=None) for n in range(3)]
    stranger = [row(n, annotator="judge y", raw_completion=None) for n in range(3)]
    paths = [
        annotations(tmp_path / "bare", bare),
        annotations(tmp_path / "full", proving()),
        annotations(tmp_path / "stranger", stranger),
    ]
    found = judgments(*paths)
    orders = [judgment.order for judgment in found]
    assert orders[:3] == [Order.FORWARD, Order.REVERSED, Order.REVERSED]
    assert orders[-3:] == [None] * 3


def test_a_file_against_the_rule_does_not_spoil_one_that_proves_it(tmp_path: Path) -> None:
    against = [row(n, raw_completion=logprobs(-1.0, -2.0)) for n in range(12)]
    notes = Notes()
    found = judgments(
        annotations(tmp_path / "good", proving()),
        annotations(tmp_path / "other seed", against),
        annotations(tmp_path / "bare", [row(0, raw_completion=None)]),
        notes=notes,
    )
    assert None not in {judgment.order for judgment in found[:12]}
    assert {judgment.order for judgment in found[12:]} == {None}
    told = "\n".join(notes.sentences)
    assert "fits all 12 replies" in told
    assert "fits only 4 of 12" in told
    assert "0 replies name a winner" in told


@pytest.mark.parametrize(
    ("completion", "slot"),
    [
        ("m", Slot.FIRST),
        (" M\n", Slot.SECOND),
        ("Output (a)", Slot.FIRST),
        ("\n Output (b) is better", Slot.SECOND),
        ("Output (a)\nOutput (b)", None),
        ("[{'model': 'model_1', 'rank': 1}, {'model': 'model_2', 'rank': 2}]", Slot.FIRST),
        ("[{'model': 'model_1', 'rank': 2}, {'model': 'model_2', 'rank': 1}]", Slot.SECOND),
        ('{"ordered_models": [{"rank": 1, "model": "M"}, {"rank": 2, "model": "m"}]}', Slot.SECOND),
        ("[{'model': 'model_1', 'rank': 1}, {'model': 'model_2', 'rank': 1}]", None),
        ("I prefer the first.", None),
        ({"ordered_models": [{"model": "M", "rank": 1}, {"model": "m", "rank": 2}]}, Slot.SECOND),
        ({"ordered_models": [{"model": ["M"], "rank": 1}, "x", {"model": "q", "rank": 1}]}, None),
        ([{"model": "model_2", "rank": 2}, {"model": "model_1", "rank": 1}], Slot.FIRST),
        (logprobs(-3.0, -0.2), Slot.SECOND),
        (logprobs(-3.0, -3.0), None),
        ({"text": "M", "logprobs": None}, Slot.SECOND),
        (
            {"logprobs": {"content": [{"top_logprobs": [{"token": "m", "logprob": -1}]}]}},
            Slot.FIRST,
        ),
        ({"logprobs": {"content": [{"top_logprobs": [{"token": "m", "logprob": "x"}, 3]}]}}, None),
        ({"logprobs": {"content": []}}, None),
        (None, None),
        (7, None),
    ],
)
def test_a_reply_names_its_winner_in_one_of_the_programs_ways_or_not_at_all(
    completion: object, slot: Slot | None
) -> None:
    assert preferred_slot(completion) is slot


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (3, "the row is no object"),
        (row(0, instruction=None), "a text of the row is missing or no text"),
        (row(0, output_1=["x"]), "a text of the row is missing or no text"),
        (row(0, annotator=None), "the row names no annotator"),
        (row(0, "1"), "the preference is no number"),
        (row(0, preference=True), "the preference is no number"),
        (row(0, [1]), "the preference is no number"),
        (row(0, 2.5), "the preference is not from 1 to 2, 0 or null"),
        (row(0, -1), "the preference is not from 1 to 2, 0 or null"),
        (row(0, 10**400), "the preference is not from 1 to 2, 0 or null"),
        (row(0, float("inf")), "the preference is not from 1 to 2, 0 or null"),
        ({k: v for k, v in row(0).items() if k != "preference"}, "the row has no preference"),
    ],
)
def test_what_cannot_be_read_is_rejected_and_the_rest_is_read(
    tmp_path: Path, broken: object, reason: str
) -> None:
    found = rows_of(annotations(tmp_path, [*proving(), broken, row(12)]))
    assert [(r.line, r.reason) for r in found if isinstance(r, Reject)] == [(13, reason)]
    assert isinstance(found[-1], Judgment)
    assert found[-1].order is Order.REVERSED


def test_a_cache_without_generators_tells_answers_apart_by_their_text(tmp_path: Path) -> None:
    notes = Notes()
    bare = {key: value for key, value in row(0).items() if not key.startswith("generator")}
    found = judgments(annotations(tmp_path, [bare, {**bare, "output_2": "x"}]), notes=notes)
    assert [judgment.a for judgment in found] == ["output_1", "output_1"]
    assert len({judgment.b for judgment in found}) == 2
    assert {judgment.system_b for judgment in found} == {""}
    assert any("do not name the generators" in sentence for sentence in notes.sentences)


def test_replies_are_kept_as_text(tmp_path: Path) -> None:
    ranks = {"ordered_models": [{"model": "M", "rank": 1}]}
    shown = [row(n, raw_completion=c) for n, c in enumerate(("m", logprobs(-1, -2), ranks, None))]
    found = judgments(annotations(tmp_path, shown))
    assert [judgment.reply for judgment in found] == ["m", "m", json.dumps(ranks), ""]


def test_packed_files_odd_characters_and_a_system_against_itself_are_read(tmp_path: Path) -> None:
    odd = row(0, instruction="a\u2028b 🜁 \ud800", raw_completion=None)
    itself = row(1, 1.5, generator_2="zeta", output_2="one", raw_completion=None)
    content = b"\xef\xbb\xbf" + json.dumps(proving(odd, itself)).encode()
    (tmp_path / "annotations.json.gz").write_bytes(gzip.compress(content))
    found = judgments(tmp_path / "annotations.json.gz")
    assert len(found) == 14
    assert (found[12].order, found[13].a, found[13].b) == (None, "zeta", "zeta")
    assert found[13].identical


def test_large_files_are_streamed_to_the_same_judgments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = annotations(tmp_path, proving())
    whole = judgments(path)
    monkeypatch.setattr(row_reading, "_LARGEST_WHOLE", 100)
    assert judgments(path) == whole


def test_no_rows_are_no_judgments_and_other_files_are_named(tmp_path: Path) -> None:
    files = {
        "model_outputs.json": json.dumps(
            [{"instruction": "x", "output": "y", "generator": "z", "dataset": "d"}]
        ),
        "leaderboard.csv": ",win_rate,standard_error,n_total,avg_length\nx,1,2,3,4\n",
        "weights.csv": (
            ",np.tanh(std_delta_len),instruction_difficulty,not_gamed_baseline.astype(float)\n"
        ),
    }
    names = ["alpaca-eval-outputs", "alpaca-eval-leaderboard", "alpaca-eval-weights"]
    for (name, content), expected in zip(files.items(), names, strict=True):
        (tmp_path / name).write_text(content)
        assert format_of(tmp_path / name) == expected
    with pytest.raises(InputError, match="holds answers of one system"):
        read_logs([tmp_path / "model_outputs.json"])
    empty = annotations(tmp_path / "empty", [])
    with pytest.raises(InputError, match="of no known format"):
        read_logs([empty])
