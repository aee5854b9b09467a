"""The lab as one static page: its style and script inside, nothing loaded, nothing sent."""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from counterbalance.lab.assignment import LARGEST_N, balanced_counts, independent_counts
from counterbalance.lab.summary import LIMITS

__all__ = ["render_lab"]

_TEMPLATES = PackageLoader("counterbalance.lab")


def render_lab(n: int = 20, p: float = 0.5) -> str:
    """Return the page.

    Parameters
    ----------
    n : int
        Presentations that the page starts with; a reader can set any other number.
    p : float
        Probability of the first slot that it starts with.

    Returns
    -------
    str
        HTML. Without scripts it shows the exact distribution for `n` and `p` as a table.
    """
    environment = Environment(
        loader=_TEMPLATES, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    style = _TEMPLATES.get_source(environment, "lab.css")[0]
    script = _TEMPLATES.get_source(environment, "lab.js")[0]
    return environment.get_template("lab.html").render(
        style=Markup(style),  # noqa: S704 (our own file)
        style_hash=_digest(style),
        script=Markup(script),  # noqa: S704 (our own file)
        script_hash=_digest(script),
        counts=independent_counts(n, p),
        balanced=balanced_counts(n),
        largest=LARGEST_N,
        limits=LIMITS,
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
