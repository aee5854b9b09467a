"""How a log is looked at, as ``audit`` and ``report`` take it: nothing of it was decided before."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from counterbalance.errors import UsageError, one_line

if TYPE_CHECKING:
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.report.report import Report

__all__ = ["LogView", "log_options"]

_SPLITS = ("judge", "strategy", "subset")


@dataclass(frozen=True, slots=True)
class LogView:
    """The options; each default is that of the command line."""

    by: str = "judge,strategy"
    baseline: str | None = None
    cluster: ClusterKind = "cluster"
    level: float = 0.95
    cases: int = 10
    no_reread: bool = False

    @property
    def splits(self) -> tuple[str, ...]:
        """What groups are split by."""
        parts = (part.strip() for part in self.by.split(","))
        chosen = tuple(part for part in parts if part not in {"", "none"})
        unknown = [part for part in chosen if part not in _SPLITS]
        if unknown:
            msg = f"--by {one_line(unknown[0])}: groups are split by {', '.join(_SPLITS)} or none"
            raise UsageError(msg)
        return chosen

    def report(self, log: ImportedLog) -> Report:
        """Make the report of a log, read from its files or from a record."""
        from counterbalance.report.log_report import build_log_report

        return build_log_report(
            log,
            baseline=self.baseline,
            cluster=self.cluster,
            level=self.level,
            n_listed=self.cases,
        )

    def refuse_for_study(self) -> None:
        """Refuse options that a protocol has decided, for a record of a run."""
        for option in fields(self):
            if getattr(self, option.name) != option.default:
                name = option.name.replace("_", "-")
                msg = f"--{name}: is for an imported log; of a run, the protocol decided it"
                raise UsageError(msg)


_OPTIONS = (
    click.option(
        "--by",
        type=str,
        default=LogView().by,
        show_default=True,
        help="What groups are split by: judge, strategy, subset, with commas between; none for one.",
    ),
    click.option(
        "--baseline", metavar="SYSTEM", help="System that win rates are for (candidate a)."
    ),
    click.option(
        "--cluster",
        type=click.Choice(["cluster", "item", "pair"]),
        default=LogView().cluster,
        show_default=True,
        help="Unit that intervals are computed over.",
    ),
    click.option(
        "--level",
        type=click.FloatRange(0.5, 0.9999),
        default=LogView().level,
        show_default=True,
        help="Nominal coverage of intervals.",
    ),
    click.option(
        "--cases",
        type=click.IntRange(min=0),
        default=LogView().cases,
        show_default=True,
        help="Cases to list.",
    ),
    click.option("--no-reread", is_flag=True, help="Do not read the raw replies again."),
)


def log_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options, as one argument ``view``."""

    @functools.wraps(verb)
    def with_view(**words: Any) -> int:
        view = LogView(**{option.name: words.pop(option.name) for option in fields(LogView)})
        return verb(view=view, **words)

    for option in reversed(_OPTIONS):
        with_view = option(with_view)
    return with_view
