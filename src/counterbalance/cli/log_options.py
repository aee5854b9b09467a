"""How a log is read and looked at, as ``audit``, ``import`` and ``report`` take it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from counterbalance.errors import UsageError, one_line

if TYPE_CHECKING:
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.importers.log_format import LogFormat
    from counterbalance.measures.controls import Controls
    from counterbalance.report.report import Report

__all__ = ["LogView", "format_options", "log_options", "named_format"]

_SPLITS = ("judge", "strategy", "subset")


@dataclass(frozen=True, slots=True)
class LogView:
    """How a log is looked at; each default is that of the command line."""

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

    def report(
        self,
        log: ImportedLog,
        controls: Controls | None = None,
        *,
        with_second_opinions: bool = False,
    ) -> Report:
        """Make the report of a log, read from its files or from a record."""
        from counterbalance.report.log_report import build_log_report

        return build_log_report(
            log,
            baseline=self.baseline,
            cluster=self.cluster,
            level=self.level,
            n_listed=self.cases,
            controls=controls,
            with_second_opinions=with_second_opinions,
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
        help=(
            "What groups are split by: judge, strategy, subset, with commas between; none for one."
        ),
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
    def with_view(**words: Any) -> int:  # noqa: ANN401 (click's values)
        view = LogView(**{option.name: words.pop(option.name) for option in fields(LogView)})
        return verb(view=view, **words)

    for option in reversed(_OPTIONS):
        with_view = option(with_view)
    return with_view


def format_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options that say how files are read."""
    by_mapping = click.option(
        "--map",
        "mapping",
        metavar="FILE",
        help="Read the rows as a mapping says: a TOML file, or a bundled one by name.",
    )
    by_name = click.option(
        "--format",
        "format_name",
        metavar="NAME",
        help="Name the format; `import --formats` lists them.",
    )
    return by_name(by_mapping(verb))


def named_format(
    format_name: str | None, mapping: str | None
) -> tuple[LogFormat | None, dict[str, Any] | None]:
    """Return the format that was named, None to detect it, and the mapping it was made of."""
    if mapping is None:
        from counterbalance.importers.detection import format_named

        return (None if format_name is None else format_named(format_name)), None
    from counterbalance.importers.mapped_log import mapped_format
    from counterbalance.importers.mapping_file import mapping_named

    if format_name is not None:
        msg = "--format and --map: a log is read in one way; keep one of them"
        raise UsageError(msg)
    said = mapping_named(mapping)
    return mapped_format(said, f"map {Path(mapping).name}"), said.model_dump(mode="json")
