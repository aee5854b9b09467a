"""LLMBar results: verdicts name outputs, orders are two keys, scores are no verdicts."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.collected import OURS
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_format import Notes
from counterbalance.importers.reading import read_again
from counterbalance.items.frames import Order, Verdict
from counterbalance.parsing.outcome import OutcomeKind
from extras import reference_folder
from foreign_logs import format_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

ODD_TEXT = "a\u2028b\u2029 🜁 \x85 e\u0301"


def game(winner: object, reply: str = "Output (a)", finish: str = "stop") -> dict[str, Any]:
    return {"completion": [reply, finish], "winner": winner}


def games(forward: object = "1", backward: object = "1") -> dict[str, Any]:
    return {"swap = False": game(forward), "swap = True": game(backward, "Output (b)")}


def row(*results: object, **changes: object) -> dict[str, Any]:
    return {
        "input": "Say hello.",
        "output_1": "Hello!",
        "output_2": "No, thanks.",
        "label": 1,
        "results": list(results) or [games()],
        **changes,
    }


def result_file(path: Path, *rows: object, strategy: str = "Vanilla", judge: str = "GPT-4") -> Path:
    folder = path / "Dataset" / "Odd" / "evaluators" / judge / strategy
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_text(json.dumps(list(rows)), encoding="utf-8")
    return folder / "result.json"


def judgments(path: Path, notes: Notes | None = None) -> list[Judgment]:
    return [found for found in rows_of(path, notes=notes) if isinstance(found, Judgment)]


def test_a_row_tells_of_both_orders(tmp_path: Path) -> None:
    forward, backward = judgments(result_file(tmp_path, row()))
    assert (forward.order, backward.order) == (Order.FORWARD, Order.REVERSED)
    assert (forward.outcome.kind, backward.outcome.kind) == (OutcomeKind.FIRST, OutcomeKind.SECOND)
    for found in (forward, backward):
        assert (found.line, found.a, found.b) == (1, "output_1", "output_2")
        assert (found.judge, found.strategy, found.subset) == ("GPT-4", "Vanilla", "Odd")
        assert found.reference == (Verdict.A,)
        assert (found.length_a, found.length_b) == (6, 11)
    assert forward.item == backward.item
    assert forward.cluster.startswith("Say hello. #")


@pytest.mark.parametrize(
    ("winner", "key", "slot"),
    [
        ("1", "swap = False", OutcomeKind.FIRST),
        ("2", "swap = False", OutcomeKind.SECOND),
        ("1", "swap = True", OutcomeKind.SECOND),
        ("2", "swap = True", OutcomeKind.FIRST),
    ],
)
def test_a_winner_is_turned_into_the_slot_it_stood_in(
    tmp_path: Path, winner: str, key: str, slot: OutcomeKind
) -> None:
    found = judgments(result_file(tmp_path, row({**games(), key: game(winner)})))
    assert found[key.endswith("True")].outcome.kind is slot


@pytest.mark.parametrize(
    ("reply", "finish", "kind"),
    [
        ("", "content management policy", OutcomeKind.REFUSED),
        ("", "0 is less than the minimum of", OutcomeKind.TOO_LONG),
        ("Both outputs are", "length", OutcomeKind.TRUNCATED),
        ("", "", OutcomeKind.EMPTY),
        (" \n", "stop", OutcomeKind.EMPTY),
        ("Both are fine.", "stop", OutcomeKind.UNPARSED),
    ],
)
def test_a_missing_winner_has_a_reason_and_is_never_a_tie(
    tmp_path: Path, reply: str, finish: str, kind: OutcomeKind
) -> None:
    results = {**games(), "swap = False": game(None, reply, finish)}
    found, _ = judgments(result_file(tmp_path, row(results)))
    assert found.outcome.kind is kind


def test_items_are_the_same_for_every_judge_and_strategy(tmp_path: Path) -> None:
    other = row(input="Say bye.")
    one = judgments(result_file(tmp_path, row(), other))
    two = judgments(result_file(tmp_path, other, row(), strategy="CoT", judge="PaLM2"))
    assert {found.item for found in one} == {found.item for found in two}
    assert one[0].item == two[2].item != two[0].item


def test_texts_given_to_both_orders_are_a_setting_and_no_judgment(tmp_path: Path) -> None:
    notes = Notes()
    plain = result_file(tmp_path, row())
    assert [found.setting for found in judgments(plain, notes)] == ["", ""]
    assert any("keeps no prompts" in sentence for sentence in notes.sentences)
    helped = result_file(tmp_path, row(["1. Is it kind?", "stop"], ["Hi!", "stop"], games()))
    forward, backward = judgments(helped)
    assert forward.setting == backward.setting != ""


def synthesis(shown: str, extra: str = "") -> str:
    return f"Judge.{extra}\n{shown}\n# Debate between Assistant (a) and Assistant (b)\nOutput (a)!"


def swap_row(extra: str = "") -> dict[str, Any]:
    first = {
        "swap = False": game("1", "Output (a) is better.\n\nIndeed."),
        "swap = True": game("2", "Output (b) was short. Therefore, Output (a) is better."),
    }
    second = {
        "swap = False": {**game("2", "Output (b)"), "prompt": synthesis("Hello!\nNo, thanks.")},
        "swap = True": {
            **game("2", "Output (a)"),
            "prompt": synthesis("No, thanks.\nHello!", extra),
        },
    }
    return row(first, second)


def test_a_swap_strategy_gives_first_and_final_verdicts_as_two_groups(tmp_path: Path) -> None:
    agreed = row(games("2", "2"), input="Say bye.")
    found = judgments(result_file(tmp_path, swap_row(), agreed, strategy="Swap"))
    groups = Counter((judgment.line, judgment.strategy) for judgment in found)
    assert set(groups.values()) == {2}
    assert set(groups) == {(n, s) for n in (1, 2) for s in ("Swap", "Swap (first round)")}
    assert [judgment.outcome.kind.value for judgment in found] == [
        "first", "first", "second", "first", "second", "first", "second", "first",
    ]  # fmt: skip
    final = [judgment for judgment in found[:4] if judgment.strategy == "Swap"]
    assert final[0].setting == final[1].setting != ""
    assert final[0].prompt.startswith("Judge.")
    assert [read_again(j.reading, j.reply).kind for j in found[:4] if j.reading] == [
        judgment.outcome.kind for judgment in found[:4]
    ]


def test_another_prompt_in_the_other_order_is_another_setting(tmp_path: Path) -> None:
    found = judgments(result_file(tmp_path, swap_row(" Be strict."), strategy="Swap"))
    assert found[2].setting != found[3].setting


def test_scores_are_ratings_and_never_verdicts(tmp_path: Path) -> None:
    notes = Notes()
    scored = {
        "score_1": ["7", "stop"],
        "score_2": [" 7\n", "stop"],
        "swap = False": {"winner": "2"},
        "swap = True": {"winner": "1"},
    }
    filtered = {**scored, "score_2": ["", "content management policy"]}
    worded = {**scored, "score_1": ["7.5", "stop"], "score_2": ["9" * 400, "stop"]}
    broken = {**scored, "score_1": None, "score_2": {"a": 1}}
    path = result_file(
        tmp_path, *(row(each, label=2) for each in (scored, filtered, worded, broken)),
        strategy="Rating",
    )  # fmt: skip
    found = rows_of(path, notes=notes)
    assert all(isinstance(rating, Rating) for rating in found)
    ratings = [rating for rating in found if isinstance(rating, Rating)]
    assert [(r.system, r.value, r.reason, r.preferred) for r in ratings] == [
        ("output_1", 7.0, "", False),
        ("output_2", 7.0, "", True),
        ("output_1", 7.0, "", False),
        ("output_2", None, "refused", True),
        ("output_1", None, "the reply is no whole number", False),
        ("output_2", None, "the reply is no whole number", True),
        ("output_1", None, "empty", False),
        ("output_2", None, "empty", True),
    ]
    assert any("without a display order" in sentence for sentence in notes.sentences)


@pytest.mark.parametrize(
    ("broken", "reason", "found"),
    [
        (["x"], "the row is no object", "list"),
        (row(output_2=None), "a text of the row is missing or no text", "output_2"),
        (row(input=["x"]), "a text of the row is missing or no text", "input"),
        (row(results=None), "results does not end with verdicts", "NoneType"),
        (row(results=[]), "results does not end with verdicts", "list"),
        (row(games(), ["x", "stop"]), "results does not end with verdicts", "list"),
        (row({"swap = True": game("1")}), "the row lacks the verdict of an order", "swap = False"),
        (
            row({**games(), "swap = False": []}),
            "the row lacks the verdict of an order",
            "swap = False",
        ),
        (row(games("3")), 'the winner is none of "1", "2", null', "3"),
        (row(games(1)), 'the winner is none of "1", "2", null', "1"),
        (row(games(["1"])), 'the winner is none of "1", "2", null', "['1']"),
    ],
)
def test_what_cannot_be_read_is_rejected_and_the_rest_is_read(
    tmp_path: Path, broken: object, reason: str, found: str
) -> None:
    rows = rows_of(result_file(tmp_path, row(), broken, row()))
    rejects = [each for each in rows if isinstance(each, Reject)]
    assert [(each.line, each.reason, each.found) for each in rejects] == [(2, reason, found)]
    lines = Counter(each.line for each in rows if isinstance(each, Judgment))
    assert (lines[1], lines[3]) == (2, 2)
    assert lines[2] < 2


@pytest.mark.parametrize("label", [None, 0, "1", True, [1]])
def test_a_strange_label_is_no_reference(tmp_path: Path, label: object) -> None:
    notes = Notes()
    found = judgments(result_file(tmp_path, row(label=label)), notes)
    assert {judgment.reference for judgment in found} == {()}
    assert any("no label" in sentence for sentence in notes.sentences)


def test_a_completion_that_is_no_text_leaves_the_verdict(tmp_path: Path) -> None:
    strange = {"swap = False": {"winner": "1", "completion": {"x": 1}}, "swap = True": game("2")}
    found = judgments(result_file(tmp_path, row(strange)))
    assert [(judgment.outcome.kind.value, judgment.reply) for judgment in found] == [
        ("first", ""),
        ("first", "Output (a)"),
    ]


def test_odd_characters_bom_and_lone_surrogates_are_read(tmp_path: Path) -> None:
    path = result_file(tmp_path, row(input=ODD_TEXT), row(output_1="\ud800"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"}, {", b"},\r\n {"))
    found = judgments(path)
    assert [judgment.line for judgment in found] == [1, 1, 2, 2]
    assert "\u2028" not in found[0].item
    assert len({judgment.item for judgment in found}) == 2


def test_equal_outputs_are_judged_and_noted(tmp_path: Path) -> None:
    notes = Notes()
    found = judgments(result_file(tmp_path, row(output_2="Hello!")), notes)
    assert [judgment.identical for judgment in found] == [False, False]
    assert any("same text twice" in sentence for sentence in notes.sentences)


def test_files_are_found_by_path_alone_also_packed(tmp_path: Path) -> None:
    path = result_file(tmp_path / "plain", row())
    packed = tmp_path / "packed" / "Odd" / "evaluators" / "GPT-4" / "Vanilla"
    packed.mkdir(parents=True)
    (packed / "result.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    with zipfile.ZipFile(tmp_path / "LLMBar.zip", "w") as archive:
        archive.write(path, "LLMBar/Odd/evaluators/GPT-4/Vanilla/result.json")
    for given in (path, tmp_path / "plain", tmp_path / "packed", tmp_path / "LLMBar.zip"):
        found = judgments(given)
        assert {(j.judge, j.strategy, j.subset) for j in found} == {("GPT-4", "Vanilla", "Odd")}


def test_a_path_without_judge_and_strategy_is_said(tmp_path: Path) -> None:
    notes = Notes()
    (tmp_path / "result.json").write_text(json.dumps([row()]), encoding="utf-8")
    found = judgments(tmp_path / "result.json", notes)
    assert {(judgment.judge, judgment.strategy) for judgment in found} == {("unknown judge", "")}
    assert any("does not name the judge" in sentence for sentence in notes.sentences)


def test_a_file_that_is_cut_short_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = result_file(tmp_path, row(), row())
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"result\.json: is not JSON"):
        read_logs([path])


def test_data_sets_and_statistics_are_named_as_what_they_are(tmp_path: Path) -> None:
    plain = row()
    del plain["results"]
    (tmp_path / "dataset.json").write_text(json.dumps([plain]))
    statistics = dict.fromkeys(("correct_False", "correct_True", "correct_both", "equal"), "1 / 2")
    (tmp_path / "statistics.json").write_text(json.dumps(statistics, indent=2))
    assert format_of(tmp_path / "dataset.json") == "llmbar-dataset"
    assert format_of(tmp_path / "statistics.json") == "llmbar-statistics"
    with pytest.raises(InputError, match="pairs of answers without a judge's verdict"):
        read_logs([tmp_path / "dataset.json"])


@pytest.mark.reference
def test_our_reading_equals_the_source_except_where_its_pattern_fails() -> None:
    """PaLM2's explanations are read by the pattern that was meant for bare labels, output_1 first.

    Elsewhere a reply with both labels is read as output_1 although it ends with output_2.
    """
    log = read_logs([reference_folder() / "llmbar"], by=("judge", "strategy"))
    assert [file.rejected for file in log.files] == [0] * 136
    slots = {"first", "second"}
    opposite = {
        (group.judge, group.strategy): count
        for group, pairs in log.collected.differences.items()
        if (count := sum(n for (source, ours), n in pairs.items() if {source, ours} == slots))
    }
    assert opposite == {
        ("PaLM2", "CoT"): 128,
        ("ChatGPT", "Swap_CoT"): 28,
        ("LLaMA2", "Swap_CoT"): 8,
        ("GPT-4", "Swap_CoT"): 1,
    }
    assert sum(group.verdict_by == OURS for group in log.collected.groups) == 40
