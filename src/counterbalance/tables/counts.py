"""Whole numbers behind printed shares: which counts, over which denominators, print so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.tables.printed import Printed

__all__ = ["counts_over", "joint_denominators"]


def counts_over(share: Printed, n: int) -> range:
    """Find the counts that print as this share of `n`.

    Parameters
    ----------
    share : Printed
        The printed share.
    n : int
        The denominator, at least 1.

    Returns
    -------
    range
        All counts from 0 to `n` that fit; empty when none does.

    Notes
    -----
    The rounding interval is closed: 0.6675 may be printed as 0.667 or as 0.668. This is the test
    of Brown and Heathers for a share in place of a mean.

    References
    ----------
    .. [1] N. J. L. Brown, J. A. J. Heathers, "The GRIM test: a simple technique detects numerous
       anomalies in the reporting of results in psychology", Social Psychological and Personality
       Science 8 (2017) 363-369. doi:10.1177/1948550616673876

    Examples
    --------
    >>> from counterbalance.tables.printed import printed_share
    >>> counts_over(printed_share("0.654"), 399), len(counts_over(printed_share("0.654"), 400))
    (range(261, 262), 0)
    """
    low = max(0, -(-share.low.numerator * n // share.low.denominator))
    high = min(n, share.high.numerator * n // share.high.denominator)
    return range(low, max(low, high + 1))


def joint_denominators(shares: Iterable[Printed], largest: int) -> list[int]:
    """Find the denominators over which every one of these shares is a possible count.

    Parameters
    ----------
    shares : Iterable[Printed]
        Shares that are printed as of one number of units.
    largest : int
        Greatest denominator to try.

    Returns
    -------
    list[int]
        All that fit, ascending.

    Examples
    --------
    >>> from counterbalance.tables.printed import printed_share
    >>> cells = map(printed_share, ["0.734", "0.623", "0.719", "0.764", "0.653"])
    >>> joint_denominators(cells, 400)
    [199, 398]
    """
    left = list(range(1, largest + 1))
    for share in shares:
        a, b = share.low.numerator, share.low.denominator
        c, d = share.high.numerator, share.high.denominator
        # A whole number lies between both ends; a share from 0 to 1 keeps it from 0 to n.
        left = [n for n in left if -(-a * n // b) <= c * n // d]
    return left
