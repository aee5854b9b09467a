"""Ratings of a panel as an array: which rater put which unit into which category."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError, one_line

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from counterbalance.statistics.arguments import Floats

__all__ = ["category_numbers", "rating_array"]


def category_numbers(categories: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return the number of each category from 0 up; refuse none at all and one named twice."""
    numbers = {category: number for number, category in enumerate(categories)}
    if not numbers or len(numbers) != len(categories):
        named = one_line(list(categories))
        message = f"categories are {named}; name each category that was offered, once"
        raise StatisticsError(message)
    if None in numbers:
        message = "a category is None, which stands for no rating; give it another name"
        raise StatisticsError(message)
    return numbers


def rating_array(
    ratings: Sequence[Sequence[Hashable | None]], categories: Sequence[Hashable]
) -> Floats:
    """Return units x raters x categories of 0 and 1; a rating that is None is 0 throughout."""
    numbers = category_numbers(categories)
    n_raters = len(ratings[0]) if len(ratings) else 0
    array = np.zeros((len(ratings), n_raters, len(numbers)))
    for unit, row in enumerate(ratings):
        if len(row) != n_raters:
            message = (
                f"ratings[{unit}] has {len(row)} entries, ratings[0] has {n_raters}; "
                "give one for each rater, None where there is none"
            )
            raise StatisticsError(message)
        for rater, category in enumerate(row):
            if category is None:
                continue
            if category not in numbers:
                message = (
                    f"ratings[{unit}][{rater}] is {one_line(category)}, which is not among the "
                    "categories; add it there, or give None for no rating"
                )
                raise StatisticsError(message)
            array[unit, rater, numbers[category]] = 1
    return array
