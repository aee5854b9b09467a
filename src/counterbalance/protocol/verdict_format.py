"""How a reply states its verdict: declared before the first call, read by `parsing`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import re2
from pydantic import Field, StringConstraints, field_validator, model_validator

from counterbalance.protocol.labelling import Label
from counterbalance.protocol.section import ADDED_LATER, LISTED_ONCE, UNIQUE, Section

__all__ = [
    "FORMAT_IDS",
    "IDENTIFIER_PATTERN",
    "ONE_LABEL",
    "REASONING_TAGS",
    "FormatId",
    "VerdictFormat",
    "compiled_pattern",
]

FormatId = Literal[
    "bracket", "bracket5", "json", "tag", "choice", "number", "result", "boxed", "logprob", "regex"
]
FORMAT_IDS: tuple[FormatId, ...] = (
    "bracket", "bracket5", "json", "tag", "choice", "number", "result", "boxed", "logprob", "regex",
)  # fmt: skip
"""Every format that can be declared."""

ONE_LABEL: frozenset[FormatId] = frozenset({"choice", "number", "logprob"})
"""Formats whose reply is one label and nothing else."""

IDENTIFIER_PATTERN = r"^[A-Za-z_][A-Za-z0-9_-]*$"
"""Names of keys and elements."""

Identifier = Annotated[str, StringConstraints(pattern=IDENTIFIER_PATTERN)]
Probability = Annotated[float, Field(ge=0, le=1)]


REASONING_TAGS = ("think", "thinking", "thought", "reasoning", "reflection", "scratchpad")
"""Elements that a reader cuts as reasoning before it looks for a verdict."""


class VerdictFormat(Section):
    """The one format that replies are read with; nothing is guessed from prose."""

    format: FormatId
    """bracket [[A]]; bracket5 [[A>>B]]; json a key; tag <verdict>A</verdict>; choice one label and
    nothing else; number a bare number; result [RESULT] A; boxed LaTeX; logprob label probabilities;
    regex your own pattern."""
    version: Literal[1] = 1
    """Version of the reading rules; recorded with every attempt."""
    tie: Label | None = None
    """Label that declares a tie; leave out when no tie is offered."""
    neither: Label | None = None
    """Label that declares both answers unacceptable; leave out when not offered."""
    insufficient: Label | None = None
    """Label that declares the evidence insufficient; leave out when not offered."""
    position: Literal["last", "only"] = "last"
    """last: the last complete verdict of the final region counts. only: two different verdicts
    there are conflicting."""
    lenient: bool = False
    """Accept the near forms that the format's documentation lists, such as [B] for bracket."""
    key: Identifier = "winner"
    """json: the key that holds the label."""
    fields: Annotated[tuple[Identifier, ...], LISTED_ONCE, UNIQUE] = ()
    """json: further keys, each naming the labels of the answers that break a requirement (a label,
    a list of labels, "both" or "none")."""
    scores: Identifier | None = ADDED_LATER
    """json: a further key with a score of each answer, by label; beside the verdict, which never
    follows from it."""
    quote: Identifier | None = ADDED_LATER
    """json: a further key with words quoted from the source; checked against it, and reported
    beside the verdict, never instead of it."""
    tag: Identifier = "verdict"
    """tag: the element's name."""
    nonce: bool = False
    """tag: require an attribute with a secret of the pair, so that a quoted tag is no verdict."""
    pattern: str | None = None
    """regex: RE2 pattern with one group named `label`."""
    form: str = "{{label}}"
    """regex: how the prompt asks for the verdict to be written; {{label}} stands for the label."""
    readable_when_cut: bool = False
    """json: read a verdict that is complete although the reply was cut at the length limit (for
    schemas that put the verdict first)."""
    mass_floor: Probability = 0.0
    """logprob: least total probability of all offered labels; below it the reply is unparsed."""
    tie_margin: Probability = 0.0
    """logprob: largest difference of the two labels' shares that counts as equal."""
    refusal_patterns: tuple[str, ...] = ()
    """RE2 patterns that mark a refusal where no verdict was given; the built-in ones are kept. Case
    is ignored."""
    fallback: Annotated[tuple[FormatId, ...], LISTED_ONCE, UNIQUE] = ()
    """Formats tried in this order when the declared one finds no verdict; the use of one is
    recorded."""

    @field_validator("pattern")
    @classmethod
    def _has_label_group(cls, pattern: str | None) -> str | None:
        if pattern is not None and "label" not in compiled_pattern(pattern).groupindex:
            msg = "pattern needs a group named label, such as (?P<label>[AB])"
            raise ValueError(msg)
        return pattern

    @field_validator("refusal_patterns")
    @classmethod
    def _compile(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            compiled_pattern(pattern)
        return patterns

    @model_validator(mode="after")
    def _fits_together(self) -> VerdictFormat:
        given = [x for x in (self.tie, self.neither, self.insufficient) if x is not None]
        if len({x.casefold() for x in given}) < len(given):
            msg = "tie, neither and insufficient need labels of their own"
            raise ValueError(msg)
        if (self.format == "regex") != (self.pattern is not None):
            msg = "pattern belongs to format 'regex', which needs it"
            raise ValueError(msg)
        if self.fields and self.format != "json":
            msg = "fields are read from format 'json' only"
            raise ValueError(msg)
        if self.key in self.fields:
            msg = f"fields are further keys; {self.key!r} is the key of the verdict itself"
            raise ValueError(msg)
        further = [x for x in (self.scores, self.quote) if x is not None]
        if further and self.format != "json":
            msg = "scores and quote are read from format 'json' only"
            raise ValueError(msg)
        if len({self.key, *self.fields, *further}) < 1 + len(self.fields) + len(further):
            msg = "key, fields, scores and quote are different keys; give each its own name"
            raise ValueError(msg)
        if self.format in self.fallback or "regex" in self.fallback:
            msg = "fallback lists other formats than the declared one, and not 'regex'"
            raise ValueError(msg)
        return self

    @property
    def id(self) -> str:
        """Format and version, as recorded with every attempt."""
        return f"{self.format}/{self.version}"


@lru_cache(maxsize=64)
def compiled_pattern(pattern: str, *, case_sensitive: bool = True) -> Any:  # noqa: ANN401
    """Compile a user's pattern with RE2, which matches in linear time whatever a reply holds.

    Parameters
    ----------
    pattern : str
        The pattern.
    case_sensitive : bool
        Whether case counts.

    Returns
    -------
    Any
        The compiled pattern; RE2 has no types.

    Raises
    ------
    ValueError
        If it is not a pattern of RE2.
    """
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args else "not known"
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        msg = f"{pattern!r} is no RE2 pattern ({reason}); RE2 has no look-around, no backreference"
        raise ValueError(msg) from None
