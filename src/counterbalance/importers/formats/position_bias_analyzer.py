"""Position-Bias-Analyzer ``record_<judge>_<options>.tsv``: one row for each order of each pair.

``cmp_index`` is ``question;A;B``: A is shown first. The last column is named after the judge and
holds its whole reply; the verdict is the first match of the program's own pattern, a letter in slot
terms. Runs are folders ``[RepetitionN-]<data>_record<k>_<judge>_<options>``. Where a record is
lost, its cache may be left as ``tmp.json``, an object of replies by ``cmp_index``.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.errors import InputError, one_line
from counterbalance.importers.judgment import Judgment, Reject, rejected, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Sample, Shape
from counterbalance.importers.reading import Reading
from counterbalance.importers.rows import json_object, table_rows
from counterbalance.importers.sides import shown_pair
from counterbalance.importers.unread_reply import NO_REPLY, unread
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT"]

_RUN = re.compile(
    r"(?:Repetition(?P<repetition>\d{1,4})-)?(?P<data>.+)_record\d+_(?P<judge>.+)_(?P<options>[234])"
)
_RECORD = re.compile(r"record_(?P<judge>.+)_(?P<options>[234])\.tsv")
_SEED = re.compile(r"_infer_input_-?\d+$")
_BASELINES = ("human", "vicuna-13b-v1.3")
"""The reference candidates of the two benchmarks: one of them is in every pair."""
_MOST_OPTIONS = 4
_TIE_FROM, _NEITHER_FROM = 3, 4
_EXACT_MATCH = "EM"
_API_FAILURE = "Failed to obtain answer via API."
_OWN_COLUMNS = ("cmp_index", "A", "B", "task")
_NOT_JUDGES = frozenset({"task", "extracted"})
_MOST_LOOKED_AT = 20
_SEPARATORS = 2

_MT_BENCH_TASKS = {
    str(81 + 10 * block + place): task
    for block, task in enumerate(
        ("writing", "roleplay", "reasoning", "math", "coding", "extraction", "stem", "humanities")
    )
    for place in range(10)
}
"""Task of each question of MT-Bench."""
_DEV_BENCH_TASK = re.compile(r"_((?:uml_class|UML_sequence|architecture_design)-.+)")

_TEXTS_COMPARED = (
    "Position-Bias-Analyzer keeps questions, answers, references and guidance, but no prompts:"
    " these texts are compared between the two orders, the prompt's own words cannot be."
)
_CACHE_ONLY = (
    "A cache (tmp.json) keeps replies only: that both orders were asked about the same texts"
    " cannot be checked, and the length of the answers is not known."
)
_FIRST_MATCH = (
    "Position-Bias-Analyzer takes the first letter that its pattern finds in a reply; our own"
    " reading takes the last."
)
_NO_OPTIONS = (
    "Neither the file nor its folder tells how many options the judge had (record_JUDGE_3.tsv):"
    " C is taken for a tie and D for neither."
)
_NO_JUDGE = "The folder of a cache does not name its judge (DATA_record0_JUDGE_3/tmp.json)."


class _Benchmark(NamedTuple):
    """What differs between the two benchmarks of the program."""

    letter: re.Pattern[str]
    shared: tuple[str, ...]
    answers: tuple[tuple[str, ...], tuple[str, ...]]


_MT_BENCH = _Benchmark(
    re.compile(r"\[\[([ABCD])\]\]"),
    ("question_1", "question_2", "reference_answer_1", "reference_answer_2", "evaluating_guidance"),
    (("answer1_1", "answer1_2"), ("answer2_1", "answer2_2")),
)
_DEV_BENCH = _Benchmark(
    re.compile(r"(?:选择：|Choice: )([ABCD])"),
    ("question", "reference_answer", "evaluating_guidance"),
    (("answer1",), ("answer2",)),
)


class _Run(NamedTuple):
    """What folder and file name say of all rows."""

    judge: str
    subset: str
    repetition: int
    n_options: int

    @property
    def strategy(self) -> str:
        """How it was asked, as far as the log has a word for it."""
        return f"{self.n_options} options"


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(_FIRST_MATCH)
    if file.inside.lower().endswith(".json"):
        yield from _cache(file, notes)
    else:
        yield from _record(file, notes)


def _run(file: LogFile, judge: str, notes: Notes) -> _Run:
    parts = PurePosixPath(file.inside).parts
    folder = _RUN.fullmatch(parts[-2]) if len(parts) > 1 else None
    named = _RECORD.fullmatch(parts[-1]) or folder
    if named is None:
        notes.add(_NO_OPTIONS if judge else _NO_JUDGE)
    return _Run(
        judge or (named["judge"] if named else "unknown judge"),
        _SEED.sub("", folder["data"]) if folder else "",
        max(int(folder["repetition"] or 1) - 1, 0) if folder else 0,
        int(named["options"]) if named else _MOST_OPTIONS,
    )


def _record(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(_TEXTS_COMPARED)
    run, benchmark, column = None, _DEV_BENCH, ""
    for line, row in table_rows(file, "\t"):
        if isinstance(row, Reject):
            yield row
            continue
        if run is None:
            benchmark = _MT_BENCH if "question_1" in row else _DEV_BENCH
            needed = (*_OWN_COLUMNS, *benchmark.shared, *sum(benchmark.answers, ()))
            if missing := [name for name in needed if name not in row]:
                yield Reject(0, "the table lacks a column", missing[0])
                return
            column = next(reversed(row))
            run = _run(file, column, notes)
        judgment = _judgment(line, row["cmp_index"], row[column], run, benchmark)
        if isinstance(judgment, Judgment):
            judgment = _with_texts(judgment, row, benchmark)
        yield judgment


def _cache(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(_CACHE_ONLY)
    content = json_object(file)
    if not isinstance(content, dict):
        msg = f"{file.name}: is no object of replies by question;A;B"
        raise InputError(msg)
    run = _run(file, "", notes)
    for number, (index, reply) in enumerate(content.items(), 1):
        is_mt_bench = index.partition(";")[0].isdecimal()
        benchmark = _MT_BENCH if is_mt_bench else _DEV_BENCH
        told = reply if isinstance(reply, str) else ""
        call = _judgment(number, index, told, run, benchmark)
        if isinstance(call, Judgment) and not isinstance(reply, str):
            yield rejected(call, "the reply is no text", type(reply).__name__)
        else:
            yield call


def _judgment(
    line: int, index: str, reply: str, run: _Run, benchmark: _Benchmark
) -> Judgment | Reject:
    match index.split(";"):
        case [question, first, second]:
            pass
        case _:
            return Reject(line, "cmp_index is not question;A;B", one_line(index))
    if reply == _EXACT_MATCH:
        reason = "exact match (EM): both answers are the same, so no call was made"
        return Reject(line, reason, one_line(index))
    a, b, order = shown_pair(first, second, _BASELINES)
    is_mt_bench = benchmark is _MT_BENCH
    return Judgment(
        line=line,
        item=question,
        a=a,
        b=b,
        order=order,
        outcome=_outcome(reply, benchmark, run.n_options),
        judge=run.judge,
        strategy=run.strategy,
        subset=run.subset,
        repetition=run.repetition,
        cluster=question if is_mt_bench else question.rpartition("-")[0],
        category=_MT_BENCH_TASKS.get(question, "") if is_mt_bench else _dev_bench_task(question),
        system_a=a,
        system_b=b,
        reply=reply,
        reading=_reading(is_mt_bench=is_mt_bench, n_options=run.n_options),
    )


def _with_texts(
    judgment: Judgment, row: dict[str, str], benchmark: _Benchmark
) -> Judgment | Reject:
    """Add what only a record tells; reject a row that contradicts itself."""
    if row["cmp_index"].split(";")[1:] != [row["A"], row["B"]]:
        found = one_line(f"{row['cmp_index']} / {row['A']} / {row['B']}")
        return Reject(judgment.line, "columns A and B contradict cmp_index", found)
    first, second = (tuple(row[name] for name in names) for names in benchmark.answers)
    a, b = (first, second) if judgment.order is Order.FORWARD else (second, first)
    shared = tuple(row[name] for name in benchmark.shared)
    texts = "\0".join((*shared, *a, *b)).encode("utf-8", "surrogatepass")
    judgment.setting = hashlib.blake2b(texts, digest_size=12).hexdigest()
    judgment.category = row["task"]
    judgment.length_a, judgment.length_b = sum(map(len, a)), sum(map(len, b))
    judgment.texts = lambda: ("\n\n".join(a), "\n\n".join(b))
    return judgment


def _outcome(reply: str, benchmark: _Benchmark, n_options: int) -> Outcome:
    found = benchmark.letter.search(reply)
    if found is not None:
        return _letters(n_options)[found[1]]
    if _API_FAILURE in reply:
        return NO_REPLY
    return unread(reply)


@cache
def _letters(n_options: int) -> dict[str, Outcome]:
    has_tie, has_neither = n_options >= _TIE_FROM, n_options >= _NEITHER_FROM
    return {
        "A": source_outcome(OutcomeKind.FIRST),
        "B": source_outcome(OutcomeKind.SECOND),
        "C": source_outcome(OutcomeKind.TIE if has_tie else OutcomeKind.OFF_SCALE),
        "D": source_outcome(OutcomeKind.NEITHER if has_neither else OutcomeKind.OFF_SCALE),
    }


@cache
def _reading(*, is_mt_bench: bool, n_options: int) -> Reading:
    verdict_format = VerdictFormat(
        format="bracket" if is_mt_bench else "regex",
        pattern=None if is_mt_bench else r"(?:选择:|Choice: )(?P<label>[ABCD])",
        tie="C" if n_options >= _TIE_FROM else None,
        neither="D" if n_options >= _NEITHER_FROM else None,
    )
    return Reading(verdict_format, Labelling(first="A", second="B"))


def _dev_bench_task(question: str) -> str:
    found = _DEV_BENCH_TASK.search(question)
    return found[1] if found else ""


def _has_replies(sample: Sample) -> bool:
    """Tell a record from its inputs and its splits: its last column is named after a judge."""
    return bool(sample.first) and sample.first[-1] not in _NOT_JUDGES


def _is_cache(sample: Sample) -> bool:
    if not isinstance(sample.first, dict) or not sample.first:
        return False
    looked_at = list(sample.first.items())[:_MOST_LOOKED_AT]
    return all(key.count(";") == _SEPARATORS and isinstance(reply, str) for key, reply in looked_at)


FORMAT = LogFormat(
    name="position-bias-analyzer",
    title="Position-Bias-Analyzer records (record_<judge>_<options>.tsv) and caches (tmp.json)",
    shapes=(
        Shape(Container.TABLE, frozenset(_OWN_COLUMNS), _has_replies),
        Shape(Container.JSON_OBJECT, frozenset(), _is_cache),
    ),
    read=_read,
    advice="Options, data set and repetition are taken from the names of file and folder.",
    upstream={
        "log_consistent_rows": "rows (twice the pairs) whose letter fits that of the other order; a"
        " row whose other order has no letter counts as consistent",
        "log_extracted_rows": "rows with a letter, the first one in the reply; ours reads the last",
        "log_failed_to_respond": "rows that hold the text of an API failure; they are also counted"
        " among those without a letter",
        "positional_consistency": "consistent pairs of those with two letters A, B or C; ours also"
        " counts D and keeps letters off the scale out",
        "positional_preference_score": "mean over models and tasks of (recency squared minus"
        " primacy squared) / (recency plus primacy) per pair; a tie against a letter counts as full"
        " primacy or recency; ours is preference_fairness_shi without the squares",
        "extraction_successful_rate": "two for each pair with both letters, of these plus rows"
        " without a letter: a pair with one letter leaves the denominator one short",
        "repetition_consistency": "mean over rows of the most frequent letter's share of the"
        " repetitions; rows without a letter count in the denominator only",
        "win+halfdraw": "(wins + ties / 2) of a model against the reference candidate over the rows"
        " counted as consistent; ours averages the two orders of all pairs with two verdicts",
    },
)
