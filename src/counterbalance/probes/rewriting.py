"""Probes whose changed text a model writes: what it is asked, of which sources, what must hold.

Texts come in and pairs go out; who writes them, and that every call is recorded, is the run's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Message, conversation_text
from counterbalance.presentations.seeding import rank
from counterbalance.probes.catalogue import PROBES
from counterbalance.probes.lengths import length_tokens
from counterbalance.probes.markdown_text import format_marks, has_code_block
from counterbalance.probes.preserved import lost_names, lost_negations, lost_numbers
from counterbalance.probes.probe import ONE_WORD, Check, probe_pair
from counterbalance.probes.sentences import ends_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.protocol.rewriting_section import Rewriting, RewrittenName

__all__ = [
    "RUBRIC",
    "Rewritten",
    "Wish",
    "prompt_of",
    "rewrite_flaws",
    "rewritten_pair",
    "rubric_flaws",
    "template_digest",
    "wishes_of",
]

RUBRIC = "rubric_paraphrase"
"""The probe of which a model writes the rubric, and not an answer."""
_FEWEST_TOKENS = 4
_WORDS = "Write nothing else but the result, between <rewrite> and </rewrite>."
_SHOWN = "\n\nQuestion:\n{{question}}\n\nAnswer:\n{{text}}\n\n"
_PROMPTS: Mapping[str, str] = {
    "expanded": (
        "Say the answer below at about twice its length. Keep every fact, number, name and"
        " negation; add no fact, example or advice of your own and leave nothing out. Keep its"
        " language, and end with a whole sentence." + _SHOWN + _WORDS
    ),
    "markdown": (
        "Set the answer below in Markdown: lists, headings or bold, as fits. Keep every word as it"
        " stands and in its order; add none and leave none out." + _SHOWN + _WORDS
    ),
    "unsupported": (
        "Copy the answer below and add one sentence that promises or claims something with an"
        " invented number or date, in the same tone. Change nothing else: keep every fact, number,"
        " name and negation, and end with a whole sentence." + _SHOWN + _WORDS
    ),
    RUBRIC: (
        "Say the criterion below in other words. It must ask for exactly the same; keep its"
        " language, every number and every negation.\n\nCriterion:\n{{text}}\n\n" + _WORDS
    ),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """One text that a model is to write.

    Attributes
    ----------
    probe : str
        Name of the probe.
    source : Pair | None
        The pair whose answer is to be rewritten; None where it is the rubric.
    messages : tuple[Message, ...]
        What the model is shown.
    """

    probe: str
    source: Pair | None
    messages: tuple[Message, ...]

    @property
    def subject(self) -> dict[str, str]:
        """What it is about, by names alone."""
        return {"probe": self.probe, "pair": "" if self.source is None else self.source.id}


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a model made of the sources of one probe.

    Attributes
    ----------
    pairs : tuple[Pair, ...]
        One for each text that it wrote.
    reasons : Counter[str]
        Sources without a text, by reason.
    """

    pairs: tuple[Pair, ...] = ()
    reasons: Counter[str] = field(default_factory=Counter)


def prompt_of(rewriting: Rewriting, probe: RewrittenName) -> str:
    """Return the prompt that a probe's texts are asked for with."""
    return rewriting.prompts.get(probe, _PROMPTS[probe])


def template_digest(rewriting: Rewriting, probe: RewrittenName) -> str:
    """Return the tagged hash of that prompt."""
    return tagged_hash("rewrite-prompt/1", prompt_of(rewriting, probe))


def wishes_of(
    rewriting: Rewriting,
    sources: Sequence[Pair],
    rubric: str,
    *,
    seed: int,
    pairs_per_probe: int | None,
) -> tuple[list[Wish], dict[str, Counter[str]]]:
    """Return what a model is to write, and the sources that it is not asked about.

    Parameters
    ----------
    rewriting : Rewriting
        The protocol's table.
    sources : Sequence[Pair]
        Pairs that probes are made from; those that are probes already are passed over.
    rubric : str
        Criteria of the protocol's prompt.
    seed : int
        Seed of the protocol, for what is drawn.
    pairs_per_probe : int | None
        Most items of each probe; None for all.

    Returns
    -------
    tuple[list[Wish], dict[str, Counter[str]]]
        By probe in the order declared, then by source; and reasons by probe.
    """
    wishes: list[Wish] = []
    reasons: dict[str, Counter[str]] = {}
    for name in rewriting.probes:
        why = reasons.setdefault(name, Counter())
        template = prompt_of(rewriting, name)
        if name == RUBRIC:
            wishes.append(Wish(name, None, _filled(template, rubric, "")))
            continue
        fit = []
        for source in sources:
            reason = "" if source.probe else _why_not(name, source.a.text)
            if reason:
                why[reason] += 1
            elif not source.probe:
                fit.append(source)
        for source in _drawn(fit, seed, pairs_per_probe):
            question = conversation_text(source.item.messages)
            messages = _filled(template, source.a.text.strip(), question)
            wishes.append(Wish(name, source, messages))
    return wishes, reasons


