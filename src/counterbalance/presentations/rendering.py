"""Pairs to prompts: the same for both orders but for what stands in which slot."""

from __future__ import annotations

from dataclasses import dataclass

from counterbalance.items.frames import Order, Slot
from counterbalance.items.item import Item, Message, Pair
from counterbalance.presentations.order import side_in
from counterbalance.presentations.presentation import RenderedPrompt
from counterbalance.presentations.seeding import fence, nonce
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.prompt import fill
from counterbalance.protocol.protocol import Protocol
from counterbalance.protocol.wording import question_words, verdict_words

__all__ = ["Renderer", "shown_texts"]


def shown_texts(pair: Pair, order: Order) -> tuple[str, str]:
    """Return the texts of the first and the second slot of a pair shown in an order."""
    first = pair.candidate(side_in(Slot.FIRST, order)).text
    second = pair.candidate(side_in(Slot.SECOND, order)).text
    return first, second


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
        prompt = self.protocol.prompt
        values = self._values(pair, order, labelling)
        messages = [Message("user", fill(prompt.user, values))]
        if prompt.system:
            messages.insert(0, Message("system", fill(prompt.system, values)))
        return RenderedPrompt(tuple(messages))

    def nonce(self, pair: Pair) -> str:
        """Return the nonce of the pair's verdict tag; empty when the format has none."""
        return nonce(self.secret, pair.id) if self.protocol.verdict.nonce else ""

    def _values(self, pair: Pair, order: Order, labelling: Labelling) -> dict[str, str]:
        item = pair.item
        conversation = _conversation(item)
        first, second = shown_texts(pair, order)
        # Sorted, so that the mark is the same in both orders.
        inside = (conversation, item.context, item.reference_answer, *sorted((first, second)))
        mark = fence(self.secret, pair.id, inside)

        def fenced(text: str) -> str:
            return f"<<{mark}\n{text}\n{mark}>>" if text else ""

        return {
            "question": question_words(self.protocol.question),
            "prompt": fenced(conversation),
            "context": fenced(item.context),
            "reference_answer": fenced(item.reference_answer),
            "requirements": fenced(_requirements(item)),
            "rubric": self.protocol.prompt.rubric,
            "first": fenced(first),
            "second": fenced(second),
            "first_label": labelling.label(Slot.FIRST),
            "second_label": labelling.label(Slot.SECOND),
            "verdict": verdict_words(self.protocol.verdict, labelling, self.nonce(pair)),
        }


def _conversation(item: Item) -> str:
    """Write a conversation as one text: a single prompt as it is, several turns with their roles."""
    if len(item.messages) == 1:
        return item.messages[0].content
    return "\n\n".join(f"{m.role.capitalize()}: {m.content}" for m in item.messages)


def _requirements(item: Item) -> str:
    return "\n".join(f"- {r.text}" for r in item.requirements if r.text)
