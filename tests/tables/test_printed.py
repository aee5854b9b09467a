from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from counterbalance.tables.printed import (
    Cell,
    count_of,
    printed_number,
    printed_p,
    printed_share,
)


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        (Decimal("0.480"), "0.4795", "0.4805"),
        ("0.48", "0.475", "0.485"),
        (".5", "0.45", "0.55"),
        ("66.5%", "0.6645", "0.6655"),
        ("66.5 %", "0.6645", "0.6655"),
        (1, "0.5", "1.5"),
        ("5e-1", "0.45", "0.55"),
        (Cell("66.5", is_percent=True), "0.6645", "0.6655"),
        (Cell("0.48", decimals=3), "0.4795", "0.4805"),
    ],
)
def test_a_share_is_the_interval_that_prints_so(given, low, high):
    share = printed_share(given)
    assert (share.low, share.high) == (Fraction(low), Fraction(high))
    assert share.half_unit == (share.high - share.low) / 2


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        ("0.0000", "0", "0.00005"),
        ("< 0.001", "0", "0.001"),
        ("p<.001", "0", "0.001"),
        ("p = 0.012*", "0.0115", "0.0125"),
        ("> 0.05", "0.05", "1"),
        ("≤0.01", "0", "0.01"),
        ("2.7e-6", "0.00000265", "0.00000275"),
        ("1.0", "0.95", "1"),
    ],
)
def test_a_p_value_is_an_interval_within_0_and_1(given, low, high):
    p = printed_p(given)
    assert (p.low, p.high) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("given", "value"),
    [("+11.5pp", "0.115"), ("−0.8 pp", "-0.008"), ("-3.0%", "-0.03"), ("1.5 points", "0.015")],
)
def test_a_difference_may_be_in_points(given, value):
    assert printed_number(given).value == Fraction(value)


@pytest.mark.parametrize(
    ("read", "given", "words"),
    [
        (printed_share, "0,665", "a comma is no decimal point here: write 0.665"),
        (printed_share, "66.5", 'write "66.5%", or unit = "percent"'),
        (printed_share, 250, 'write "250%"'),
        (printed_share, "-0.1", "a share is from 0 to 1"),
        (printed_share, "120%", "a share is from 0 to 1"),
        (printed_share, Cell("0.6654", decimals=3), "4 decimals where decimals = 3"),
        (printed_share, "nan", "no printed number"),
        (printed_share, Decimal("Infinity"), "no printed number"),
        (printed_share, True, "as it is printed"),
        (printed_share, 0.5, "as it is printed"),
        (printed_share, "", "as it is printed"),
        (printed_share, "n.s.", "such as 0.665"),
        (printed_share, "1_0", "no printed number"),
        (printed_number, "1e9999999", "no printed number"),
        (printed_number, "1" * 50, "no printed number"),
        (printed_p, "1.2", "a p-value is from 0 to 1"),
        (printed_p, "<", "as it is printed"),
        (count_of, "400.0", "whole number"),
        (count_of, "1,234", "leave separators out"),
        (count_of, -3, "whole number"),
        (count_of, True, "as it is printed"),
        (count_of, 10**10, "at most"),
    ],
)
def test_what_has_two_readings_is_refused(read, given, words):
    with pytest.raises(ValueError, match=r".") as refused:
        read(given)
    assert words in str(refused.value)


def test_a_programs_output_carries_the_rounding_of_its_arithmetic():
    """100 * 81 / 92 is one unit in the last place away from its exact value."""
    share = printed_share("88.04347826086956%")
    assert share.holds(Fraction(81, 92))
    assert not share.holds(Fraction(81, 92) + Fraction(1, 10**11))
