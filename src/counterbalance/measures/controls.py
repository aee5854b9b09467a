"""What is kept apart from quality on request: length against a baseline, and style all with all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.items.text_length import length_in
from counterbalance.items.text_style import style_of
from counterbalance.measures.prior import Prior

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.items.text_length import LengthUnit
    from counterbalance.measures.length_control import LengthControl
    from counterbalance.measures.style_control import StyleControl

__all__ = ["Controls"]


@dataclass(frozen=True, slots=True)
class Controls:
    """What a report is asked to keep apart.

    Attributes
    ----------
    length : LengthUnit | None
        Unit in which length is held equal; None to leave it.
    style : bool
        Whether style is held equal as well, between systems compared all with all.
    prior : Prior
        What is expected of coefficients beforehand.
    """

    length: LengthUnit | None = None
    style: bool = False
    prior: Prior = field(default_factory=Prior)

    @property
    def is_asked(self) -> bool:
        """Whether anything is."""
        return self.length is not None or self.style

    @property
    def unit(self) -> LengthUnit:
        """What lengths are counted in; style alone takes characters."""
        return self.length or "characters"

    @property
    def n_numbers(self) -> int:
        """How many numbers are counted on a text."""
        return 4 if self.style else 1

    def count(self) -> Callable[[str], tuple[int, ...]]:
        """Return what counts a text: its length, and with style headers, lists and bold."""
        length = length_in(self.unit)
        if not self.style:
            return lambda text: (length(text),)

        def all_of(text: str) -> tuple[int, ...]:
            style = style_of(text)
            return length(text), style.headers, style.lists, style.bold

        return all_of

    def of(
        self,
        pairs: PairColumns,
        counts: NDArray[np.int64],
        *,
        baseline: str | None,
        level: float,
    ) -> tuple[LengthControl | None, StyleControl | None]:
        """Keep apart what is asked for.

        Parameters
        ----------
        pairs : PairColumns
            The group.
        counts : NDArray[np.int64]
            By side, pair of the group and number, as `count` returns them; -1 where unknown.
        baseline : str | None
            System that the others are held against.
        level : float
            Nominal coverage.

        Returns
        -------
        tuple[LengthControl | None, StyleControl | None]
            None for what is not asked for.
        """
        # The models load an optimiser, which nobody needs who asks for neither.
        from counterbalance.measures.length_control import length_control  # noqa: PLC0415
        from counterbalance.measures.style_control import style_control  # noqa: PLC0415

        words = {"unit": self.unit, "prior": self.prior, "level": level}
        length = style = None
        if self.length is not None:
            length = length_control(pairs, counts[:, :, 0], baseline=baseline, **words)  # type: ignore[arg-type]
        if self.style:
            style = style_control(pairs, counts, **words)  # type: ignore[arg-type]
        return length, style
