"""Numbers about sets of pairs: rows, labels, and texts that must be related as SOURCE.md says."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.log_file import log_files
from counterbalance.importers.rows import lines
from reference.computed import ANY_SOURCE
from reference.published import files_of

if TYPE_CHECKING:
    from pathlib import Path

    from reference.computed import Rules
    from reference.published import PublishedNumber

__all__ = ["RULES", "rows_in"]


@cache
def rows_in(path: Path, *columns: str) -> tuple[dict[str, Any], ...]:
    """Every row of a file, read as the product reads tables of any kind."""
    (file,) = log_files([path])
    rows = [row for _, row in container_rows(file, columns)]
    assert all(isinstance(row, dict) for row in rows)
    return tuple(row for row in rows if isinstance(row, dict))


def n_rows(number: PublishedNumber) -> int:
    return len(rows_in(number.path))


def label_counts(number: PublishedNumber) -> dict[str, int]:
    return dict(Counter(str(row["label"]) for row in rows_in(number.path)))


def equal_to_llmbar(number: PublishedNumber) -> int:
    """Verdicts of people that are the label of the same texts in LLMBar's copy of the set."""
    (copy,) = files_of("llmbar", "**/FairEval/dataset.json*")
    labels = {(row["output_1"], row["output_2"]): row["label"] for row in rows_in(copy)}
    folder = number.folder / "answer"
    one, two = (
        [row["text"] for row in rows_in(folder / f"answer_{name}.jsonl")]
        for name in ("gpt35", "vicuna-13b")
    )
    codes = {"CHATGPT": 1, "VICUNA13B": 2}
    (file,) = log_files([number.path])
    verdicts = [codes.get(str(text).strip()) for _, text in lines(file)]
    return sum(
        verdict is not None and labels[texts] == verdict
        for texts, verdict in zip(zip(one, two, strict=True), verdicts, strict=True)
        if verdict is not None
    )


# ------------------------------------------------------------------ judging-the-judges


def pairs_of(number: PublishedNumber, bias: str) -> list[dict[str, Any]]:
    return [row for row in rows_in(number.path) if row["bias_type"] == bias]


def bias_type_counts(number: PublishedNumber) -> dict[str, int]:
    return dict(Counter(row["bias_type"] for row in rows_in(number.path)))


def not_longer(number: PublishedNumber) -> dict[str, int]:
    pairs = pairs_of(number, "length")
    return {
        "by_declared_words": sum(p["metadata"]["len_a"] <= p["metadata"]["len_b"] for p in pairs),
        "by_characters": sum(len(p["response_a"]) <= len(p["response_b"]) for p in pairs),
        "response_a_not_ending_in_punctuation": sum(
            p["response_a"].rstrip()[-1:] not in _ENDS for p in pairs
        ),
        "of": len(pairs),
    }


_ENDS = tuple(".!?")


def mirrored(number: PublishedNumber) -> int:
    style = Counter((p["response_b"], p["response_a"]) for p in pairs_of(number, "style"))
    return sum(style[p["response_a"], p["response_b"]] > 0 for p in pairs_of(number, "style_ba"))


def truncated(number: PublishedNumber) -> int:
    pairs = pairs_of(number, "length_truncated")
    return sum(p["response_b"][:200] == p["response_a"][:200] for p in pairs)


RULES: Rules = {
    ANY_SOURCE: {r"rows": n_rows, r"label_counts": label_counts},
    "faireval": {r"nontie_equal_to_LLMBar_FairEval_labels": equal_to_llmbar},
    "judging_the_judges_sksoumik": {
        r"bias_type_counts": bias_type_counts,
        r"length_pairs_where_response_a_is_NOT_longer": not_longer,
        r"style_ba_pairs_that_exactly_mirror_style": mirrored,
        r"length_truncated_b_is_prefix_of_a\(200 chars\)": truncated,
    },
}
