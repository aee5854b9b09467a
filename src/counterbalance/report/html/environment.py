"""Where pages come from: the templates, escaped by default, and the one style sheet."""

from __future__ import annotations

import base64
import functools
import hashlib

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from counterbalance.report.html.foreign import finalized, passage

__all__ = ["environment", "policy_digest", "style", "style_hash"]

_TEMPLATES = PackageLoader("counterbalance.report")


@functools.cache
def environment() -> Environment:
    """Return the templates; what they print is escaped, and hidden characters in it are shown."""
    templates = Environment(
        loader=_TEMPLATES,
        autoescape=True,
        finalize=finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["passage"] = passage
    return templates


@functools.cache
def style() -> Markup:
    """Return the style sheet of every page."""
    return Markup(_TEMPLATES.get_source(environment(), "style.css")[0])  # noqa: S704 (our own file)


@functools.cache
def style_hash() -> str:
    """Return the digest by which a page's policy allows that style sheet."""
    return policy_digest(style())


def policy_digest(text: str) -> str:
    """Return the digest by which the policy of a page allows a style sheet inside it."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
