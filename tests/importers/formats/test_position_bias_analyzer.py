"""Position-Bias-Analyzer: two rows for each pair, letters in slot terms, first match decides."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_format import Notes
from counterbalance.importers.reading import read_again
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from extras import reference_folder
from foreign_logs import format_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {"question": "Draw\u2028it 🜁.\r\nNow!", "reference_answer": "", "evaluating_guidance": "g"}
TURNS = {
    "question_1": "One?",
    "question_2": "Two?",
    "reference_answer_1": "1",
    "reference_answer_2": "2",
    "evaluating_guidance": "",
}
ANSWERS = {"human": "mine", "phi": "its own", "vicuna-13b-v1.3": "hers"}
DEV_RUN = "data_DevBench/Repetition2-human_sample_infer_input_2680_record0_gpt_4-x_2"
MT_RUN = "MTBench_3q-vicuna13b-v1_record0_gpt_4-x_3"


def dev_row(
    reply: str, first: str = "human", second: str = "phi", **changes: str
) -> dict[str, str]:
    question = "idcenter_uml_class-general"
    return {
        "cmp_index": f"{question};{first};{second}",
        **TEXTS,
        "answer1": ANSWERS[first],
        "answer2": ANSWERS[second],
        "A": first,
        "B": second,
        "task": "uml_class-general",
        "gpt_4-x": reply,
        **changes,
    }


def mt_row(reply: str, first: str = "vicuna-13b-v1.3", second: str = "phi") -> dict[str, str]:
    return {
        "cmp_index": f"90;{first};{second}",
        **TURNS,
        "answer1_1": ANSWERS[first],
        "answer1_2": ANSWERS[first] + "!",
        "answer2_1": ANSWERS[second],
        "answer2_2": ANSWERS[second] + "!",
        "A": first,
        "B": second,
        "task": "writing",
        "gpt_4-x": reply,
    }


def table(*rows: dict[str, str]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(
        text, list(rows[0]), delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def record(path: Path, *rows: dict[str, str], run: str = DEV_RUN, name: str = "") -> Path:
    file = path / run / (name or f"record_gpt_4-x_{run[-1]}.tsv")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(table(*rows), encoding="utf-8", newline="")
    return file


def judgments(path: Path, notes: Notes | None = None) -> list[Judgment]:
    return [found for found in rows_of(path, notes=notes) if isinstance(found, Judgment)]


def test_two_rows_are_two_orders_of_one_pair(tmp_path: Path) -> None:
    forward, backward = judgments(
        record(tmp_path, dev_row("Choice: B\nReason"), dev_row("Choice: A", "phi", "human"))
    )
    assert (forward.order, backward.order) == (Order.FORWARD, Order.REVERSED)
    assert (forward.outcome.kind, backward.outcome.kind) == (OutcomeKind.SECOND, OutcomeKind.FIRST)
    for found in (forward, backward):
        assert (found.a, found.b, found.system_a, found.system_b) == ("human", "phi") * 2
        assert (found.judge, found.strategy) == ("gpt_4-x", "2 options")
        assert (found.subset, found.repetition) == ("human_sample", 1)
        assert found.item == "idcenter_uml_class-general"
        assert found.cluster == "idcenter_uml_class"
        assert found.category == "uml_class-general"
        assert (found.length_a, found.length_b) == (4, 7)
    assert forward.setting == backward.setting != ""


def test_the_reference_candidate_is_a_although_its_name_sorts_last(tmp_path: Path) -> None:
    (found,) = judgments(record(tmp_path, mt_row("[[A]]", "phi", "vicuna-13b-v1.3"), run=MT_RUN))
    assert (found.a, found.b, found.order) == ("vicuna-13b-v1.3", "phi", Order.REVERSED)
    assert (found.item, found.cluster, found.category) == ("90", "90", "writing")
    assert (found.repetition, found.subset) == (0, "MTBench_3q-vicuna13b-v1")
    assert (found.length_a, found.length_b) == (9, 15)


def test_other_texts_in_the_other_order_are_another_setting(tmp_path: Path) -> None:
    forward, backward = judgments(
        record(
            tmp_path,
            dev_row("Choice: B"),
            dev_row("Choice: A", "phi", "human", answer1="something else"),
        )
    )
    assert forward.setting != backward.setting


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Choice: A", OutcomeKind.FIRST),
        ("选择：B", OutcomeKind.SECOND),
        ("Choice: A ... no, Choice: B", OutcomeKind.FIRST),
        ("Choice: C", OutcomeKind.OFF_SCALE),
        ("Choice: D", OutcomeKind.OFF_SCALE),
        ("**Choice**: A", OutcomeKind.UNPARSED),
        ("Choice:  B", OutcomeKind.UNPARSED),
        ("[[A]]", OutcomeKind.UNPARSED),
        ("", OutcomeKind.EMPTY),
        ("Failed to obtain answer via API.", OutcomeKind.FAILED),
    ],
)
def test_the_first_match_of_the_programs_own_pattern_decides(
    tmp_path: Path, reply: str, kind: OutcomeKind
) -> None:
    (found,) = judgments(record(tmp_path, dev_row(reply)))
    assert found.outcome.kind is kind
    assert (found.outcome.failure is FailureKind.LOST) == (kind is OutcomeKind.FAILED)


@pytest.mark.parametrize(
    ("options", "tie", "neither"),
    [
        ("2", OutcomeKind.OFF_SCALE, OutcomeKind.OFF_SCALE),
        ("3", OutcomeKind.TIE, OutcomeKind.OFF_SCALE),
        ("4", OutcomeKind.TIE, OutcomeKind.NEITHER),
    ],
)
def test_c_and_d_mean_what_the_number_of_options_says(
    tmp_path: Path, options: str, tie: OutcomeKind, neither: OutcomeKind
) -> None:
    rows = [mt_row("[[C]]"), mt_row("[[D]]", "phi", "vicuna-13b-v1.3")]
    found = judgments(record(tmp_path, *rows, run=MT_RUN[:-1] + options))
    assert [judgment.outcome.kind for judgment in found] == [tie, neither]
    assert {judgment.strategy for judgment in found} == {f"{options} options"}


def test_our_own_reading_takes_the_last_letter(tmp_path: Path) -> None:
    found = judgments(
        record(tmp_path, mt_row("[[A]] at first. Final: [[B]]"), mt_row("[[C]]"), run=MT_RUN)
    )
    read = [read_again(judgment.reading, judgment.reply).kind for judgment in found]
    assert [judgment.outcome.kind.value for judgment in found] == ["first", "tie"]
    assert [kind.value for kind in read] == ["second", "tie"]
    (chosen,) = judgments(record(tmp_path, dev_row("选择：A ... Choice: B")))
    assert read_again(chosen.reading, chosen.reply).kind is OutcomeKind.SECOND


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gpt_4-x": "EM"}, "exact match (EM): both answers are the same, so no call was made"),
        ({"cmp_index": "q;human"}, "cmp_index is not question;A;B"),
        ({"cmp_index": "q;human;phi;x"}, "cmp_index is not question;A;B"),
        ({"A": "phi", "B": "human"}, "columns A and B contradict cmp_index"),
    ],
)
def test_rows_without_a_call_or_sense_are_rejected(
    tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    rows = rows_of(record(tmp_path, dev_row("Choice: A"), dev_row("Choice: A", **changes)))
    assert isinstance(rows[0], Judgment)
    assert isinstance(rows[1], Reject)
    assert rows[1].reason == reason


def test_a_row_with_too_few_cells_ends_nothing(tmp_path: Path) -> None:
    path = record(tmp_path, dev_row("Choice: A"))
    path.write_text(
        path.read_text() + '"only"\t"two"\n' + table(dev_row("Choice: B")).split("\n", 1)[1]
    )
    kinds = [type(found).__name__ for found in rows_of(path)]
    assert kinds == ["Judgment", "Reject", "Judgment"]


def test_a_table_that_lacks_a_column_is_rejected_once(tmp_path: Path) -> None:
    row = dev_row("Choice: A")
    del row["answer2"]
    (found,) = rows_of(record(tmp_path, row, row))
    assert isinstance(found, Reject)
    assert (found.line, found.reason, found.found) == (0, "the table lacks a column", "answer2")


def test_bom_crlf_gzip_and_zip_are_read(tmp_path: Path) -> None:
    content = (
        b"\xef\xbb\xbf"
        + table(dev_row("Choice: A"), dev_row("Choice: B")).replace('"\n"', '"\r\n"').encode()
    )
    packed = record(tmp_path, dev_row("")).with_suffix(".tsv.gz")
    packed.write_bytes(gzip.compress(content))
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        archive.writestr(f"{DEV_RUN}/record_gpt_4-x_2.tsv", content)
    for path in (packed, tmp_path / "runs.zip"):
        found = judgments(path)
        assert [judgment.outcome.kind.value for judgment in found] == ["first", "second"]
        assert {(j.judge, j.repetition) for j in found} == {("gpt_4-x", 1)}


def test_a_column_without_a_name_takes_the_judge_of_the_file(tmp_path: Path) -> None:
    path = record(tmp_path, dev_row("Choice: A"))
    path.write_text(path.read_text().replace('"gpt_4-x"', '""', 1), newline="")
    (found,) = judgments(path)
    assert (found.judge, found.outcome.kind) == ("gpt_4-x", OutcomeKind.FIRST)


def test_an_empty_record_has_no_rows(tmp_path: Path) -> None:
    path = record(tmp_path, dev_row(""))
    path.write_text(path.read_text().splitlines()[0] + "\n")
    assert rows_of(path) == []


def test_without_names_the_options_are_unknown_and_that_is_said(tmp_path: Path) -> None:
    notes = Notes()
    path = record(tmp_path, mt_row("[[C]]"), run="some folder3", name="x.tsv")
    (found,) = judgments(path, notes)
    assert (found.outcome.kind, found.strategy, found.subset) == (
        OutcomeKind.TIE,
        "4 options",
        "",
    )
    assert any("how many options" in sentence for sentence in notes.sentences)


def cache(path: Path, content: Any, run: str = DEV_RUN) -> Path:
    file = path / run / "tmp.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=0), encoding="utf-8")
    return file


def test_a_cache_gives_the_same_judgments_without_texts(tmp_path: Path) -> None:
    notes = Notes()
    rows = [dev_row("Choice: B"), dev_row("Choice: A", "phi", "human")]
    full = judgments(record(tmp_path / "full", *rows))
    path = cache(tmp_path, {row["cmp_index"]: row["gpt_4-x"] for row in rows})
    bare = judgments(path, notes)
    for one, other in zip(full, bare, strict=True):
        for name in ("item", "a", "b", "order", "outcome", "judge", "subset", "category", "reply"):
            assert getattr(one, name) == getattr(other, name)
        assert (other.setting, other.length_a, one.repetition) == ("", None, other.repetition)
    assert any("keeps replies only" in sentence for sentence in notes.sentences)


def test_a_cache_of_mt_bench_knows_its_tasks(tmp_path: Path) -> None:
    keys = {f"{n};phi;vicuna-13b-v1.3": "[[A]]" for n in (81, 90, 91, 130, 160, 161)}
    found = judgments(cache(tmp_path, keys, MT_RUN))
    assert [judgment.category for judgment in found] == [
        "writing", "writing", "roleplay", "coding", "humanities", "",
    ]  # fmt: skip


def test_a_reply_that_is_no_text_is_rejected(tmp_path: Path) -> None:
    many = {f"q-{n};human;phi": "Choice: A" for n in range(20)}
    rows = rows_of(cache(tmp_path, {**many, "x": "Choice: A", "q;human;phi": None}))
    assert [(row.line, row.reason) for row in rows if isinstance(row, Reject)] == [
        (21, "cmp_index is not question;A;B"),
        (22, "the reply is no text"),
    ]


def test_another_object_is_no_cache(tmp_path: Path) -> None:
    assert format_of(cache(tmp_path, {"q;a;b": 1})) is None
    assert format_of(cache(tmp_path, {})) is None


def test_a_cache_without_a_named_folder_says_that_its_judge_is_unknown(tmp_path: Path) -> None:
    notes = Notes()
    (found,) = judgments(cache(tmp_path, {"q-1;human;phi": "Choice: A"}, "x"), notes)
    assert found.judge == "unknown judge"
    assert any("does not name its judge" in sentence for sentence in notes.sentences)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    trap = b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR."
    for content in (trap, b"\x80\x04\x95\t\t\t"):
        (tmp_path / "tmp.pkl").write_bytes(content)
        assert format_of(tmp_path / "tmp.pkl") == "pickle"
        with pytest.raises(InputError, match="recognised as a Python pickle") as caught:
            read_logs([tmp_path / "tmp.pkl"])
        assert "record_JUDGE_OPTIONS.tsv" in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_other_files_of_a_run_are_named_as_what_they_are(tmp_path: Path) -> None:
    row = dev_row("Choice: A")
    split = {**row, "extracted": "A"}
    unjudged = {name: cell for name, cell in row.items() if name != "gpt_4-x"}
    files = {
        "consistent_cmp.tsv": (table(split), "position-bias-analyzer-split"),
        "infer_input.tsv": (table(unjudged), "position-bias-analyzer-input"),
        "log.txt": ("Reponse length\n+--+\n", "position-bias-analyzer-log"),
        "length_stats.csv": (",model,mean,std\n0,phi,1,2\n", "position-bias-analyzer-figures"),
    }
    for name, (content, expected) in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
        assert format_of(tmp_path / name) == expected
    for name in ("win+halfdraw.xlsx", "other.xlsx", "QA_data/MTBench.xlsx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(tmp_path / name, "w") as book:
            book.writestr("xl/workbook.xml", "<workbook/>")
    assert format_of(tmp_path / "win+halfdraw.xlsx") == "position-bias-analyzer-win-rates"
    assert format_of(tmp_path / "QA_data/MTBench.xlsx") == "position-bias-analyzer-texts"
    assert format_of(tmp_path / "other.xlsx") is None


@pytest.mark.reference
def test_every_file_of_the_real_runs_is_known_and_every_row_read() -> None:
    log = read_logs([reference_folder() / "position_bias_analyzer"], by=("judge", "strategy"))
    assert len(log.files) == 41
    assert sum(file.rows for file in log.files) == 22_368
    assert sum(file.rejected for file in log.files) == 0
    unknown = [other.name.rsplit("/", 1)[1] for other in log.others if "no known" in other.what]
    assert unknown == ["FILES.tsv", "LICENSE", "SOURCE.md", "expected.json"]
    opposite = sum(
        count
        for pairs in log.collected.differences.values()
        for (source, ours), count in pairs.items()
        if source != ours and {source, ours} <= {"first", "second", "tie"}
    )
    assert opposite == 35  # replies with two different letters
    failed = sum(pairs["failed", "failed"] for pairs in log.collected.differences.values())
    assert failed == 6


@pytest.mark.reference
def test_settings_are_equal_in_both_orders_of_every_real_record() -> None:
    folder = reference_folder() / "position_bias_analyzer" / "judgment_data"
    for file in sorted(folder.glob("*/*/record_*.tsv.gz")):
        settings: dict[tuple[str, str], set[str]] = {}
        for row in judgments(file):
            settings.setdefault((row.item, row.b), set()).add(row.setting)
        assert {len(found) for found in settings.values()} == {1}
