from __future__ import annotations

import pytest

from counterbalance.judges.streamed import Streamed


def streamed(*, longest_prompt=100, is_ended=False):
    return Streamed(longest_prompt, lambda: is_ended)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 400, "type": "exceed_context_size_error", "n_ctx": 5}, "too_long"),
        ({"code": 400, "type": "invalid_request_error", "message": "no\nsuch"}, "bad_request"),
        ({"code": 503, "type": "unavailable_error", "message": "loading"}, "server"),
        ({"message": "no code"}, "server"),
    ],
)  # fmt: skip
def test_errors_of_the_engine_get_a_kind_and_one_line(error, kind):
    heard = streamed()
    assert heard.take({"error": error})
    assert heard.problem.kind == kind
    assert "\n" not in str(heard.problem)


def test_prompt_that_leaves_no_room_is_ended_before_it_is_processed():
    heard = streamed(longest_prompt=10)
    assert heard.take({"choices": [], "prompt_progress": {"total": 11, "processed": 0}})
    assert heard.problem.kind == "too_long"


def test_nobody_waiting_ends_the_call():
    heard = streamed(is_ended=True)
    assert heard.take({"choices": [{"text": "A"}]})
    assert heard.problem.kind == "cancelled"
    assert heard.text == ""


def test_an_engine_that_falls_silent_is_a_server_error():
    heard = streamed()
    assert not heard.take({"choices": [{"text": "A", "finish_reason": None}]})
    assert heard.problem.kind == "server"


def test_chunks_are_gathered():
    heard = streamed()
    for text in ("Yes", ", A"):
        content = [{"token": text, "top_logprobs": [{"token": text, "logprob": -1.0}]}]
        assert not heard.take({"choices": [{"text": text, "logprobs": {"content": content}}]})
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    assert not heard.take({"choices": [{"text": "", "finish_reason": "stop"}], "usage": usage})
    assert (heard.text, heard.finish, heard.problem) == ("Yes, A", "stop", None)
    assert (heard.prompt_tokens, heard.completion_tokens) == (7, 2)
    assert heard.alternatives == [{"token": "Yes", "logprob": -1.0}]
