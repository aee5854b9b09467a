"""What the prompt calls the two slots."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from counterbalance.items.frames import Slot
from counterbalance.protocol.section import Section

__all__ = ["LABEL_PATTERN", "LABEL_WORDS", "Label", "Labelling", "spoken"]

_WORD = r"""[^\s!"$&'*,/:;<=>?\[\\\]^`{|}~]+"""
LABEL_PATTERN = f"^{_WORD}( {_WORD})*$"
"""What an editor can check of a label."""

LABEL_WORDS = (
    "a label is 1 to 40 letters, digits, single spaces and . - _ + # % @ ( ), and begins and ends"
    " with a letter, a digit or a round bracket"
)
"""The whole rule in words: a label must be told from the marks that verdicts are written with."""

_INNER = frozenset(".-_+#%@() ")
_INVISIBLE = frozenset("\u115f\u1160")
"""Letters by name that nobody can see."""


def spoken(label: str) -> str:
    """Return what two spellings of a label have in common; labels that share it are one label."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).casefold())


def _readable(label: str) -> str:
    is_plain = unicodedata.normalize("NFKC", label) == label
    inner = all((c.isalnum() or c in _INNER) and c not in _INVISIBLE for c in label)
    edges = (label[0].isalnum() or label[0] == "(") and (label[-1].isalnum() or label[-1] == ")")
    if not (is_plain and inner and edges and any(c.isalnum() for c in label)):
        msg = f"found {label!r}; {LABEL_WORDS}"
        raise ValueError(msg)
    return label


Label = Annotated[
    str,
    StringConstraints(min_length=1, max_length=40, pattern=LABEL_PATTERN),
    AfterValidator(_readable),
]


class Labelling(Section):
    """One assignment of labels to slots; labels belong to slots and never follow a candidate."""

    first: Label = Field(examples=["1", "A"])
    """What the prompt calls the answer shown first."""
    second: Label = Field(examples=["2", "B"])
    """What the prompt calls the answer shown second."""

    @model_validator(mode="after")
    def _differ(self) -> Labelling:
        if spoken(self.first) == spoken(self.second):
            msg = f"both slots are called {self.first!r}; give them different labels"
            raise ValueError(msg)
        return self

    @property
    def name(self) -> str:
        """Both labels in display order, as reports and keys write them."""
        return f"{self.first}/{self.second}"

    @property
    def exchanged(self) -> Labelling:
        """The same labels, each on the other slot."""
        return Labelling(first=self.second, second=self.first)

    def label(self, slot: Slot) -> str:
        """Return what the prompt calls a slot."""
        return self.first if slot is Slot.FIRST else self.second
