"""AlpacaEval's length-controlled win rate, as near as its annotations alone allow.

The program fits length, the difficulty of instructions and the model, and anchors the length
coefficient by two runs of the baseline told to be verbose and concise. Neither the difficulties nor
those two runs are in the annotations: difficulties are fitted from all models at hand, and the two
runs are replaced by a prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS
from counterbalance.items.frames import Order
from counterbalance.measures.length_fits import LengthRows
from counterbalance.measures.prior import Prior
from counterbalance.measures.shared_ease import shared_ease

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["ANCHOR", "SourceLengthFit", "SourceLengthRow", "alpaca_eval_length"]

ANCHOR = Prior(mean=1.61, sd=0.25)
"""What stands for the two runs of the baseline: the coefficient that the program's weights file
gives them, as what a longer answer gains, and the information that they carry. They count as 2 x
805 rows of weight 0.1; a row on a coefficient of this size carries about a tenth of a unit, so that
the precision is 16."""
_RULE = (
    "AlpacaEval's length_controlled_winrate, re-estimated: preferences instead of verdicts, lengths"
    " in characters, difficulties from the models at hand, and a prior of 1.61 ± 0.25 for the"
    " gamed baselines that are not in the annotations. It comes near the board and is not equal to"
    " it."
)
_ONE_BASELINE = "The rows compare models with several baselines."


@dataclass(frozen=True, slots=True)
class SourceLengthRow:
    """One model.

    Attributes
    ----------
    system : str
        The model.
    n_rows : int
        Rows with a preference and both lengths.
    raw : float
        Mean preference for it, from 0 to 1.
    adjusted : float | None
        The same with length held equal.
    length_only : float | None
        By length alone, without difficulty and prior: the trap.
    """

    system: str
    n_rows: int
    raw: float
    adjusted: float | None
    length_only: float | None


@dataclass(frozen=True, slots=True)
class SourceLengthFit:
    """The source's rule on one log.

    Attributes
    ----------
    rule : str
        What it is, and how near.
    prior : Prior
        What stands for the gamed baselines.
    rows : tuple[SourceLengthRow, ...]
        By raw rate, highest first.
    undefined : str | None
        Why there are no adjusted rates; None when there are.
    """

    rule: str
    prior: Prior
    rows: tuple[SourceLengthRow, ...]
    undefined: str | None


def alpaca_eval_length(rows: SourceRows) -> SourceLengthFit:
    """Fit the length-controlled win rate of every model of one judge.

    Parameters
    ----------
    rows : SourceRows
        Rows of one judge.

    Returns
    -------
    SourceLengthFit
        A row for each model but the baseline itself.

    Notes
    -----
    **Unit of analysis**: the instruction, shown in one order.
    **Denominator**: rows with a preference and both lengths.
    **Undefined** as `length_control`.

    References
    ----------
    .. [1] Y. Dubois, B. Galambosi, P. Liang, T. B. Hashimoto, "Length-controlled AlpacaEval: a
       simple way to debias automatic evaluators", COLM 2024. arXiv:2404.04475
    """
    named = [(a[0], b[0]) for a, b in rows.pairs.system_pairs]
    code = rows.pairs.systems[rows.pair]
    is_model = np.array([bool(a and b) and a != b for a, b in named], dtype=np.bool_)
    is_reversed = rows.order == ORDERS.index(Order.REVERSED)
    preference = np.where(is_reversed, rows.margin, -rows.margin) + 0.5
    kept = is_model[code] & ~np.isnan(preference)
    kept &= (rows.length_a != NONE) & (rows.length_b != NONE)
    code, credit, item = (
        code[kept].astype(np.int64),
        preference[kept],
        rows.pairs.item[rows.pair][kept],
    )
    own, baseline = rows.length_b[kept].astype(np.int64), rows.length_a[kept].astype(np.int64)
    models = np.unique(code).tolist()
    if len({named[one][0] for one in models}) > 1:
        return SourceLengthFit(_RULE, ANCHOR, (), _ONE_BASELINE)
    pressed = np.zeros(code.size)
    for one in models:
        found = LengthRows.pressed(own[code == one], baseline[code == one])
        pressed[code == one] = found if found.size else 0.0
    shared = shared_ease(code, item, credit, pressed) if models else None
    made = [
        _row(
            named[one][1],
            credit[code == one],
            pressed[code == one],
            None if shared is None else shared.of(code == one),
        )
        for one in models
    ]
    return SourceLengthFit(
        rule=_RULE,
        prior=ANCHOR,
        rows=tuple(sorted(made, key=lambda row: (-row.raw, row.system))),
        undefined=None if shared is None else shared.undefined,
    )


def _row(
    system: str,
    credit: NDArray[np.float64],
    pressed: NDArray[np.float64],
    ease: NDArray[np.float64] | None,
) -> SourceLengthRow:
    clusters = np.arange(credit.size, dtype=np.int32)
    rows = LengthRows(credit, pressed, ease, None, clusters, level=0.95)
    varies = bool(pressed.any())
    alone = rows.fit(Prior(sd=None), with_ease=False).controlled if varies else None
    adjusted = rows.fit(ANCHOR).controlled if varies and ease is not None else None
    return SourceLengthRow(system, credit.size, float(credit.mean()), adjusted, alone)
