"""A run over an endpoint that answers nothing says why, and does not end as if all were well."""

from __future__ import annotations

import json
import socket

from commands import command_here
from fault_server import FaultServer, at, error
from studies import write_http_study


def test_an_endpoint_that_nobody_reaches_is_named_with_a_way_on(tmp_path):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        ended = command_here("run", write_http_study(tmp_path, url))
    assert ended.code == 3
    assert "6 calls failed; the last one, of " in ended.out
    assert f": cannot reach {url}" in ended.out
    assert "no call brought a reply" in ended.out
    assert "--revise" in ended.out


def test_a_call_that_failed_among_others_is_told_of_and_the_run_is_done(tmp_path):
    with FaultServer(at(2, lambda _: [error(503)])) as server:
        ended = command_here("run", write_http_study(tmp_path, server.url), "--json")
        again = command_here("run", tmp_path / "protocol.toml")
    summary = json.loads(ended.out)
    assert (ended.code, summary["calls"], summary["failed"]) == (0, 6, 1)
    assert ": 503" in summary["last_failure"]
    assert (again.code, "calls failed" in again.out) == (0, False)
