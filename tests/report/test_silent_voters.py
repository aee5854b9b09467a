"""A voter that never gives a verdict is named: a majority goes on without it, quietly otherwise."""

from __future__ import annotations

import pytest

from commands import command_here
from counterbalance import read_report
from fault_server import FaultServer, completion, error, response, verdict
from studies import run, write_http_study

REFUSED = "Unsupported value: 'temperature' does not support 1 with this model."
SAID = f"gave no verdict at all (4 presentations: failed:bad_request 4; 400 {REFUSED}"


def judged(folder, answers, strategies, more=""):
    with FaultServer(answers) as server:
        path = write_http_study(folder, server.url, 4, more=more.format(url=server.url))
        head = f"strategies = {strategies}\n\n[question]"
        path.write_text(path.read_text("utf-8").replace("[question]", head, 1), "utf-8")
        run(path)
    return path.with_suffix(".record.sqlite")


def said_of(record):
    return [w for w in read_report(record).warnings if "no verdict at all" in w]


def refusing_warmth(_, seen):
    if (seen.body.get("temperature") or 0) >= 1:
        return [error(400, REFUSED)]
    return [response(body=completion(verdict(seen)))]


@pytest.fixture(scope="module")
def cold(tmp_path_factory):
    return judged(tmp_path_factory.mktemp("cold"), refusing_warmth, '["B0", "S2"]')


def test_a_temperature_that_the_model_rejects_is_named_with_what_it_said(cold):
    (said,) = said_of(cold)
    assert said.startswith("Strategy S2 of script: voter 'script, temperature 1 [A/B]'")
    assert SAID in said
    assert said in " ".join(command_here("compare", "--strategies", cold).out.split())
    rows = {s.strategy: s for s in read_report(cold).strategies}
    assert rows["S2"].without_verdict == 4
    assert rows["B0"].without_verdict == 0
    table = command_here("report", cold).out.partition("Dispositions under the strategies")[2]
    head, b0, s2 = table.splitlines()[1:4]
    assert "calls without a verdict" in head
    assert (b0.split()[-1], s2.split()[-1]) == (".", "4")


def test_a_member_of_a_panel_that_is_out_of_service_is_named(tmp_path):
    def answers(_, seen):
        if seen.body["model"] == "broken":
            return [error(400, "no such model")]
        return [response(body=completion(verdict(seen)))]

    member = '\n[[judges]]\nname = "second"\nkind = "http"\nmodel = "broken"\nbase_url = "{url}"\n'
    (said,) = said_of(judged(tmp_path, answers, '["S3"]', member))
    assert said.startswith("Strategy S3 of script + second: voter 'second [A/B]'")


def test_nothing_is_said_where_everybody_or_nobody_votes(tmp_path):
    def fine(_, seen):
        return [response(body=completion(verdict(seen)))]

    assert said_of(judged(tmp_path / "fine", fine, '["B0", "S2"]')) == []
    assert said_of(judged(tmp_path / "none", lambda *_: [error(400)], '["B0", "S2"]')) == []
