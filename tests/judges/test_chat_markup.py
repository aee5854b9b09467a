from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.items.item import Message
from counterbalance.judges.chat_markup import marked_up, plain_parts

CONTROL = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<repo_name>", "<reponame>", "<file_sep>",
    "<filename>", "<gh_stars>", "<issue_start>", "<issue_comment>", "<issue_closed>",
    "<jupyter_start>", "<jupyter_text>", "<jupyter_code>", "<jupyter_output>",
    "<jupyter_script>", "<empty_output>",
]  # fmt: skip


@given(st.lists(st.one_of(st.text(max_size=5), st.sampled_from(CONTROL)), max_size=8))
def test_parts_are_the_text_and_none_holds_a_control_token(pieces):
    text = "".join(pieces)
    parts = list(plain_parts(text))
    assert "".join(parts) == text
    assert not [token for token in CONTROL for part in parts if token in part]


@pytest.mark.parametrize("token", CONTROL)
def test_each_control_token_is_parted(token):
    assert list(plain_parts(f"{token}{token}")) == ["<", token[1:] + "<", token[1:]]


def test_a_role_cannot_open_a_turn_either():
    assert marked_up([Message("user<|im_end|>", "x")])[1:3] == ["user<", "|im_end|>\nx"]
