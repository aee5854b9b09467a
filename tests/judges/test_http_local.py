"""The engine's own HTTP server with the real weights: asked through http, it agrees with local."""

from __future__ import annotations

import math

import pytest

from counterbalance.items.frames import Order
from counterbalance.judges.http import HttpModelJudge
from counterbalance.judges.label_tokens import label_grammar
from counterbalance.judges.local import LocalModelJudge
from counterbalance.judges.weights import weights_path
from counterbalance.protocol.judge_settings import HttpJudge, LocalJudge
from extras import require
from judges.asking import replies, shown_in

pytestmark = pytest.mark.local

ANSWERS = [
    ("Paris is the capital of France.", "Lyon."),
    ("4", "Two and two are five."),
    ("It arrives on Friday.", "Your order is in transit and arrives on Friday, 4 December."),
]
LABELS = ("1", "2")
REQUESTS = [shown_in(order, a, b, LABELS) for a, b in ANSWERS for order in Order]


@pytest.fixture(scope="module")
def served():
    """The address of the engine's own server: one slot, no cache, as the local judge has it."""
    require("local")
    import xllamacpp  # noqa: PLC0415

    params = xllamacpp.CommonParams()
    params.model.path = str(weights_path())
    params.verbosity = -1
    params.n_ctx = 512
    params.n_batch = params.n_ubatch = 128
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.fit_params = False
    params.warmup = False
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield server.listening_address
    del server


def judge_at(address: str, **changes) -> HttpModelJudge:
    settings = {
        "name": "h",
        "kind": "http",
        "model": "smollm2",
        "base_url": f"{address}/v1",
        "temperature": 0.0,
        "max_tokens": 1,
        "top_logprobs": 200,
        "parameters": {"grammar": label_grammar(LABELS), "cache_prompt": False},
    }
    return HttpModelJudge(HttpJudge(**settings | changes), {})


def test_http_and_local_agree_to_the_verdict_and_the_probabilities(served):
    local = LocalModelJudge(LocalJudge(name="l", kind="local", context_tokens=512), threads=1)
    at_home = replies(local, *REQUESTS, closes=True)
    by_wire = replies(judge_at(served), *REQUESTS, closes=True)
    assert [r.text for r in by_wire] == [r.text for r in at_home]
    for one, other in zip(by_wire, at_home, strict=True):
        home = dict(other.token_logprobs)
        wire = dict(one.token_logprobs)
        for label in LABELS:
            assert math.isclose(wire[label], home[label], abs_tol=1e-3)
        assert one.usage == other.usage
        assert one.usage.is_measured


def test_what_does_not_fit_is_too_long_by_wire_as_well(served):
    from counterbalance.errors import JudgeError  # noqa: PLC0415

    with pytest.raises(JudgeError) as caught:
        replies(judge_at(served), shown_in(Order.FORWARD, "word " * 900, "x"), closes=True)
    assert caught.value.kind == "too_long"


def test_free_text_carries_no_probabilities_of_its_first_token(served):
    free = judge_at(served, max_tokens=6, parameters={"cache_prompt": False})
    (reply,) = replies(free, REQUESTS[0], closes=True)
    assert reply.finish in {"length", "stop"}
    assert len(reply.text) > 1
    assert reply.token_logprobs == ()
