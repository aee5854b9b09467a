"""A commented mapping to start from; given a file, with its own columns and words filled in.

Columns are filled in by their names alone. Which word means which outcome is shown and left to the
reader: nothing in a file tells whether its A speaks of a place or of a candidate.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import InputError, one_line
from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.detection import sample_of
from counterbalance.importers.judgment import Reject
from counterbalance.importers.log_format import Container
from counterbalance.importers.rows import json_object
from counterbalance.importers.word_lists import word_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.importers.log_file import LogFile

__all__ = ["map_template"]

_MOST_ROWS = 5000
_MOST_WORDS = 12
_LONGEST_WORD = 40
_DEEPEST = 3
_MOST_COLUMNS = 60

_NAMES = {
    "item": ("item", "item_id", "question_id", "pair_id", "id", "uid", "prompt_id", "idx", "index"),
    "first": ("first", "first_model", "model_first", "response_a_model", "shown_first"),
    "second": ("second", "second_model", "model_second", "response_b_model", "shown_second"),
    "a": ("model_a", "model_1", "system_a", "generator_1", "a"),
    "b": ("model_b", "model_2", "system_b", "generator_2", "b"),
    "order": ("order", "position", "swapped", "swap", "is_swapped", "ordering", "first_is_a"),
    "verdict": (
        "verdict", "winner", "preference", "choice", "decision", "label", "judgment", "result",
    ),
    "judge": ("judge", "judge_model", "judge_id", "annotator", "evaluator"),
    "strategy": ("strategy", "prompt_name", "template", "judge_prompt"),
    "repetition": ("repetition", "repeat", "rep", "sample_index", "run", "trial"),
    "cluster": ("cluster", "question", "prompt", "instruction"),
    "category": ("category", "task", "domain", "subject"),
    "subset": ("subset", "dataset", "split"),
    "reference": ("reference", "gold", "human_winner", "human_label", "ground_truth", "expected"),
    "reply": ("reply", "raw_response", "raw_text", "raw_completion", "completion", "response_text"),
    "finish": ("finish", "finish_reason", "stop_reason"),
    "margin": ("margin", "confidence_margin", "score_difference"),
}  # fmt: skip
_MEANS = {
    "item": "id of what was answered (needed)",
    "first": "system shown first; with second, instead of a, b and order",
    "second": "system shown second",
    "a": "one system, wherever it was shown",
    "b": "the other system",
    "order": "whether a was shown first; its words stand in [order]",
    "verdict": "the judge's verdict; its words stand in [verdict]",
    "judge": "who judged",
    "strategy": "how it was asked, such as the prompt's name",
    "repetition": "number of the repetition",
    "cluster": "what items share: the unit of uncertainty",
    "category": "category of the item",
    "subset": "part of the data set",
    "reference": "right or human verdict; its words stand in [reference]",
    "reply": "the judge's raw reply",
    "finish": "why the judge stopped",
    "margin": "how clearly the first slot won",
}
_HEAD = """\
# How counterbalance reads this log: counterbalance audit FILE --map THIS-FILE
# Columns are names, or paths into a row: games.1.score is the score of the second of the games.
# What is not said here is not guessed; words that are not listed become counted rejects.
title = ""
# baseline = "gpt-4"             # the system that others are compared with: candidate a

