"""Replay a log to a program that has no command for logs: runs in that program's environment.

    python replay.py PROGRAM LOG

LOG holds the pairs as JSON: item, and the slot that won in each order (``first``, ``second``,
``tie``, or null where there is no verdict). Printed is one JSON object with what it found.
mistrial has a command of its own; it imports `said_again` from here as the judge that it asks.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

LETTERS = {"first": "A", "second": "B", "tie": "tie"}


def said_again(outputs: str | None) -> str:
    """Return the verdict of a call, or raise as judges do that could not read a reply."""
    if outputs is None:
        msg = "this call has no verdict"
        raise ValueError(msg)
    return outputs


class Replayed:
    """A judge that says again what stands in the log; a call without a verdict raises."""

    name = "replayed"

    def __init__(self, pairs: list[list[Any]]) -> None:
        self._verdicts = {}
        for item, forward, backward in pairs:
            self._verdicts[f"{item} a", f"{item} b"] = forward
            self._verdicts[f"{item} b", f"{item} a"] = backward

    def slot(self, first: str, second: str) -> str | None:
        """Return the slot that won, or None."""
        return self._verdicts[first, second]

    def compare(self, *, prompt: str, a: str, b: str, rubric: str) -> str:  # noqa: ARG002
        """Return the letter of the slot that won."""
        return LETTERS[said_again(self.slot(a, b))]

    def complete(self, prompt: str) -> str:
        """Return the reply to a prompt that is nothing but both answers."""
        a, b = prompt.split("|")
        return self.compare(prompt=prompt, a=a, b=b, rubric="")


def juryrig(pairs: list[list[Any]]) -> dict[str, object]:
    """Run the audit of position."""
    cases = [(f"question {item}", f"{item} a", f"{item} b") for item, *_ in pairs]
    found = import_module("juryrig").position_bias(Replayed(pairs), cases, "rubric")
    return {"share": found.flip_rate, "n": found.cases, "verdict": _flagged(found.flagged)}


def _flagged(is_flagged: bool) -> str:  # noqa: FBT001
    return "flagged" if is_flagged else "not flagged"


def judgeswap(pairs: list[list[Any]]) -> dict[str, object]:
    """Ask in both places, and count what comes of it."""
    module = import_module("judgeswap")
    rubric = module.Rubric(preference_template="{a}|{b}")
    judge = module.RubricJudge(Replayed(pairs), rubric)
    found = Counter(
        judge.head_to_head("", candidate=f"{item} a", reference=f"{item} b", context="")
        for item, *_ in pairs
    )
    verdict = f"win {found['win']}, tie {found['tie']}, loss {found['loss']}"
    return {"share": found["tie"] / len(pairs), "n": len(pairs), "verdict": verdict}


def judgebias(pairs: list[list[Any]]) -> dict[str, object]:
    """Ask in both orders and take the measure of position."""
    module = import_module("judgebias")
    cases = [(str(item), f"{item} a", f"{item} b") for item, *_ in pairs]
    found = module.position_bias(module.swap_and_judge(cases, Replayed(pairs).slot)["inconsistent"])
    verdict = "BIAS" if found.present else "ok"
    return {"share": found.effect, "n": found.n, "verdict": verdict}


def judge_audit(path: Path) -> dict[str, object]:
    """Read the rows that judge-audit knows and take its measures of position."""
    module = import_module("judge_audit.io")
    winners = module.pairwise(module.read_jsonl(path))
    found = import_module("judge_audit").position_bias(**winners)
    return {"share": found["flip_rate"], "n": len(winners["winner_ab"]), "verdict": ""}


def main() -> None:
    """Print what a program found."""
    program, path = sys.argv[1], Path(sys.argv[2])
    if program == "judge-audit":
        found = judge_audit(path)
    else:
        replays = {"judgebias": judgebias, "juryrig": juryrig, "judgeswap": judgeswap}
        found = replays[program](json.loads(path.read_text(encoding="utf-8")))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
