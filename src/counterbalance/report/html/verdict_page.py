"""Pages that say what was found, show it, and name its limits: bias, gate, compare, drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance import __version__
from counterbalance.report.html.environment import environment, style, style_hash
from counterbalance.report.measure_text import METHOD_WORDS

if TYPE_CHECKING:
    from collections.abc import Container

    from counterbalance.report.html.sections import Section

__all__ = ["Fact", "SaidVerdict", "VerdictPage", "method_words", "render_verdict_page"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what identifies the evidence.

    Attributes
    ----------
    name : str
        What it is.
    code : str
        A hash or a name that is copied; empty for none.
    text : str
        Words; empty for none.
    """

    name: str
    code: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class SaidVerdict:
    """What was found of one thing, in sentences.

    Attributes
    ----------
    heading : str
        What it is about; empty for the whole.
    sentences : tuple[str, ...]
        One paragraph each.
    look : str
        Its look: ``stable``, ``flip``, ``moved`` or ``none``; empty for none.
    """

    heading: str
    sentences: tuple[str, ...]
    look: str = ""


@dataclass(frozen=True, slots=True)
class VerdictPage:
    """A page, before it is written.

    Attributes
    ----------
    kind : str
        What stands in the title of the window beside the title.
    banner : str
        What stands above the title.
    title : str
        Title of the study, or what is compared.
    facts : tuple[Fact, ...]
        What identifies the evidence.
    verdicts : tuple[SaidVerdict, ...]
        What was found.
    sections : tuple[Section, ...]
        Figures and tables.
    warnings : tuple[str, ...]
        What limits the evidence.
    not_said : tuple[str, ...]
        What must not be read into it.
    methods : tuple[tuple[str, str], ...]
        Names of methods and what they are.
    more : str
        What is missing from the verdicts; empty for nothing.
    """

    kind: str
    banner: str
    title: str
    facts: tuple[Fact, ...]
    verdicts: tuple[SaidVerdict, ...]
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]
    not_said: tuple[str, ...]
    methods: tuple[tuple[str, str], ...] = ()
    more: str = ""


def render_verdict_page(template: str, page: VerdictPage) -> str:
    """Return a page as HTML that loads nothing, runs nothing and sends nothing.

    Parameters
    ----------
    template : str
        Name of a template that extends ``verdict_page.html`` with its lead.
    page : VerdictPage
        What it holds.

    Returns
    -------
    str
        The same text for the same page.
    """
    return (
        environment()
        .get_template(template)
        .render(
            page=page,
            style=style(),
            style_hash=style_hash(),
            made_by=f"Made by counterbalance {__version__}.",
        )
    )


def method_words(used: Container[str]) -> tuple[tuple[str, str], ...]:
    """Return the methods that were used and what they are."""
    return tuple((name, words) for name, words in METHOD_WORDS.items() if name in used)
