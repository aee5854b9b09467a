"""The row of a prompt, whose bytes decide its digest."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from counterbalance.items.item import Message
from counterbalance.presentations.presentation import RenderedPrompt
from counterbalance.record.encoding import prompt_from_bytes, prompt_row

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)
EVERY_ASCII = "".join(map(chr, range(128)))


@example([EVERY_ASCII, "\u2028\u2029\x7f\x85\u00ad\ufeff/</script>😀"])
@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_a_prompt_is_stored_in_its_canonical_form_whatever_it_says(texts):
    prompt = tuple(Message("user", text) for text in texts)
    digest, _, content = prompt_row(prompt)
    assert digest == RenderedPrompt(prompt).digest
    assert prompt_from_bytes(content) == prompt


def test_half_of_a_surrogate_pair_comes_back():
    prompt = (Message("user", "broken \ud800 text"),)
    assert prompt_from_bytes(prompt_row(prompt)[2]) == prompt
