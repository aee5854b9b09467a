"""Numbers as they are printed: the text, and the closed interval of values that rounds to it.

A cell comes in as it stands in the paper, a `Printed` goes out whose ends are exact fractions.
Refused are cells with two readings, such as 0,665 or a share of 66.5 without a percent sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from counterbalance.errors import one_line

__all__ = [
    "Cell",
    "Printed",
    "count_of",
    "printed_difference",
    "printed_kappa",
    "printed_number",
    "printed_p",
    "printed_share",
    "printed_statistic",
]

_LARGEST_COUNT = 10**9
_MOST_DIGITS = 40
_LONGEST = 60
_SPREAD = 400
# So many digits are a program's output, not a typesetter's: its arithmetic rounds, too.
_DIGITS_OF_DOUBLE = 13
_ROUNDING_OF_DOUBLE = Fraction(1, 10**13)
_SIGNS = str.maketrans({"−": "-", "–": "-", "≤": "<", "≥": ">", " ": "", "\u00a0": ""})
_PERCENT = ("percentage points", "points", "pp", "p.p.", "%")
_COMMA = re.compile(r"[+-]?\d*,\d+")
_P_NAME = re.compile(r"^p(-?value)?\s*(?=[<>=])", re.IGNORECASE)
_STARS = "*†‡§"


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number.

    Attributes
    ----------
    text : str
        As printed.
    value : Fraction
        The number itself, a percentage as a share.
    low : Fraction
        Least value that is printed so.
    high : Fraction
        Greatest value that is printed so; half a unit of the last place rounds either way.
    is_bound : bool
        Whether only a bound is printed, as in ``< 0.001``.
    """

    text: str
    value: Fraction
    low: Fraction
    high: Fraction
    is_bound: bool = False

    @property
    def half_unit(self) -> Fraction:
        """Half of the printed interval: the tolerance that the rounding leaves."""
        return (self.high - self.low) / 2

    def holds(self, low: Fraction | float, high: Fraction | float | None = None) -> bool:
        """Say whether any value between both ends is printed so."""
        return self.low <= (low if high is None else high) and low <= self.high


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with what its table says of its kind.

    Attributes
    ----------
    raw : object
        What stands in the file.
    is_percent : bool
        Whether shares without a sign are percentages.
    decimals : int | None
        Decimals that the column is printed with; None to go by each cell.
    """

    raw: object
    is_percent: bool = False
    decimals: int | None = None


def printed_share(given: object) -> Printed:
    """Return a printed share; a percentage becomes one."""
    cell = given if isinstance(given, Cell) else Cell(given)
    number = _number(cell, is_share=True)
    if not 0 <= number.value <= 1:
        shown = one_line(number.text, 30)
        advice = (
            "a share is from 0 to 1"
            if number.value < 0 or cell.is_percent or "%" in shown
            else f'a share is from 0 to 1: write "{shown}%", or unit = "percent" for the table'
        )
        message = f"found {shown}; {advice}"
        raise ValueError(message)
    return number


def printed_number(given: object) -> Printed:
    """Return a printed number of any sign; a percentage or points become a share."""
    cell = given if isinstance(given, Cell) else Cell(given)
    return _number(cell, is_share=cell.is_percent)


def printed_difference(given: object) -> Printed:
    """Return a printed difference of shares; points become a share."""
    number = printed_number(given)
    if abs(number.value) > 1:
        shown = one_line(number.text, 30)
        message = f'found {shown}; a difference of shares is from -1 to 1: write "{shown}pp"'
        raise ValueError(message)
    return number


def printed_kappa(given: object) -> Printed:
    """Return a printed coefficient of agreement."""
    cell = given if isinstance(given, Cell) else Cell(given)
    number = _number(cell, is_share=False)
    if abs(number.value) > 1:
        message = f"found {one_line(number.text, 30)}; kappa is from -1 to 1"
        raise ValueError(message)
    return number


def printed_statistic(given: object) -> Printed:
    """Return a printed chi-square."""
    number = printed_number(given)
    if number.value < 0:
        message = f"found {one_line(number.text, 30)}; a chi-square is not negative"
        raise ValueError(message)
    return number


def printed_p(given: object) -> Printed:
    """Return a printed p-value; ``< 0.001`` is the interval from 0 to 0.001."""
    cell = given if isinstance(given, Cell) else Cell(given)
    text = _text(cell.raw)
    plain = _P_NAME.sub("", text.translate(_SIGNS)).rstrip(_STARS)
    relation = plain[0] if plain[:1] in {"<", ">"} else "="
    number = _number(Cell(plain.lstrip("<>="), decimals=cell.decimals), is_share=False)
    if not 0 <= number.value <= 1:
        message = f"found {one_line(text, 30)}; a p-value is from 0 to 1"
        raise ValueError(message)
    if relation == "=":
        low, high = max(Fraction(0), number.low), min(Fraction(1), number.high)
        return Printed(text, number.value, low, high)
    ends = (Fraction(0), number.value) if relation == "<" else (number.value, Fraction(1))
    return Printed(text, number.value, *ends, is_bound=True)


def count_of(given: object) -> int:
    """Return a count; refuse fractions, signs and separators."""
    raw = given.raw if isinstance(given, Cell) else given
    text = _text(raw)
    if isinstance(raw, bool) or not re.fullmatch(r"[0-9]{1,12}", text):
        hint = "; leave separators out" if re.fullmatch(r"\d{1,3}([,.' ]\d{3})+", text) else ""
        message = f"found {one_line(text, 30)}; a count is a whole number from 0 up{hint}"
        raise ValueError(message)
    if int(text) > _LARGEST_COUNT:
        message = f"found {text}; a count is at most {_LARGEST_COUNT}"
        raise ValueError(message)
    return int(text)


def _number(cell: Cell, *, is_share: bool) -> Printed:
    text = _text(cell.raw)
    plain = text.translate(_SIGNS)
    percent = next((mark for mark in _PERCENT if plain.lower().endswith(mark.replace(" ", ""))), "")
    digits = plain[: len(plain) - len(percent.replace(" ", ""))]
    decimal = _decimal(digits, text)
    places = _places(decimal, cell.decimals, text)
    scale = 100 if percent or (cell.is_percent and is_share) else 1
    value = Fraction(decimal) / scale
    half = max(Fraction(10) ** -places / 2, _double_slack(decimal)) / scale
    return Printed(text, value, value - half, value + half)


def _text(raw: object) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int | Decimal):
        message = f"found {one_line(repr(raw), 30)}; give the number as it is printed"
        raise ValueError(message)  # noqa: TRY004 (pydantic wants a ValueError)
    text = str(raw).strip()
    if not text or len(text) > _LONGEST:
        message = f"found {one_line(repr(text), 30)}; give the number as it is printed"
        raise ValueError(message)
    return text


def _decimal(digits: str, text: str) -> Decimal:
    if _COMMA.fullmatch(digits):
        dotted = digits.replace(",", ".")
        message = f"found {one_line(text, 30)}; a comma is no decimal point here: write {dotted}"
        raise ValueError(message)
    try:
        decimal = Decimal(digits)
    except InvalidOperation:
        message = f"found {one_line(text, 30)}; give the number as it is printed, such as 0.665"
        raise ValueError(message) from None
    if not decimal.is_finite() or "_" in digits or _is_extreme(decimal):
        message = f"found {one_line(text, 30)}; this is no printed number"
        raise ValueError(message)
    return decimal


def _is_extreme(decimal: Decimal) -> bool:
    _, digits, exponent = decimal.as_tuple()
    return len(digits) > _MOST_DIGITS or not isinstance(exponent, int) or abs(exponent) > _SPREAD


def _double_slack(decimal: Decimal) -> Fraction:
    """Return how far a number with the digits of a double is from the exact one it stands for."""
    if len(decimal.as_tuple().digits) < _DIGITS_OF_DOUBLE:
        return Fraction(0)
    return max(Fraction(1), abs(Fraction(decimal))) * _ROUNDING_OF_DOUBLE


def _places(decimal: Decimal, declared: int | None, text: str) -> int:
    """Return the decimals that the cell is printed with."""
    exponent = decimal.as_tuple().exponent
    own = -exponent if isinstance(exponent, int) else 0
    if declared is None or own == declared:
        return own
    if own > declared:
        message = (
            f"found {one_line(text, 30)}, which has {own} decimals where decimals = {declared};"
            " correct the cell or the number of decimals"
        )
        raise ValueError(message)
    return declared