[rows]
# source = "openai-batch"        # or "anthropic-batch": requests joined to results by custom_id,
#                                # with the columns custom_id, reply, finish, model, failure
# at = "results"                 # path to the list of rows inside one JSON object
# where = { kind = ["pairwise"] }   # only rows with these words
# same = ["model", "temperature"]   # columns that must be equal in both orders of a pair
"""
_ORDER = """\
[order]                          # which words of column order mean that a was shown first, or b
# forward = ["AB", false, 0]
# reversed = ["BA", true, 1]
"""
_VERDICT = """\
[verdict]
# What the words speak of decides under which keys they stand. Keep to one of the three:
#   places:     first, second      "A" means: the answer shown first, whoever wrote it
#   candidates: a, b               "A" means: the system in column a, wherever it was shown
#   names:      names = true       the word is the name of the better system
# first = ["A", "[[A]]"]
# second = ["B", "[[B]]"]
# first_much = ["A>>B"]          # also first_slightly, second_much, a_much ...
# tie = ["tie", "C"]
# neither = []                   # both unacceptable
# insufficient = []              # the evidence does not allow a verdict
# unparsed = ["error"]           # no verdict could be read; also empty, refused, truncated,
#                                # too_long, conflicting, off_scale, failed
# missing = "unparsed"           # what a row without a verdict means, or "reject"
# from_scores = true             # the higher of two scores wins; name score_a and score_b above
"""
_REST = """\
[reference]                      # words as in [verdict]: of places, of candidates, or names = true
# a = []
# b = []
# tie = []

[fixed]                          # what is the same for all rows and stands in no column
# judge = "gpt-4"
# order = "forward"              # only if every row shows a first

# [[flags]]                      # a column that tells why there is no verdict
# column = "error"
# outcome = "failed"             # or refused, truncated, empty ...

# [[split]]                      # a column that holds several values; groups become columns
# column = "custom_id"
# pattern = "(?P<item>[^|]+)[|](?P<order>[^|]+)"

# [[games]]                      # one row, two calls: name the columns a and b, and one table each
# order = "forward"
# verdict = "g1_winner"
# reply = "g1_judgment"
# [[games]]
# order = "reversed"
# verdict = "g2_winner"
# reply = "g2_judgment"

