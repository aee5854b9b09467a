"""The rewriting stage of ``bias``: watched as a run is, before the battery is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.place import Place
    from counterbalance.run.battery import BatterySources
    from counterbalance.run.rewrites import Rewrites

__all__ = ["unfinished_lines", "written_rewrites"]


def written_rewrites(
    sources: BatterySources, place: Place, *, threads: int | None, quiet: bool
) -> Rewrites | None:
    """Have a model write what a protocol declares; None where it declares nothing."""
    import asyncio

    from counterbalance.cli.progress import RunProgress
    from counterbalance.run.rewriting import rewrite

    rewriting = sources.study.protocol.rewriting
    if rewriting is None:
        return None
    with RunProgress(quiet=quiet, things="texts to rewrite", doing="rewriting") as progress:
        return asyncio.run(
            rewrite(
                sources,
                rewriting,
                place,
                threads=threads,
                announce=progress.announce,
                said=lambda _, reply: progress.counted(reply.failure or "written"),
            )
        )


def unfinished_lines(rewrites: Rewrites) -> Iterator[str]:
    """Yield where a rewriting stage stands that must go on before anybody judges."""
    asked = sum(one.asked for one in rewrites.probes)
    if rewrites.stopped:
        yield f"stopped: {rewrites.stopped}"
    yield (
        f"{asked - rewrites.outstanding} of {asked} texts are asked for; the battery is judged once"
        " all are. Run the same command again to go on"
    )
