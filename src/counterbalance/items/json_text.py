"""JSON text to JSON values, refusing whatever two readers could take differently.

A key that stands twice in one object, NaN and the infinities (also as ``1e999``) are refused, where
the standard library would let them pass.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

from counterbalance.errors import one_line

__all__ = ["JsonTextError", "json_value"]


class JsonTextError(ValueError):
    """A text is not the JSON that is read here; ``str()`` says why, on one line."""


def _refuse(problem: str) -> NoReturn:
    raise JsonTextError(problem) from None


def json_value(text: str) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the value that a JSON text stands for.

    Parameters
    ----------
    text : str
        One JSON document.

    Returns
    -------
    Any
        The decoded value.

    Raises
    ------
    JsonTextError
        If the text is not JSON, or is ambiguous, or nests too deeply to be read.

    Examples
    --------
    >>> json_value('{"a": [1, null]}')
    {'a': [1, None]}
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"character {error.pos + 1}"
        _refuse(f"is not JSON: {one_line(error.msg)} at {where}")
    except RecursionError:
        _refuse("nests too deeply to be read")
    except JsonTextError:
        raise
    except ValueError as error:
        _refuse(f"is not readable JSON: {one_line(error)}")


def _unambiguous(members: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(members)
    if len(value) != len(members):
        counts = Counter(name for name, _ in members)
        twice = next(name for name, count in counts.items() if count > 1)
        _refuse(f'has the key "{one_line(twice)}" twice in one object; keep one')
    return value


def _refused_constant(name: str) -> object:
    _refuse(f"holds {name}, which is no JSON number; write null or leave the key out")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _refuse(f"holds {one_line(digits)}, which is too large for a number")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unambiguous, parse_constant=_refused_constant, parse_float=_finite
)
