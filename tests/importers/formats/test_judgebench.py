"""JudgeBench: decisions speak of slots and labels of responses; equal scores are told loudly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.formats import judgebench
from counterbalance.importers.reading import read_again
from counterbalance.importers.sides import shown_pair
from counterbalance.items.frames import Order, Verdict
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import NASTY, dispositions, format_of, jsonl, read, reasons, verdicts
from reference_data import expected, stored

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.importers.judgment import Judgment

NAME = "dataset=judgebench,response_model=gpt-4o,judge_name={},judge_model={}.jsonl"
ONE, TWO = f"One: {NASTY}", "Two"


def judged(decision: object, reply: str = "", *, swap: bool = False, **call: Any) -> dict[str, Any]:
    first, second = (TWO, ONE) if swap else (ONE, TWO)
    prompt = f"Why?\nA: {first}\nB: {second}"
    made = {"judge_model": "claude-3", "prompt": prompt, "response": reply or f"[[{decision}]]"}
    return {"judgment": made | call, "decision": decision}


def row(*judgments: object, **changes: Any) -> dict[str, Any]:
    return {
        "pair_id": "p1",
        "original_id": None,
        "source": "mmlu-pro-law",
        "question": "Why?",
        "response_model": "gpt-4o",
        "response_A": ONE,
        "response_B": TWO,
        "label": "A>B",
        "judge_name": "arena_hard",
        "judgments": list(judgments) or [judged("A>B"), judged("A>B", swap=True)],
        **changes,
    }


def test_the_second_decision_is_about_exchanged_responses(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / NAME.format("arena_hard", "claude-3"), [row()]))
    assert log.log_format.name == "judgebench"
    first, second = log.judgments
    assert (first.a, first.b, first.order) == ("response_A", "response_B", Order.FORWARD)
    assert second.order is Order.REVERSED
    assert verdicts(log.judgments) == ["a", "b"]
    assert first.reference == (Verdict.A,)
    assert (first.judge, first.strategy, first.subset) == ("claude-3", "arena_hard", "gpt-4o")
    assert (first.item, first.category, first.system_a) == ("p1", "mmlu-pro-law", "gpt-4o")
    assert first.setting == second.setting != ""
    assert log.notes == []


def test_pairs_on_one_question_are_one_cluster_and_null_ids_are_none(tmp_path: Path) -> None:
    rows = [row(), row(pair_id="p2"), row(pair_id="p3", question="Who?")]
    clusters = [j.cluster for j in read(jsonl(tmp_path / "x.jsonl", rows)).judgments[::2]]
    assert clusters[0] == clusters[1] != clusters[2]
    (first, _) = read(jsonl(tmp_path / "x.jsonl", [row(question=None)])).judgments
    assert first.cluster == "p1"


@pytest.mark.parametrize(
    ("label", "reference"),
    [("A>B", (Verdict.A,)), ("B>A", (Verdict.B,)), ("A=B", (Verdict.TIE,)), (None, ()), ([], ())],
)
def test_the_label_is_the_reference(tmp_path, label, reference) -> None:
    log = read(jsonl(tmp_path / "x.jsonl", [row(label=label)]))
    assert {j.reference for j in log.judgments} == {reference}


@pytest.mark.parametrize(
    ("judgment", "kind"),
    [
        (None, OutcomeKind.FAILED),
        (judged(None, "[[A>B]] no, [[A=B]]"), OutcomeKind.CONFLICTING),
        (judged(None, "Hm."), OutcomeKind.UNPARSED),
        (judged(None, " "), OutcomeKind.EMPTY),
        (judged("A=B"), OutcomeKind.TIE),
        (judged("B<A"), OutcomeKind.FIRST),
        (judged("A<B"), OutcomeKind.SECOND),
        ({"decision": None, "judgment": None}, OutcomeKind.UNPARSED),
    ],
)
def test_null_is_never_a_tie(tmp_path, judgment, kind) -> None:
    log = read(jsonl(tmp_path / "x.jsonl", [row(judgment, judged("A>B", swap=True))]))
    assert log.judgments[0].outcome.kind is kind


def test_one_judgment_is_one_order(tmp_path: Path) -> None:
    (judgment,) = read(jsonl(tmp_path / "x.jsonl", [row(judged("A>B"))])).judgments
    assert (judgment.order, judgment.setting) == (Order.FORWARD, "")


def scored(decision: str, first: float, second: float) -> dict[str, Any]:
    call = {"judge_model": "org/reward", "prompt": "", "response": "", "scores": [first, second]}
    return {"judgment": call, "decision": decision}


def test_equal_scores_keep_the_sources_verdict_and_are_counted(tmp_path: Path) -> None:
    rows = [
        row(scored("B>A", 1.5, 1.5), scored("B>A", 1.5, 1.5), judge_name="reward_model"),
        row(scored("A>B", 2, 1), scored("B>A", 1, 2), judge_name="reward_model", pair_id="p2"),
    ]
    log = read(jsonl(tmp_path / NAME.format("reward_model", "org_reward"), rows))
    assert verdicts(log.judgments) == ["b", "a", "a", "a"]
    assert [j.margin for j in log.judgments] == [0, 0, 1, -1]
    assert {j.judge for j in log.judgments} == {"org/reward"}
    assert len(log.notes) == 1
    assert "org/reward gave equal scores in 1 pairs" in log.notes[0]


def test_the_judge_is_known_though_every_call_failed(tmp_path: Path) -> None:
    path = tmp_path / NAME.format("vanilla", "gpt-4")
    (judgment,) = read(jsonl(path, [row(None, judge_name=None)])).judgments
    assert (judgment.judge, judgment.strategy) == ("gpt-4", "vanilla")
    path = tmp_path / NAME.format("reward_model", "None")
    (judgment,) = read(jsonl(path, [row(None)])).judgments
    assert judgment.judge == "reward_model"


def test_a_prompt_that_holds_the_reply_says_nothing_about_the_order(tmp_path: Path) -> None:
    pair = [judged("A>B", prompt="I say [[A>B]]"), judged("B>A", prompt="I say [[B>A]]")]
    log = read(jsonl(tmp_path / "x.jsonl", [row(*pair)]))
    assert log.judgments[0].setting == log.judgments[1].setting
    assert [note for note in log.notes if "could not be compared" in note]


def test_what_differs_besides_the_order_is_seen(tmp_path: Path) -> None:
    other = judged("A>B", swap=True, judge_model="claude-3.5")
    longer = judged("A>B", swap=True)
    longer["judgment"]["prompt"] += " Be brief."
    log = read(jsonl(tmp_path / "x.jsonl", [row(judged("A>B"), other), row(judged("A>B"), longer)]))
    settings = [j.setting for j in log.judgments]
    assert settings[0] != settings[1]
    assert settings[2] != settings[3]


@pytest.mark.parametrize(
    ("style", "reply", "kind"),
    [
        ("arena_hard", "\nSo [[A>>B]]", "first"),
        ("vanilla", "Output (b)", "second"),
        ("auto_j", "... the final decision is Response 2. Good.", "second"),
        ("auto_j", "So the final decision is Tie.", "tie"),
        ("prometheus_2", "Feedback: x [RESULT] A", "first"),
        ("skywork_critic", "A is fine but [[B]]", "second"),
        ("panda_lm", "1\n\n### Reason: x", "first"),
        ("panda_lm", "Tie\n", "tie"),
        ("panda_lm", "I cannot say which", "unparsed"),
    ],
)
def test_each_style_is_read_again_as_it_was_asked(tmp_path, style, reply, kind) -> None:
    log = read(jsonl(tmp_path / "x.jsonl", [row(judged("A>B", reply), judge_name=style)]))
    (judgment,) = log.judgments
    assert judgment.reading is not None
    assert read_again(judgment.reading, judgment.reply).kind.value == kind


def test_ties_by_default_are_told(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / "x.jsonl", [row(judged("A=B", "9 9"), judge_name="judge_lm")]))
    assert log.judgments[0].reading is None
    assert [note for note in log.notes if "were written as A=B" in note]


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        row(),
        "{",
        row(pair_id=None),
        row(judgments=None),
        row(judgments=[]),
        row(judgments=[None] * 3),
        row("A>B", {"judgment": {}}),
        row(judged("C"), judged(3)),
        row(judged("A>B", scores=[1]), judged("A>B", scores=["x", 1]), response_A=3, source=[]),
    ]
    log = read(jsonl(tmp_path / "x.jsonl", rows))
    assert reasons(log.rejects) == {
        "the line is not JSON": 1,
        "pair_id is no name or number": 1,
        "the row holds neither one judgment nor two": 3,
        "the judgment has no decision": 2,
        "the decision is none of A>B, B>A, A=B": 2,
    }
    assert [(j.line, j.margin) for j in log.judgments] == [(1, None)] * 2 + [(9, None)] * 2


def test_pairs_without_judgments_are_pairs(tmp_path: Path) -> None:
    pair = row()
    del pair["judgments"], pair["judge_name"]
    assert format_of(jsonl(tmp_path / "d.jsonl", [pair])) == "judgebench-pairs"
    assert format_of(jsonl(tmp_path / "o.jsonl.gz", [row()], "\r\n")) == "judgebench"


FOLDER = "outputs/dataset=judgebench,response_model="
HAIKU = (
    f"{FOLDER}claude-3-5-sonnet-20240620,judge_name=arena_hard"
    ",judge_model=claude-3-haiku-20240307.jsonl.gz"
)
REWARDS = {
    "Ray2333_GRM-Gemma-2B-rewardmodel-ft": 0,
    "Skywork_Skywork-Reward-Gemma-2-27B": 3,
    "internlm_internlm2-7b-reward": 0,
}
FILES = {HAIKU: 0} | {
    f"{FOLDER}gpt-4o-2024-05-13,judge_name=reward_model,judge_model={name}.jsonl.gz": n
    for name, n in REWARDS.items()
}


def _accuracy(judgments: list[Judgment]) -> float:
    """Return the repository's own figure: pairs with more right orders than wrong ones."""
    points: dict[str, int] = {}
    for judgment, won in zip(judgments, verdicts(judgments), strict=True):
        (right,) = judgment.reference
        point = 1 if won == right.value else -1 if won in {"a", "b"} else 0
        points[judgment.item] = points.get(judgment.item, 0) + point
    return 100 * sum(total > 0 for total in points.values()) / len(points)


