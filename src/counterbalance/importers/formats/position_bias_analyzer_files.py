"""Files beside the records of Position-Bias-Analyzer, which hold no judgments of their own."""

from __future__ import annotations

from pathlib import PurePosixPath

from counterbalance.importers.log_format import Container, Holds, LogFormat, Sample, Shape

__all__ = ["COMPARED", "FIGURES", "INPUTS", "PICKLE", "RUN_LOG", "TEXTS", "WIN_RATES"]

_RECORDS = "Name the record_JUDGE_OPTIONS.tsv beside it."
_FIRST_LINES = ("Reponse length", "Response length")
_PICKLES = (".pkl", ".pickle")


def _file_name(sample: Sample) -> str:
    return PurePosixPath(sample.name).name.lower()


def _has_no_judge(sample: Sample) -> bool:
    return bool(sample.first) and sample.first[-1] == "task"


def _begins_as_run_log(sample: Sample) -> bool:
    return isinstance(sample.first, str) and sample.first.startswith(_FIRST_LINES)


def _is_win_table(sample: Sample) -> bool:
    return _file_name(sample).startswith("win+")


def _is_in_texts(sample: Sample) -> bool:
    return "QA_data" in PurePosixPath(sample.name).parts


def _is_pickle(sample: Sample) -> bool:
    return _file_name(sample).endswith(_PICKLES)


COMPARED = LogFormat(
    name="position-bias-analyzer-split",
    title="rows of a Position-Bias-Analyzer record, split by consistency (consistent_cmp.tsv)",
    shapes=(Shape(Container.TABLE, frozenset({"cmp_index", "extracted"})),),
    holds=Holds.REPORT,
    advice=_RECORDS,
)

INPUTS = LogFormat(
    name="position-bias-analyzer-input",
    title="Position-Bias-Analyzer comparisons before they are judged",
    shapes=(Shape(Container.TABLE, frozenset({"cmp_index", "A", "B", "task"}), _has_no_judge),),
    holds=Holds.PAIRS,
    advice="Name the records that a run wrote; to judge the pairs yourself, write them as a pair"
    " file (docs/reference/pair-files.md).",
)

RUN_LOG = LogFormat(
    name="position-bias-analyzer-log",
    title="figures of a Position-Bias-Analyzer run (log.txt)",
    shapes=(Shape(Container.LINES, frozenset(), _begins_as_run_log),),
    holds=Holds.AGGREGATES,
    advice=_RECORDS,
)

WIN_RATES = LogFormat(
    name="position-bias-analyzer-win-rates",
    title="win rates of a Position-Bias-Analyzer run (win+halfdraw.xlsx)",
    shapes=(Shape(Container.ARCHIVE, frozenset({".xlsx"}), _is_win_table),),
    holds=Holds.AGGREGATES,
    advice=_RECORDS,
)

TEXTS = LogFormat(
    name="position-bias-analyzer-texts",
    title="questions and answers of Position-Bias-Analyzer (QA_data)",
    shapes=(Shape(Container.ARCHIVE, frozenset({".xlsx"}), _is_in_texts),),
    holds=Holds.QUESTIONS,
    advice="Name the records that a run wrote.",
)

FIGURES = LogFormat(
    name="position-bias-analyzer-figures",
    title="figures by judge, model and task of Position-Bias-Analyzer",
    shapes=(
        Shape(Container.TABLE, frozenset({"Judge", "Average Positional Consistency"})),
        Shape(Container.TABLE, frozenset({"Judge", "Model", "Task", "Positional Consistency"})),
        Shape(Container.TABLE, frozenset({"model", "mean", "std"})),
    ),
    holds=Holds.AGGREGATES,
    advice="Name the records that they were made of.",
)

PICKLE = LogFormat(
    name="pickle",
    title="a Python pickle, such as the cache tmp.pkl of Position-Bias-Analyzer",
    shapes=(
        Shape(Container.LINES, frozenset(), _is_pickle),
        Shape(Container.TABLE, frozenset(), _is_pickle),
    ),
    holds=Holds.OBJECTS,
    advice="Name the record_JUDGE_OPTIONS.tsv beside it; if that is lost, have a trusted reader"
    " that allows no classes write the cache as JSON, {cmp_index: reply}, and name that.",
)
