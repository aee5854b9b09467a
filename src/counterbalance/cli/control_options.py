"""What is held equal on request, as ``audit`` and ``report`` take it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from counterbalance.errors import UsageError

if TYPE_CHECKING:
    from counterbalance.importers.text_counts import TextCounter
    from counterbalance.measures.controls import Controls
    from counterbalance.protocol.protocol import Protocol

__all__ = ["control_options", "controls_of_study", "counter_for"]


def control_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options, as one argument ``controls``: None when nothing was asked for."""

    @functools.wraps(verb)
    def with_controls(
        *,
        length: str | None,
        style: bool,
        length_prior: float,
        **words: Any,  # noqa: ANN401
    ) -> int:
        controls = None
        if length is not None or style:
            from counterbalance.measures.controls import Controls
            from counterbalance.measures.prior import Prior

            controls = Controls(length, style, Prior(0.0, length_prior))  # type: ignore[arg-type]
        return verb(controls=controls, **words)

    for option in (
        click.option(
            "--length-prior",
            type=click.FloatRange(min=0, min_open=True),
            default=1.0,
            show_default=True,
            metavar="SD",
            help="How hard coefficients are drawn to 0: standard deviation, on log-odds.",
        ),
        click.option(
            "--style",
            is_flag=True,
            help="Hold length, headers, lists and bold equal, systems compared all with all.",
        ),
        click.option(
            "--length",
            type=click.Choice(["characters", "tokens"]),
            help="Hold length equal against a baseline: raw and adjusted rates side by side.",
        ),
    ):
        with_controls = option(with_controls)
    return with_controls


def counter_for(controls: Controls | None) -> TextCounter | None:
    """Return what counts the answers of a log while it is read; None when nobody asked."""
    from counterbalance.importers.text_counts import TextCounter

    if controls is None:
        return None
    is_plain = controls.unit == "characters" and not controls.style
    return TextCounter(controls.count(), controls.n_numbers, takes_characters=is_plain)


def controls_of_study(controls: Controls | None, protocol: Protocol) -> Controls | None:
    """Return what a run's report holds equal: what its protocol declares comes first."""
    from dataclasses import replace

    from counterbalance.measures.controls import Controls
    from counterbalance.measures.prior import Prior

    declared = protocol.length_control
    if controls is None or declared is None:
        return controls
    if controls.length not in {None, declared.unit}:
        msg = (
            f"--length {controls.length}: the protocol declares lengths in {declared.unit}; leave"
            " --length out"
        )
        raise UsageError(msg)
    plain = Controls().prior
    if controls.prior not in {plain, Prior(0.0, declared.prior_sd)}:
        msg = (
            "--length-prior: the protocol declares length_control.prior_sd ="
            f" {declared.prior_sd:g}; leave --length-prior out"
        )
        raise UsageError(msg)
    return replace(controls, length=declared.unit, prior=Prior(0.0, declared.prior_sd))