@pytest.mark.reference
@pytest.mark.parametrize("file", FILES)
def test_the_real_outputs_have_the_expected_numbers(file) -> None:
    log = read(stored("judgebench", file))
    wanted = expected("judgebench", file)
    found = dispositions(log.judgments)
    assert {name: found[name] for name in wanted["dispositions"] if name != "pairs"} | {
        "pairs": found.total()
    } == wanted["dispositions"]
    assert _accuracy(log.judgments) == pytest.approx(wanted["accuracy[overall]"])
    by_source = {
        name.removeprefix("accuracy[").removesuffix("]"): value
        for name, value in wanted.items()
        if name.startswith("accuracy[") and "overall" not in name
    }
    for source, value in by_source.items():
        part = [j for j in log.judgments if j.category.startswith(source)]
        assert _accuracy(part) == pytest.approx(value), source
    equal = [note for note in log.notes if "equal scores" in note]
    assert bool(equal) == bool(FILES[file])
    assert all(f"in {FILES[file]} pairs" in note for note in equal)


@pytest.mark.reference
def test_the_real_prompts_exchange_the_responses() -> None:
    judgments = read(stored("judgebench", HAIKU)).judgments
    pairs = list(zip(judgments[::2], judgments[1::2], strict=True))
    assert sum(one.setting == other.setting != "" for one, other in pairs) == 270
    assert sum(j.outcome.kind is OutcomeKind.CONFLICTING for j in judgments) == 13
    clear = [j for j in judgments if j.outcome.is_verdict]
    again = [read_again(j.reading, j.reply).kind for j in clear]
    assert again == [j.outcome.kind for j in clear]


@pytest.mark.reference
@pytest.mark.parametrize(
    ("file", "wrong"), [(HAIKU, 24.4), *((file, 0.0) for file in FILES if file != HAIKU)]
)
def test_without_the_exchange_the_accuracies_fall(monkeypatch, file, wrong) -> None:
    monkeypatch.setattr(judgebench, "shown_pair", lambda *_: shown_pair("response_A", "response_B"))
    judgments = read(stored("judgebench", file)).judgments
    assert _accuracy(judgments) == pytest.approx(wrong, abs=0.05)
