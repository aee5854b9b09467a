"""Hypothesis strategies for pair files: texts with every character that UTF-8 can hold."""

from __future__ import annotations

from hypothesis import strategies as st

# Line separators, quotes, separators of cells and controls come up often, on purpose.
_HARD = "\r\n\t\",;|'\x0b\x0c\x1c\x85\u2028\u2029\ufeff\u200b é🙂\x7f"

texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), st.sampled_from(_HARD)
    ),
    max_size=40,
)
visible_texts = texts.filter(lambda text: text and not text.isspace())
names = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=20
)
verdicts = st.sampled_from(["a", "b", "tie", "neither", "insufficient"])


@st.composite
def candidates(draw):
    return {
        "system": draw(names),
        "version": draw(names),
        "text": draw(visible_texts),
    }


@st.composite
def rows(draw):
    """One row with everything that both JSONL and CSV can say; ids are added by the caller."""
    return {
        "prompt": draw(visible_texts),
        "context": draw(visible_texts),
        "reference_answer": draw(visible_texts),
        "category": draw(names),
        "consequence": draw(st.floats(0, 1e9)),
        "a": draw(candidates()),
        "b": draw(candidates()),
        "reference": {
            "accept": draw(st.lists(verdicts, min_size=1, max_size=3)),
            "source": draw(names),
        },
    }


def numbered(drawn):
    """Give rows ids, so that equal draws do not count as one row twice."""
    return [
        {"id": f"p{n}", "item": f"i{n}", "cluster": "c"} | row for n, row in enumerate(drawn, 1)
    ]


row_lists = st.lists(rows(), min_size=1, max_size=5).map(numbered)
