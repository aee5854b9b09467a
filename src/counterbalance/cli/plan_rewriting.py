"""What ``plan`` says of texts that a model is to write for the probes of ``bias``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["rewriting_plan", "rewriting_plan_lines"]


def rewriting_plan(protocol: Path) -> dict[str, Any] | None:
    """Return the texts that a model will be asked for; None where none is declared."""
    from counterbalance.run.battery import load_sources
    from counterbalance.run.rewriting import planned_texts
    from counterbalance.run.study import read_study

    rewriting = read_study(protocol).protocol.rewriting
    if rewriting is None:
        return None
    texts = planned_texts(load_sources(protocol), rewriting)
    return {"model": rewriting.model.name, "texts": dict(texts)}


def rewriting_plan_lines(planned: dict[str, Any] | None) -> list[str]:
    """Return the same as lines; how many probes come of it is known only once they are written."""
    if planned is None:
        return []
    listed = ", ".join(f"{name} {count}" for name, count in planned["texts"].items())
    calls = sum(planned["texts"].values())
    return [
        (
            f"rewriting (counterbalance bias): {planned['model']} is asked for {calls} texts first"
            f" ({listed}); which become probes, at most one for each answer, is known after that,"
            " so that no line counts them"
        )
    ]
