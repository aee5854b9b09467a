"""Standard errors and limits beside the shares that they belong to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.wording import between, decimal, inputs_of, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["LIMITS", "STANDARD_ERROR", "WIN_RATE_ERROR", "error_checks"]

STANDARD_ERROR = Rule(
    "standard_error",
    Link.ERRORS,
    "the standard error is that of independent units: the root of share x (1 - share) / n",
)
WIN_RATE_ERROR = Rule(
    "win_rate_error",
    Link.ERRORS,
    "the standard error of a win rate is at most that of wins and losses without ties, and with"
    " known wins, ties and losses it is theirs",
)
LIMITS = Rule(
    "limits_hold_estimate",
    Link.ERRORS,
    "both limits are from 0 to 1 and hold the share that they stand beside",
)

# A standard error is a root: half a unit of a computer's last place may tip its last printed one.
_EPS = 1e-12
_HALF = 0.5  # the share that varies the most


def error_checks(line: Line) -> Iterator[Check]:
    """Yield what the standard error and the limits of a row say of its share."""
    row = line.row
    if row.standard_error is not None:
        if row.agreement is not None:
            yield _of_agreement(line, row.agreement, row.standard_error)
        else:
            yield _of_win_rate(line, row.standard_error)
    if row.interval is not None:
        yield _limits(line, row.interval)


def _of_agreement(line: Line, share: Printed, error: Printed) -> Check:
    n = line.scored
    ground = Ground(
        table=line.table.name,
        inputs=inputs_of(agreement=share, standard_error=error, n=n),
        tolerance=rounding(share, error),
    )
    if not n or n <= 1:
        found = "no n is printed, so no standard error follows; give n"
        return STANDARD_ERROR.check(line.name, None, found, ground=ground)
    ends = [x for p in (share.low, share.high) for x in _binomial(float(p), n)]
    if share.low <= _HALF <= share.high:
        ends += _binomial(_HALF, n)
    low, high = min(ends), max(ends)
    fits = error.holds(low - _EPS, high + _EPS)
    found = f"independent units give {between(low, high)}"
    if not fits and line.row.standard_error_method != "binomial":
        ratio = float(error.value) / (sum(ends) / len(ends))
        found += (
            f", the printed one is {ratio:.2f} times that; the source does not say that it is"
            " binomial: it may be clustered or resampled"
        )
        return STANDARD_ERROR.check(line.name, None, found, values={"ratio": ratio}, ground=ground)
    return STANDARD_ERROR.check(
        line.name, fits, found, values={"low": low, "high": high}, ground=ground
    )


def _binomial(share: float, n: int) -> tuple[float, float]:
    """Return the standard error with n and with n - 1 in the denominator."""
    spread = max(0.0, min(1.0, share)) * (1 - max(0.0, min(1.0, share)))
    return math.sqrt(spread / n), math.sqrt(spread / (n - 1))


def _of_win_rate(line: Line, error: Printed) -> Check:
    row, n = line.row, line.n
    inputs = inputs_of(
        win_rate=row.win_rate, wins=row.wins, ties=row.ties, losses=row.losses, n=n,
        standard_error=error, method=row.standard_error_method,
    )  # fmt: skip
    ground = Ground(line.table.name, inputs, rounding(row.win_rate, error))
    if row.win_rate is None or not n or n <= 1:
        found = "needs the win rate and n; give both"
        return WIN_RATE_ERROR.check(line.name, None, found, ground=ground)
    most = _widest(row.win_rate, n)
    exact = _of_outcomes(line, n)
    values = {"most": most, "of_outcomes": None if exact is None else exact[0]}
    if row.standard_error_method == "other":
        found = (
            "the source does not compute it from the units alone, so no bound follows; it is"
            f" {float(error.value) / most:.2f} times what independent wins and losses would have"
        )
        return WIN_RATE_ERROR.check(line.name, None, found, ground=ground, values=values)
    fits: bool | None = float(error.low) <= most + _EPS
    found = f"at most {decimal(most)} for preferences from 0 to 1"
    if exact is not None:
        fits = error.holds(exact[0] - _EPS, exact[1] + _EPS)
        found = f"independent wins, ties and losses give {between(*exact)}"
        if not fits and row.standard_error_method is None:
            fits = None
            found += "; the source does not say that it is theirs: it may be clustered or resampled"
    return WIN_RATE_ERROR.check(line.name, fits, found, ground=ground, values=values)


def _widest(rate: Printed, n: int) -> float:
    """Return the standard error if every unit is won or lost: no other preferences vary more."""
    if rate.low <= _HALF <= rate.high:
        return _binomial(_HALF, n)[1]
    return max(_binomial(float(share), n)[1] for share in (rate.low, rate.high))


def _of_outcomes(line: Line, n: int) -> tuple[float, float] | None:
    """Return the standard error of wins, half wins and losses, with n and with n - 1."""
    wins, ties, losses = line.row.wins, line.row.ties, line.row.losses
    if wins is None or ties is None or losses is None or wins + ties + losses != n:
        return None
    share = (wins + ties / 2) / n
    spread = max(0.0, (wins + ties / 4) / n - share**2)
    return math.sqrt(spread / n), math.sqrt(spread / (n - 1))


def _limits(line: Line, interval: tuple[Printed, Printed]) -> Check:
    low, high = interval
    share = line.row.agreement or line.row.win_rate
    ground = Ground(
        table=line.table.name,
        inputs=inputs_of(share=share, low=low, high=high),
        tolerance=rounding(share, low, high),
    )
    is_range = low.low <= high.high and low.high >= 0 and high.low <= 1
    if not is_range:
        found = f"{low.text} to {high.text} is no range of shares"
        return LIMITS.check(line.name, False, found, ground=ground)  # noqa: FBT003
    if share is None:
        return LIMITS.check(line.name, None, "no share is printed beside the limits", ground=ground)
    fits = low.low <= share.high and share.low <= high.high
    found = f"{low.text} to {high.text} {'holds' if fits else 'does not hold'} {share.text}"
    return LIMITS.check(line.name, fits, found, ground=ground)
