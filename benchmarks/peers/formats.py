"""The rows of one log as other programs read them; a winner is a candidate, ``tie`` or None."""

from __future__ import annotations

__all__ = [
    "in_slots",
    "judge_audit_rows",
    "judgecal_rows",
    "judgekit_rows",
    "judgemetry_row",
    "peereval_rows",
]

_CAPITALS = {"a": "A", "b": "B", "tie": "tie"}


def in_slots(winner: str, *, is_swapped: bool) -> str:
    """Return a winner as the slot it stood in."""
    if winner == "tie":
        return "tie"
    return "first" if (winner == "a") != is_swapped else "second"


def judgekit_rows(item: object, swapped: bool, winner: str | None) -> dict[str, object]:  # noqa: FBT001
    """Return a row as judgekit reads it; it has no word for a call without a verdict."""
    return {"kind": "pairwise", "item_id": f"q{item}", "choice": winner, "swapped": swapped}


def judgecal_rows(item: object, swapped: bool, winner: str | None) -> dict[str, object]:  # noqa: FBT001
    """Return a row as judgecal reads it."""
    meta = {
        "probe": "position",
        "condition": "swap" if swapped else "orig",
        "item_id": f"q{item}",
        "repeat": 0,
        "first_is_a": not swapped,
        "first_len": 100,
        "second_len": 90,
        "first_author": "m-b" if swapped else "m-a",
        "second_author": "m-a" if swapped else "m-b",
        "first_latent_q": None,
        "second_latent_q": None,
        "label_first": None,
    }
    slot = "invalid" if winner is None else in_slots(winner, is_swapped=swapped)
    name = f"{item}-{swapped}"
    return {"custom_id": name, "verdict": slot, "raw_text": "", "meta": meta}


def peereval_rows(item: object, swapped: bool, winner: str | None) -> dict[str, object]:  # noqa: FBT001
    """Return a row as peereval reads it."""
    models = ["m-a", "m-b"][:: -1 if swapped else 1]
    labels = {"first": "A", "second": "B", "tie": "tie"}
    label = None if winner is None else labels[in_slots(winner, is_swapped=swapped)]
    return {
        "question_id": f"q{item}",
        "dataset": "synthetic",
        "judge_model": "judge",
        "response_a_model": models[0],
        "response_b_model": models[1],
        "judgment": {"winner": label},
        "raw_response": "",
    }


def judge_audit_rows(item: object, swapped: bool, winner: str | None) -> dict[str, object]:  # noqa: FBT001
    """Return a row as judge-audit reads it: slot 0 or 1; it has no word for anything else."""
    slots = {"first": 0, "second": 1}
    slot = None if winner is None else slots.get(in_slots(winner, is_swapped=swapped))
    return {"pair_id": f"q{item}", "order": "BA" if swapped else "AB", "winner": slot}


def judgemetry_row(item: object, forward: str | None, backward: str | None) -> dict[str, object]:
    """Return a pair as judgemetry reads it; a call without a verdict is what it names refused."""
    calls = [
        {"winner": "tie", "confidence": 0.5, "raw": "", "refused": True}
        if winner is None
        else {"winner": _CAPITALS[winner], "confidence": 0.5, "raw": ""}
        for winner in (forward, backward)
    ]
    record = {"pair_id": f"q{item}", "question": f"question {item}", "human_winner": "tie"}
    texts = {"answer_a": f"{item} a", "answer_b": f"{item} b", "model_a": "", "model_b": ""}
    return {
        "schema": "judgemetry/judged@1",
        "record": record | texts,
        "forward": calls[0],
        "backward": calls[1],
        "judge": "judge",
    }
