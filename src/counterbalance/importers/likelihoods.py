"""Log-probabilities of whole answers, as backends with ``prompt_logprobs`` or ``echo`` give them.

A line of the file is a JSON object: ``pair`` (id of a probe pair), ``a`` and ``b`` (natural
log-probabilities of every token of that answer, given the prompt).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError, one_line
from counterbalance.items.json_text import JsonTextError, json_value
from counterbalance.measures.likelihood import AnswerLikelihoods

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

__all__ = ["answer_likelihoods"]


def answer_likelihoods(path: Path, known: Collection[str]) -> dict[str, AnswerLikelihoods]:
    """Read the log-probabilities of both answers of probe pairs.

    Parameters
    ----------
    path : Path
        The file, JSON lines.
    known : Collection[str]
        Ids of the probe pairs.

    Returns
    -------
    dict[str, AnswerLikelihoods]
        By id of the pair.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is about no probe pair, repeats one, or lists no
        log-probabilities.
    """
    found: dict[str, AnswerLikelihoods] = {}
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as error:
        msg = f"{path}: {error.strerror}"
        raise InputError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        raise InputError(msg) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            name, held = _line(json_value(line), known, found)
        except (JsonTextError, ValueError) as error:
            msg = f"{path}: line {number} {one_line(error, 300)}"
            raise InputError(msg) from None
        found[name] = held
    return found


def _line(
    value: Any,  # noqa: ANN401 (any JSON value)
    known: Collection[str],
    seen: Collection[str],
) -> tuple[str, AnswerLikelihoods]:
    if not isinstance(value, dict) or value.keys() != {"pair", "a", "b"}:
        msg = 'needs the keys "pair", "a" and "b", and no other'
        raise ValueError(msg)
    name = value["pair"]
    if not isinstance(name, str) or name not in known:
        msg = f"names {one_line(repr(name))}, which is no pair of the battery"
        raise ValueError(msg)
    if name in seen:
        msg = f"repeats the pair {one_line(name)}"
        raise ValueError(msg)
    return name, AnswerLikelihoods(_logprobs(value, "a"), _logprobs(value, "b"))


def _logprobs(value: dict[str, Any], side: str) -> tuple[float, ...]:
    listed = value[side]
    if not isinstance(listed, list) or not listed:
        msg = f'holds no list of log-probabilities under "{side}"'
        raise ValueError(msg)
    for each in listed:
        if isinstance(each, bool) or not isinstance(each, int | float) or each > 0:
            msg = f'holds {one_line(repr(each))} under "{side}"; a log-probability is 0 or less'
            raise ValueError(msg)
    return tuple(map(float, listed))
