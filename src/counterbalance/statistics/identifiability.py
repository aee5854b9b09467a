"""Whether the likelihood of a logit model has one finite top, before anyone climbs it.

For every outcome that occurred and each one that could have instead, the difference of their
features comes in; the reason why no estimate exists goes out, if there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog

from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from counterbalance.statistics.arguments import Floats

__all__ = ["logit_problem"]

# The linear program is exact to about this much.
_SOLVED = 1e-7


def logit_problem(directions: Floats) -> Undefined | None:
    r"""Return why a logit model has no finite estimate, None when it has exactly one.

    Parameters
    ----------
    directions : Floats
        Rows x parameters: features of an outcome that occurred less those of one that could have
        occurred instead.

    Returns
    -------
    Undefined | None
        ``not_identified`` when some change of the parameters changes no probability,
        ``separation`` when some change makes everything that occurred likelier for ever.

    Notes
    -----
    A change :math:`b` of the parameters lowers no observed probability if :math:`D b \ge 0`; if it
    raises one, the likelihood has no top. Whether such a change exists is a linear program:
    maximise :math:`1^T D b` subject to :math:`D b \ge 0` and :math:`-1 \le b \le 1`.

    References
    ----------
    .. [1] A. Albert, J. A. Anderson, "On the existence of maximum likelihood estimates in logistic
       regression models", Biometrika 71 (1984) 1-10. doi:10.1093/biomet/71.1.1
    .. [2] K. Konis, Linear programming algorithms for detecting separated data in binary logistic
       regression models, thesis, University of Oxford 2007.
    """
    distinct = np.unique(directions, axis=0)
    scale = np.abs(distinct).max(axis=0, initial=0.0)
    if not distinct.size or (scale == 0).any():
        return Undefined.NOT_IDENTIFIED if directions.shape[1] else None
    scaled = distinct / scale
    if np.linalg.matrix_rank(scaled) < scaled.shape[1]:
        return Undefined.NOT_IDENTIFIED
    found = linprog(-scaled.sum(axis=0), A_ub=-scaled, b_ub=np.zeros(len(scaled)), bounds=(-1, 1))
    # Without an answer nothing is known to be wrong; the climb then says whether it converged.
    return Undefined.SEPARATION if found.success and -found.fun > _SOLVED else None
