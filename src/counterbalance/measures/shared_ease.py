"""How easy each item is, as all systems that answered it show together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics import ease_by_others, joint_difficulty

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans

__all__ = ["SharedEase", "shared_ease"]

_FEWEST_SYSTEMS = 3
_FEW_SYSTEMS = (
    "Fewer than three systems were compared with the baseline on the same items, so a hard item"
    " cannot be told from an odd verdict; length alone would draw every rate towards one half."
    " Look at the pairs of like length instead."
)
_NOT_SHARED = (
    "Most items were answered by one system only, so their difficulty cannot be told; length alone"
    " would draw every rate towards one half. Look at the pairs of like length instead."
)
_ONE_SIDED = (
    "The system was preferred in every pair, or in none, so the model has no finite estimate."
)


@dataclass(frozen=True, slots=True, eq=False)
class SharedEase:
    """Ease of the item of each row.

    Attributes
    ----------
    values : NDArray[np.float64] | None
        By row, log-odds that the item adds for every system; None where there is no fit.
    others : NDArray[np.float64] | None
        By row, the same from the other systems alone.
    is_fitted : Booleans | None
        Rows of systems that went into the fit; None where there is no fit.
    undefined : str | None
        Why there is no fit, in a sentence; None when there is one.
    """

    values: NDArray[np.float64] | None
    others: NDArray[np.float64] | None
    is_fitted: Booleans | None
    undefined: str | None

    @classmethod
    def none(cls, reason: str) -> SharedEase:
        """Return that there is no fit."""
        return cls(None, None, None, reason)

    def of(self, here: Booleans) -> NDArray[np.float64] | None:
        """Return the ease of certain rows."""
        return None if self.values is None else self.values[here]

    def by_others(self, here: Booleans) -> NDArray[np.float64] | None:
        """Return the ease of certain rows from the other systems alone."""
        return None if self.others is None else self.others[here]

    def why_not(self, here: Booleans) -> str | None:
        """Return why the rows of one system have no ease; None when they have."""
        if self.is_fitted is None:
            return self.undefined
        return None if self.is_fitted[here].all() else _ONE_SIDED


def shared_ease(
    system: NDArray[np.integer],
    item: NDArray[np.integer],
    credit: NDArray[np.float64],
    difference: NDArray[np.float64],
) -> SharedEase:
    """Fit the ease of items from all systems that neither won nor lost every pair.

    Parameters
    ----------
    system : NDArray[np.integer]
        Code of the system of each row.
    item : NDArray[np.integer]
        Code of the item.
    credit : NDArray[np.float64]
        Of the system, from 0 to 1.
    difference : NDArray[np.float64]
        Its length less the baseline's, pressed into -1 to 1.

    Returns
    -------
    SharedEase
        By row, or why there is none.
    """
    # Sums of quarters and halves are exact, so that all won and all lost are seen as such.
    n_rows, total = np.bincount(system), np.bincount(system, weights=credit)
    fitted = (n_rows > 0) & (total > 0) & (total < n_rows)
    is_fitted = fitted[system]
    if fitted.sum() < _FEWEST_SYSTEMS:
        return SharedEase.none(_FEW_SYSTEMS)
    met = np.bincount(item[is_fitted])
    if (met[item[is_fitted]] > 1).mean() < 1 / 2:
        return SharedEase.none(_NOT_SHARED)
    rows = (
        credit[is_fitted],
        difference[is_fitted],
        system[is_fitted].tolist(),
        item[is_fitted].tolist(),
    )
    fit = joint_difficulty(*rows)
    if fit.ease is None or fit.undefined is not None:
        reason = "" if fit.undefined is None else fit.undefined.sentence
        return SharedEase.none(f"The joint fit of all systems has no estimate. {reason}".strip())
    by_item = np.zeros(int(item.max()) + 1)
    by_item[np.array(fit.items, dtype=np.int64)] = fit.ease
    others = by_item[item]
    others[is_fitted] = ease_by_others(fit, *rows)
    return SharedEase(by_item[item], others, is_fitted, None)
