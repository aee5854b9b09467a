"""Pairs to prompts: the same for both orders but for what stands in which slot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot
from counterbalance.items.item import Message, conversation_text
from counterbalance.items.requirements import RequirementRule
from counterbalance.presentations.order import side_in
from counterbalance.presentations.presentation import RenderedPrompt
from counterbalance.presentations.seeding import fence, nonce
from counterbalance.protocol.prompt import fill
from counterbalance.protocol.wording import offered_labels, question_words, verdict_words

if TYPE_CHECKING:
    from counterbalance.items.frames import Order
    from counterbalance.items.item import Item, Pair
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.protocol import Protocol

__all__ = ["Renderer", "shown_texts"]


def shown_texts(pair: Pair, order: Order) -> tuple[str, str]:
    """Return the texts of the first and the second slot of a pair shown in an order."""
    first = side_in(Slot.FIRST, order)
    return pair.candidate(first).text, pair.candidate(first.other).text


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every presentation of a pair has in common; by labelling, all but the slots' texts."""

    pair: Pair
    values: dict[str, str]
    nonce: str
    labelled: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders the prompts of one protocol under one secret.

    Attributes
    ----------
    protocol : Protocol
        Template, rubric, verdict format and question.
    secret : str
        What fences and nonces are derived from.
    """

    protocol: Protocol
    secret: str

    _labellings: dict[str, Labelling] = field(init=False, repr=False, compare=False)
    _offered: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    # The orders of a pair are rendered one after the other, and share all but their slots.
    _latest: list[_Shared] = field(default_factory=list, init=False, repr=False, compare=False)
    _words: dict[str, dict[str, str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    # By source and content: to look for a mark in every text takes long, and is done once.
    _marks: dict[tuple[str, str], str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _others: dict[str, Renderer] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Name the labellings once: they are asked for with every call."""
        first = self.protocol.labellings[0]
        named = {x.name: x for x in (first.exchanged, *self.protocol.labellings)}
        verdict = self.protocol.verdict
        offered = {name: offered_labels(verdict, labelling) for name, labelling in named.items()}
        object.__setattr__(self, "_labellings", named)
        object.__setattr__(self, "_offered", offered)

    def under(self, prompt: str) -> Renderer:
        """Return the renderer of a prompt by its name; the empty one is the protocol's own."""
        if not prompt:
            return self
        if prompt not in self._others:
            self._others[prompt] = Renderer(self.protocol.under(prompt), self.secret)
        return self._others[prompt]

    def labelling(self, name: str) -> Labelling:
        """Return the labelling of a name, as presentations have it."""
        return self._labellings[name]

    def offered(self, name: str) -> tuple[str, ...]:
        """Return every label that may be the verdict under the labelling of a name."""
        return self._offered[name]

    def render(self, pair: Pair, order: Order, labelling: Labelling) -> RenderedPrompt:
        """Return the prompt of one presentation; nothing is ever cut to fit.

        Parameters
        ----------
        pair : Pair
            What is shown.
        order : Order
            Which candidate is shown first.
        labelling : Labelling
            What the slots are called.

        Returns
        -------
        RenderedPrompt
            System message (if any) and user message, without any system name, file name or id.
        """
        return RenderedPrompt(self.messages(pair, labelling, *shown_texts(pair, order)))

    def messages(
        self, pair: Pair, labelling: Labelling, first: str, second: str
    ) -> tuple[Message, ...]:
        """Return the messages of the presentation that shows these texts of a pair.

        Parameters
        ----------
        pair : Pair
            What is shown.
        labelling : Labelling
            What the slots are called.
        first : str
            The text in the first slot, as `shown_texts` gives it.
        second : str
            The text in the second slot.

        Returns
        -------
        tuple[Message, ...]
            System message (if any) and user message.
        """
        prompt = self.protocol.prompt
        values = self._values(pair, labelling)
        values["first"], values["second"] = first, second
        user = Message("user", fill(prompt.user, values))
        system = fill(prompt.system, values)
        return (Message("system", system), user) if system else (user,)

    def nonce(self, pair: Pair) -> str:
        """Return the nonce of the pair's verdict tag; empty when the format has none."""
        if not self.protocol.verdict.nonce:
            return ""
        return self._shared(pair).nonce

    def _values(self, pair: Pair, labelling: Labelling) -> dict[str, str]:
        """Return a value for every placeholder but those of the slots' texts."""
        shared = self._shared(pair)
        name = labelling.name
        values = shared.labelled.get(name)
        if values is None:
            values = {**self._words_of(labelling, shared.nonce), **shared.values}
            if pair.item.rubric:
                # A probe that exchanges the criteria carries its own; nothing else moves.
                values["rubric"] = pair.item.rubric
            shared.labelled[name] = values
        return values

    def _shared(self, pair: Pair) -> _Shared:
        """Return what every presentation of a pair has in common."""
        if not self._latest or self._latest[0].pair is not pair:
            self._latest[:] = [self._newly_shared(pair)]
        return self._latest[0]

    def _newly_shared(self, pair: Pair) -> _Shared:
        texts = self._item_texts(pair.item)
        foreign = (*texts.values(), pair.a.text, pair.b.text)
        # The probes of one item share their fence, so that only the intervention tells them apart.
        source = pair.item.id if pair.probe else pair.id
        place = source, pair.key
        mark = self._marks.get(place)
        if mark is None:
            mark = self._marks[place] = f"#{fence(self.secret, source, foreign)}"
        values = {**texts, "prompt": _conversation(pair.item, mark), "fence": mark}
        has_nonce = self.protocol.verdict.nonce
        return _Shared(pair, values, nonce(self.secret, source, foreign) if has_nonce else "")

    def _words_of(self, labelling: Labelling, nonce: str) -> dict[str, str]:
        """Return what depends on the labelling, and on the pair by nothing but its nonce."""
        if nonce or labelling.name not in self._words:
            self._words[labelling.name] = {
                "question": question_words(self.protocol.question),
                "rubric": self.protocol.prompt.rubric,
                "first_label": labelling.label(Slot.FIRST),
                "second_label": labelling.label(Slot.SECOND),
                "verdict": verdict_words(self.protocol.verdict, labelling, nonce),
            }
        return self._words[labelling.name]

    def _item_texts(self, item: Item) -> dict[str, str]:
        return {
            "prompt": conversation_text(item.messages),
            "context": item.context,
            "reference_answer": item.reference_answer,
            "requirements": _requirements(item, self.protocol.verdict.fields),
            **dict.fromkeys(self.protocol.prompt.hides, ""),
        }


def _conversation(item: Item, mark: str) -> str:
    """Write a single message as it is; fence each of several turns, so that none fakes another."""
    if len(item.messages) == 1:
        return item.messages[0].content
    return "\n".join(f"{mark} {message.role}\n{message.content}" for message in item.messages)


def _requirements(item: Item, fields: tuple[str, ...]) -> str:
    """Write the requirements that have words, or a field that the judge is asked for."""
    lines = []
    for requirement in item.requirements:
        is_asked = requirement.rule is RequirementRule.VERDICT_FIELD and requirement.value in fields
        named = f'"{requirement.value}"' if is_asked else ""
        if words := ": ".join(filter(None, (named, requirement.text))):
            lines.append(f"- {words}")
    return "\n".join(lines)
