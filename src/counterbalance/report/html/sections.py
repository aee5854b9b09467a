"""What a page is made of: sections that hold tables, figures and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from counterbalance.report.html.figures import Forest, Matrix, Points, Stack
from counterbalance.report.html.plane import Dumbbells, Plane
from counterbalance.report.html.table import Table

__all__ = ["Block", "Fold", "Listed", "Part", "Section", "Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    sentences : tuple[str, ...]
        One paragraph each.
    """

    shape: ClassVar[str] = "words"

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """What is shown when it is asked for, and in print.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    title : str
        What is inside.
    blocks : tuple[Table | Forest, ...]
        Its tables.
    """

    shape: ClassVar[str] = "fold"

    title: str
    blocks: tuple[Table | Forest, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A sentence that lists cases, each leading to where it is shown.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    before : str
        What they are.
    entries : tuple[tuple[str, str], ...]
        Id and address of each; an empty address where it is shown nowhere.
    after : str
        How the sentence ends.
    """

    shape: ClassVar[str] = "listed"

    before: str
    entries: tuple[tuple[str, str], ...]
    after: str


Block = Table | Matrix | Stack | Forest | Points | Plane | Dumbbells | Words | Listed | Fold


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading of a section.

    Attributes
    ----------
    heading : str
        Name of a group; empty for what is of all groups.
    blocks : tuple[Block, ...]
        Its tables and figures.
    """

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the page.

    Attributes
    ----------
    id : str
        Its anchor.
    title : str
        Its heading.
    about : str
        What it answers, in a sentence or two.
    parts : tuple[Part, ...]
        What it holds.
    """

    id: str
    title: str
    about: str
    parts: tuple[Part, ...]