# [reading]                      # read the replies again, or at all where there is no verdict
# labels = { first = "A", second = "B" }
# verdict = { format = "bracket", tie = "C" }
"""


class _Seen(NamedTuple):
    """What the beginning of a file holds."""

    rows: int
    at: str
    words: dict[str, Counter[str]]
    crowded: frozenset[str]


def map_template(file: LogFile | None = None) -> str:
    """Return a commented mapping.

    Parameters
    ----------
    file : LogFile | None
        A log to fill it in for; None for the bare template.

    Returns
    -------
    str
        TOML; with a file, the columns that its names tell are filled in.

    Raises
    ------
    InputError
        If the file holds no rows with columns.
    """
    seen = None if file is None else _look(file)
    if file is not None and not (seen and seen.words):
        msg = f"{file.name}: holds no rows with columns that a mapping could name"
        raise InputError(msg)
    parts = [_HEAD if not seen or not seen.at else _HEAD.replace('# at = "results" ', _at(seen))]
    if file is not None and seen is not None:
        parts.append(_columns_found(file, seen))
    parts += [_columns(seen), _with_words(_ORDER, "order", seen)]
    parts += [_with_words(_VERDICT, "verdict", seen), _with_words(_REST, "reference", seen)]
    return "\n".join(parts)


def _at(seen: _Seen) -> str:
    return f"at = {_quoted(seen.at)} "


def _columns(seen: _Seen | None) -> str:
    lines = ["[columns]"]
    known = {} if seen is None else _matched(seen)
    for name, means in _MEANS.items():
        path = known.get(name)
        example = _quoted(path if path is not None else _NAMES[name][0])
        start = "" if path is not None else "# "
        lines.append(f"{start + name + ' = ' + example:<32} # {means}")
    return "\n".join([*lines, ""])


def _matched(seen: _Seen) -> dict[str, str]:
    """Return which column is what, by name alone; none is taken twice."""
    by_name: dict[str, str] = {}
    for path in seen.words:
        by_name.setdefault(path.rpartition(".")[2].lower(), path)
    known: dict[str, str] = {}
    for name, synonyms in _NAMES.items():
        free = [by_name[s] for s in synonyms if s in by_name]
        if free and free[0] not in known.values():
            known[name] = free[0]
    if {"first", "second"} <= known.keys():
        for name in ("a", "b", "order"):
            known.pop(name, None)
    for one, other in (("first", "second"), ("second", "first"), ("a", "b"), ("b", "a")):
        if one in known and other not in known:
            del known[one]
    return known


def _with_words(text: str, name: str, seen: _Seen | None) -> str:
    """Add what stands in the column above the lines that take its words."""
    path = None if seen is None else _matched(seen).get(name)
    if seen is None or path is None:
        return text
    return f"{_words_line(path, seen)}\n{text}"


def _words_line(path: str, seen: _Seen) -> str:
    words = seen.words[path].most_common(_MOST_WORDS)
    listed = ", ".join(f"{_quoted(word)} {count}" for word, count in words)
    more = ", and many more" if path in seen.crowded or len(seen.words[path]) > len(words) else ""
    return f"# Column {one_line(path)} holds: {listed}{more}"


def _columns_found(file: LogFile, seen: _Seen) -> str:
    lines = [f"# Columns of {one_line(file.name, 200)}, from its first {seen.rows} rows:"]
    for path in islice(seen.words, _MOST_COLUMNS):
        words = seen.words[path]
        few = path not in seen.crowded and 1 <= len(words) <= _MOST_WORDS
        if few:
            lines.append(_words_line(path, seen).replace("Column ", "  ").replace(" holds", ""))
        else:
            lines.append(f"#   {one_line(path)}")
    if len(seen.words) > _MOST_COLUMNS:
        lines.append(f"#   and {len(seen.words) - _MOST_COLUMNS} more")
    return "\n".join([*lines, ""])


def _look(file: LogFile) -> _Seen:
    at, rows = _rows(file)
    words: dict[str, Counter[str]] = {}
    crowded: set[str] = set()
    n_rows = 0
    for row in islice(rows, _MOST_ROWS):
        n_rows += 1
        for path, value in _leaves(row):
            counts = words.setdefault(path, Counter())
            word = word_of(value)
            if word is None or len(word) > _LONGEST_WORD or len(counts) > 4 * _MOST_WORDS:
                crowded.add(path)
            elif path not in crowded:
                counts[word] += 1
    return _Seen(n_rows, at, words, frozenset(crowded))


def _rows(file: LogFile) -> tuple[str, Iterator[dict[str, Any]]]:
    """Return where the rows are inside one object, and the rows."""
    if sample_of(file).container is Container.JSON_OBJECT:
        value = json_object(file)
        path, listed = _longest_list(value if isinstance(value, dict) else {})
        return path, (row for row in listed if isinstance(row, dict))
    columns = sample_of(file).keys
    rows = container_rows(file, columns)
    return "", (row for _, row in rows if not isinstance(row, Reject))


def _longest_list(value: Mapping[str, Any], depth: int = 2) -> tuple[str, list[Any]]:
    best: tuple[str, list[Any]] = "", []
    for key, inner in value.items():
        found: tuple[str, list[Any]] = "", []
        if isinstance(inner, list):
            found = key, inner
        elif isinstance(inner, dict) and depth:
            path, listed = _longest_list(inner, depth - 1)
            found = f"{key}.{path}", listed
        if len(found[1]) > len(best[1]):
            best = found
    return best


def _leaves(value: Mapping[str, Any], start: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        path = f"{start}{key}"
        if isinstance(inner, dict) and depth < _DEEPEST:
            yield from _leaves(inner, f"{path}.", depth + 1)
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict) and depth < _DEEPEST:
            for place, part in enumerate(inner[:2]):
                if isinstance(part, dict):
                    yield from _leaves(part, f"{path}.{place}.", depth + 1)
        else:
            yield path, inner


def _quoted(text: str) -> str:
    """Return text as a TOML string that is safe to print."""
    dumped = json.dumps(text, ensure_ascii=False)
    return "".join(
        c if c.isprintable() else f"\\U{ord(c):08x}" for c in dumped.replace("\x7f", "\\u007f")
    )
