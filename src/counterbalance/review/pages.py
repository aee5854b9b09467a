"""What the pages show, and their templates: nothing that could tell a reviewer who wrote what."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from counterbalance.items.item import conversation_text
from counterbalance.presentations.rendering import shown_texts
from counterbalance.protocol.wording import question_words
from counterbalance.review.choices import CHOICES, EVIDENCE
from counterbalance.review.session import LONGEST_COMMENT, Said
from counterbalance.review.tasks import rubric_of
from counterbalance.review.word_diff import MOST_WORDS, word_diff

if TYPE_CHECKING:
    from counterbalance.items.item import Pair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.review.desk import Desk, Showing

__all__ = ["Preferences", "entry_page", "message_page", "static_text", "task_page"]

_SAID = {
    Said.SAVED: "Your answer is saved.",
    Said.UNDONE: "Your last answer is withdrawn; here is its case again.",
    Said.FLAGGED: "Saved: a text on this page gives away who wrote it.",
    Said.UNFLAGGED: "Saved: the flag on this case is taken back.",
    Said.NOTED: "Saved: what your last answer relied on.",
    Said.STALE: (
        "Nothing was changed: that page was an old one, or another tab was quicker. What was saved"
        " first stands; here is what comes next."
    ),
    Said.NOTHING: "There was nothing to save.",
    Said.NO_CHOICE: "Nothing was saved: please give one of the five answers.",
}


class Preferences(NamedTuple):
    """What a reviewer can switch.

    Attributes
    ----------
    keys : bool
        Whether single keys answer.
    diff : bool
        Whether the words that the responses do not share are marked.
    """

    keys: bool = True
    diff: bool = False


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("counterbalance.review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(maxsize=4)
def static_text(name: str) -> str:
    """Return a style sheet or script of the page."""
    return (files("counterbalance.review") / "static" / name).read_text("utf-8")


def said_words(name: str) -> str:
    """Return what to tell a reviewer of what was sent last; empty for anything unknown."""
    return _SAID[Said(name)] if name in set(Said) else ""


def task_page(
    desk: Desk,
    showing: Showing | None,
    pair: Pair | None,
    protocol: Protocol,
    preferences: Preferences,
    said: str,
) -> str:
    """Return the page of what a reviewer is to answer next, or of the end.

    Parameters
    ----------
    desk : Desk
        The reviewer's place in the queue.
    showing : Showing | None
        What is shown; None when all is answered.
    pair : Pair | None
        Its pair.
    protocol : Protocol
        Says question and rubric.
    preferences : Preferences
        What the reviewer has switched.
    said : str
        What became of what was sent last.

    Returns
    -------
    str
        HTML.
    """
    last = desk.last()
    shared: dict[str, Any] = {
        "said": said_words(said),
        "preferences": preferences,
        "n_answered": desk.n_answered,
        "n_tasks": desk.n_tasks,
        "last_ticket": "" if last is None else desk.ticket(last),
        "evidence": EVIDENCE,
        "longest_comment": LONGEST_COMMENT,
        "question": question_words(protocol.question),
        "rubric": protocol.prompt.rubric,
        "choices": CHOICES,
    }
    if showing is None or pair is None:
        return _environment().get_template("done.html").render(shared)
    item = pair.item
    first, second = shown_texts(pair, showing.task.order)
    marked = word_diff(first, second) if preferences.diff else None
    material = (
        ("Prompt", conversation_text(item.messages)),
        ("Source", item.context),
        ("Known good answer", item.reference_answer),
        ("Required", "\n".join(r.text for r in item.requirements if r.text)),
    )
    return (
        _environment()
        .get_template("task.html")
        .render(
            {**shared, "rubric": rubric_of(pair, protocol)},
            ticket=desk.ticket(showing),
            is_flagged=desk.is_flagged(showing),
            material=[(heading, text) for heading, text in material if text],
            responses=(("1", first), ("2", second)),
            marked=marked,
            is_too_long=preferences.diff and marked is None,
            most_words=MOST_WORDS,
        )
    )


def entry_page(link: str, protocol: Protocol) -> str:
    """Return the page that a reviewer's link opens."""
    return (
        _environment()
        .get_template("entry.html")
        .render(
            link=link,
            question=question_words(protocol.question),
            rubric=protocol.prompt.rubric,
            choices=CHOICES,
        )
    )


def message_page(title: str, text: str) -> str:
    """Return a page that says one thing."""
    return _environment().get_template("message.html").render(title=title, text=text)
