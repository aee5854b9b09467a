"""Numbers that follow from the rows of judge logs, by source and name."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.dispositions.codes import NONE, OUTCOMES, VERDICTS
from counterbalance.importers.detection import detect
from counterbalance.importers.judgment import Judgment
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Notes
from counterbalance.items.frames import Verdict
from counterbalance.measures.upstream.judgebench import pair_scores
from counterbalance.measures.upstream.llmbar import winners
from counterbalance.measures.upstream.position_bias_analyzer import (
    choice_pairs,
    modal_counts,
    repetition_figures,
)
from counterbalance.statistics.agreement import cohen_kappa
from reference.computed import NotReproducibleError
from reference.published import files_of
from reference.source_logs import REVERSED, SourceLog, log_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.measures.upstream.source_rows import SourceRows
    from reference.computed import Rules
    from reference.published import PublishedNumber

__all__ = ["RULES"]

_LOST = "the rows of this run are lost: record_*.tsv and tmp.pkl are not in the repository's mirror"
_NO_DIFFICULTY = (
    "the fit also needs the difficulty of each instruction and the gamed baselines (df_gamed.csv),"
    " which are not in the repository"
)


def log_of(number: PublishedNumber) -> SourceLog:
    found = log_with(number.folder, number.path)
    assert found is not None, f"{number.path} was not read as a log"
    return found


def rows_of(number: PublishedNumber) -> SourceRows:
    return log_of(number).rows_of(number.path)


def figure(number: PublishedNumber, name: str | None = None) -> Any:
    """A figure of the source, by its own name unless another is given."""
    found = log_of(number).figure(number.path, name or number.metric)
    assert found is not None, f"no figure is called {name or number.metric}"
    return found.value


def figure_with_counts(number: PublishedNumber) -> list[float | None]:
    """Numerator, denominator and value, as LLMBar writes them in one text."""
    found = log_of(number).figure(number.path, number.metric)
    assert found is not None
    return [found.numerator, found.denominator, found.value]


def dispositions(number: PublishedNumber) -> dict[str, int]:
    return log_of(number).dispositions(number.path)


def n_rows(number: PublishedNumber) -> int:
    log = log_of(number)
    return log.log.files[log.places[number.path]].rows


# ------------------------------------------------------------------ LLMBar


def llmbar_dispositions(number: PublishedNumber) -> dict[str, int]:
    """Scores have no disposition: the numbers are about the winners that LLMBar makes of them."""
    rows = rows_of(number)
    if not rows.ratings.line.size:
        return dispositions(number)
    found = winners(rows)
    cells = Counter(zip(found.forward.tolist(), found.backward.tolist(), strict=True))
    a, b = VERDICTS.index(Verdict.A), VERDICTS.index(Verdict.B)
    return {
        "pairs": found.label.size,
        "stable_1": cells[a, a],
        "stable_2": cells[b, b],
        "explicit_tie": 0,
        "order_disagreement_primacy": cells[a, b],
        "order_disagreement_recency": cells[b, a],
        "tie_transition": 0,
        "incomplete": 0,
    }


def llmbar_kappas(number: PublishedNumber) -> dict[str, float]:
    found = winners(rows_of(number))
    codes = {"swap=False": found.forward, "swap=True": found.backward}
    return {name: round(kappa(found.label, mine), 10) for name, mine in codes.items()}


def kappa(one: NDArray[np.int8], other: NDArray[np.int8]) -> float:
    """Kappa with no verdict as a category of its own."""
    size = len(VERDICTS) + 1
    at = (one - NONE).astype(np.int64) * size + (other - NONE)
    found = cohen_kappa(np.bincount(at, minlength=size**2).reshape(size, size)).kappa
    assert found is not None
    return found


# ------------------------------------------------------------------ JudgeBench


def judgebench_counts(number: PublishedNumber) -> dict[str, int]:
    score = pair_scores(rows_of(number)).score
    return {
        "n": score.size,
        "incorrect": int((score < 0).sum()),
        "tie_or_cancel": int((score == 0).sum()),
        "correct": int((score > 0).sum()),
    }


# ------------------------------------------------------------------ Position-Bias-Analyzer


def repetitions(number: PublishedNumber) -> SourceRows:
    """All rows of the runs that a pattern of folders names."""
    pattern = number.file.replace("{1,2,3}", "[123]") + "/record_*"
    paths = files_of(number.source, pattern)
    assert paths, f"no log is called {pattern}"
    log = log_with(number.folder, paths[0])
    if log is None or not log.places.keys() >= set(paths):
        log = SourceLog(read_logs(paths, rereads=False))  # they stand in several folders
    return log.rows_of(*paths)


def repetition_consistency(number: PublishedNumber) -> float | None:
    (found,) = repetition_figures(repetitions(number))
    return found.value


def identical_repetitions(number: PublishedNumber) -> int:
    most, n_repetitions = modal_counts(repetitions(number))
    assert n_repetitions == 3
    return int((most == n_repetitions).sum())


# ------------------------------------------------------------------ AlpacaEval


def order_rule(number: PublishedNumber) -> list[int]:
    """Replies of one file that agree with the rule for its order, by the note of its importer."""
    (file,) = log_files([number.path])
    known = detect(file)
    assert known is not None
    assert known.read_together is not None
    notes = Notes()
    next(iter(known.read_together([file], notes)))
    for sentence in notes.sentences:
        if "fits all" in sentence:
            checked = int(sentence.split("fits all ")[1].split()[0])
            return [checked, checked]
        if "the display order is unknown: " in sentence:
            checked = int(sentence.split("the display order is unknown: ")[1].split()[0])
            return [checked, checked]
    raise AssertionError(notes.sentences)


def slots(number: PublishedNumber) -> dict[str, int]:
    rows = rows_of(number)
    systems = {rows.pairs.system_pairs[code] for code in rows.pairs.systems[rows.pair].tolist()}
    if {(a, b) for a, b in systems if a == b}:
        msg = "a system is compared with itself: its pairs have no two orders"
        raise NotReproducibleError(msg)
    (file,) = log_files([number.path])
    known = detect(file)
    assert known is not None
    assert known.read_together is not None
    replies = [
        row.reply for _, row in known.read_together([file], Notes()) if isinstance(row, Judgment)
    ]
    called = rows.outcome[~rows.pairs.is_identical[rows.pair]]
    return {
        "rows": rows.n_rows,
        "output_2_shown_first": int((rows.order == REVERSED).sum()),
        "no_logprobs": replies.count(""),
        "first_shown_preferred": int((called == OUTCOMES.index("first")).sum()),
        "second_shown_preferred": int((called == OUTCOMES.index("second")).sum()),
    }


# ------------------------------------------------------------------ FastChat and Arena-Hard


def show_result(number: PublishedNumber) -> dict[str, float | None]:
    log, rows = log_of(number), rows_of(number)
    a, b = rows.pairs.system_pairs[rows.pairs.systems[rows.pair[0]]]
    one = b[0] if rows.order[0] == REVERSED else a[0]
    rates = [
        log.figure(number.path, f"{name}[{one}]")
        for name in ("win_rate", "loss_rate", "win_rate_adjusted")
    ]
    won, lost, adjusted = rates
    assert won
    assert lost
    assert adjusted
    return {
        "n": won.denominator,
        "model_1_win": won.numerator,
        "model_2_win": lost.numerator,
        "tie": won.denominator - won.numerator - lost.numerator,
        "model_1_win_rate": won.value,
        "model_1_win_rate_adjusted": adjusted.value,
    }


def same_when_read_again(number: PublishedNumber) -> list[int]:
    """Judgments whose raw reply our parser reads as the source did, strength included."""
    log = read_logs([number.path])
    columns, names = log.collected.columns, log.collected.names
    is_ours = np.array([name.verdict_by == "our reading" for name in names])[log.collected.named]
    source, ours = (
        np.stack([columns.outcome[chosen], columns.strength[chosen]])
        for chosen in (~is_ours, is_ours)
    )
    return [int((source == ours).all(axis=0).sum()), source.shape[1]]


# ------------------------------------------------------------------ FairEval


def verdict_counts(number: PublishedNumber) -> dict[str, int]:
    rows = rows_of(number)
    ((a, _), (b, _)) = rows.pairs.system_pairs[0]
    words = {Verdict.A: a, Verdict.B: b, Verdict.TIE: "TIE"}
    found = Counter(words[VERDICTS[code]] for code in rows.verdict.tolist())
    return dict(found)


RULES: Rules = {
    "llmbar": {
        r"correct_(?:False|True|both)|equal": figure_with_counts,
        r"correct_average": lambda number: [figure(number)],
        r"kappa_(?:False|True|average|agreement)": figure,
        r"dispositions": llmbar_dispositions,
        r"correct_kappa_human_vs_judge": llmbar_kappas,
    },
    "judgebench": {
        r"accuracy\[.+\]": figure,
        r"counts\[overall\]": judgebench_counts,
        r"dispositions": dispositions,
    },
    "position_bias_analyzer": {
        r"log_consistent_rows/extracted_rows": _LOST,
        r"log_\w+|positional_\w+|extraction_successful_rate|win\+halfdraw\[.+\]": figure,
        r"choice_pairs": lambda number: dict(choice_pairs(rows_of(number))),
        r"dispositions": dispositions,
        r"repetition_consistency": repetition_consistency,
        r"rows_identical_in_all_3_repetitions": identical_repetitions,
    },
    "alpaca_eval": {
        r"win_rate|standard_error|n_\w+|discrete_win_rate|avg_length": figure,
        r"rows_whose_logprobs_confirm_the_seed_rule": order_rule,
        r"slots": slots,
        r"length_controlled_winrate": _NO_DIFFICULTY,
    },
    "arena_hard_greek": {
        r"rows": n_rows,
        r"weighted_score_of_model_vs_baseline": partial(figure, name="weighted_score"),
        r"dispositions": dispositions,
        r"score_equals_label_in_judgment_text": same_when_read_again,
    },
    "fastchat_fork_pair_log": {
        r"dispositions": dispositions,
        r"show_result_pairwise": show_result,
        r"winner_equals_label_in_judgment_text": same_when_read_again,
    },
    "faireval": {r"verdict_counts": verdict_counts},
}
