"""Which benchmark a log belongs to, by the folders that FastChat and Arena-Hard write it into.

And how they tell turns of a dialogue apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.fields import identifier

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["bench_of", "turn_item"]

_JUDGMENTS = "model_judgment"


def bench_of(inside: str) -> str:
    """Return the benchmark that a path names.

    Parameters
    ----------
    inside : str
        Path of a log, see `counterbalance.importers.log_file.LogFile`.

    Returns
    -------
    str
        The folder above ``model_judgment``; empty when there is none.

    Examples
    --------
    >>> bench_of("llm_judge/data/mt_bench/model_judgment/gpt-4_pair.jsonl")
    'mt_bench'
    >>> bench_of("gpt-4_pair.jsonl")
    ''
    """
    folders = inside.split("/")[:-1]
    while folders:
        if folders.pop() == _JUDGMENTS:
            return folders[-1] if folders else ""
    return ""


def turn_item(row: Mapping[str, Any], prompt_name: str) -> str | None:
    """Return the id of what was answered: the question, and the turn from the second on.

    Parameters
    ----------
    row : Mapping[str, Any]
        A row with ``question_id`` and, in newer files, ``turn``.
    prompt_name : str
        Name of the judge's prompt, by which older files tell turns apart.

    Returns
    -------
    str | None
        None when the question or the turn is no id.

    Examples
    --------
    >>> turn_item({"question_id": 81, "turn": 1}, "pair-v2")
    '81'
    >>> turn_item({"question_id": 81}, "pair-v2-multi-turn")
    '81 turn 2'
    """
    question = identifier(row.get("question_id"))
    turn = row.get("turn")
    if turn is None:
        turn = 2 if prompt_name.endswith("-multi-turn") else 1
    turn = identifier(turn)
    if question is None or turn is None:
        return None
    return question if turn == "1" else f"{question} turn {turn}"