def _drawn(sources: list[Pair], seed: int, most: int | None) -> list[Pair]:
    """Return the sources of the items that the battery draws: nobody writes what is not judged."""
    items = {pair.item.id for pair in sources}
    if most is None or len(items) <= most:
        return sources
    kept = set(sorted(items, key=lambda item: rank(seed, "probe", item))[:most])
    return [pair for pair in sources if pair.item.id in kept]


def _filled(template: str, text: str, question: str) -> tuple[Message, ...]:
    # In one pass, so that a question that holds {{text}} is not filled in as well.
    parts = template.split("{{text}}")
    content = text.join(part.replace("{{question}}", question) for part in parts)
    return (Message("user", content),)


def _why_not(probe: str, text: str) -> str:
    """Say why nobody is asked to rewrite an answer; empty where somebody is."""
    if length_tokens(text) < _FEWEST_TOKENS:
        return ONE_WORD
    if has_code_block(text):
        return "the answer holds a block of code, of which no check says what a rewrite kept"
    if probe == "markdown":
        return "the answer has Markdown already" if format_marks(text) else ""
    return "" if ends_whole(text) else "the answer does not end with a whole sentence"


def rewritten_pair(wish: Wish, text: str, model: str, version: str) -> Pair:
    """Return the probe pair of a text that a model wrote.

    Parameters
    ----------
    wish : Wish
        What it was asked; of an answer, not of the rubric.
    text : str
        What it wrote.
    model : str
        Its name.
    version : str
        Digest of the prompt.

    Returns
    -------
    Pair
        Candidate a is the text; its system says who wrote it, and its version with which prompt.

    Raises
    ------
    ValueError
        If the wish is of no answer.
    """
    if wish.source is None:
        msg = "a rubric is no answer"
        raise ValueError(msg)
    return probe_pair(
        wish.probe,
        wish.source,
        text,
        wish.source.a.text.strip(),
        systems=(f"rewritten by {model}", "original"),
        version=f"prompt {version}",
        variant="rewritten",
    )


def rewrite_flaws(pair: Pair) -> tuple[str, ...]:
    """Return what does not hold of a pair whose target side a model wrote.

    Parameters
    ----------
    pair : Pair
        The pair.

    Returns
    -------
    tuple[str, ...]
        The checks of its probe that fail, and of a rewrite: nothing that code can see is lost.
    """
    checks = (*PROBES[pair.probe].checks(pair), *_kept(pair.b.text, pair.a.text))
    return tuple(dict.fromkeys(check.name for check in checks if not check.is_passed))


def rubric_flaws(rubric: str, text: str) -> tuple[str, ...]:
    """Return what does not hold of a rubric that a model wrote.

    Parameters
    ----------
    rubric : str
        The declared one.
    text : str
        What the model wrote.

    Returns
    -------
    tuple[str, ...]
        The checks that fail; none says whether both ask for the same.
    """
    checks = (
        Check("the words differ", rubric.split() != text.split()),
        Check("it ends with a whole sentence", ends_whole(text) or not ends_whole(rubric)),
        *_kept(rubric, text)[1:],
    )
    return tuple(check.name for check in checks if not check.is_passed)


def _kept(before: str, after: str) -> tuple[Check, ...]:
    return (
        Check(
            "the rewrite ends with a whole sentence", ends_whole(after) or not ends_whole(before)
        ),
        Check("every number is kept", not lost_numbers(before, after)),
        Check("every name is kept", not lost_names(before, after)),
        Check("no negation is lost", not lost_negations(before, after)),
    )
