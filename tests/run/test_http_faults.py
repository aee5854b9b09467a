"""Whole runs against a server that fails: every pair ends right, planned equals recorded."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from counterbalance.parsing.outcome import FailureKind
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.study import load_study
from fault_server import (
    CLOSE,
    HANG,
    RESET,
    FaultServer,
    at,
    completion,
    error,
    response,
    scripted,
    verdict,
)
from studies import attempts_of, run, write_http_study

KEY = "sk-the-key-of-these-tests"
N_PAIRS = 3
N_CALLS = 2 * N_PAIRS

OTHER = completion("[[A]]")
OTHER["choices"] = [*OTHER["choices"], *completion("[[B]]")["choices"]]
FAULTS = {
    "429": ([error(429)], "failed:rate_limited"),
    "429 with Retry-After": ([error(429, headers={"Retry-After": "0"})], "failed:rate_limited"),
    "500": ([response(500, "<h1>oops</h1>", content_type="text/html")], "failed:server"),
    "503": ([error(503)], "failed:server"),
    "hang": ([HANG], "failed:timeout"),
    "slow drip": ([b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n", *[b"x", 0.1] * 30],
                  "failed:timeout"),
    "reset": ([RESET], "failed:network"),
    "truncated": ([response(200, completion("[[A]]"), length=9999), CLOSE], "failed:network"),
    "wrong json": ([response(200, '{"choices": [')], "failed:server"),
    "wrong content type": ([response(200, "<p>hello", content_type="text/html")], "failed:server"),
    "two choices": ([response(200, OTHER)], "failed:server"),
    "bad request": ([error(400, "no")], "failed:bad_request"),
    "too long": ([error(400, "x", "context_length_exceeded")], "too_long"),
    "content filter": ([response(200, completion(None, finish="content_filter"))], "refused"),
    "filter error": ([error(400, "x", "content_filter")], "refused"),
    "refusal field": ([response(200, completion(None, message={"refusal": "no"}))], "refused"),
    "thought up": ([response(200, completion(None, finish="length"))], "truncated"),
    "empty": ([response(200, completion("  "))], "empty"),
    "unparsed": ([response(200, completion("maybe"))], "unparsed"),
    "large": ([response(200, completion("x" * (17 * 2**20)))], "failed:server"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def report_of(protocol):
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        return build_report(read_evidence(store))


def outcome_name(attempt):
    failure = attempt.outcome.failure
    return attempt.outcome.kind.value + (f":{failure.value}" if failure else "")


def judged(protocol):
    attempts = attempts_of(load_study(protocol).default_record)
    return Counter("verdict" if a.outcome.is_verdict else outcome_name(a) for a in attempts)


ONE_AT_A_TIME = "concurrency = 1\ntimeout_seconds = 1.0"


@pytest.mark.parametrize("position", range(N_CALLS))
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_at_every_position(tmp_path, name, position):
    steps, outcome = FAULTS[name]
    with FaultServer(at(position, lambda _: steps)) as server:
        protocol = write_http_study(tmp_path, server.url, judge=ONE_AT_A_TIME)
        summary = run(protocol)
    assert (summary.planned, summary.calls, summary.outstanding) == (N_CALLS, N_CALLS, 0)
    assert summary.stopped == ""
    assert judged(protocol) == {"verdict": N_CALLS - 1, outcome: 1}
    report = report_of(protocol)
    assert report.reconciliation.adds_up
    (group,) = report.groups
    assert sum(group.dispositions.values()) == N_PAIRS
    if outcome == "refused":
        assert group.dispositions["refused"] == 1
    else:
        assert group.dispositions["incomplete"] == 1
        assert group.incomplete_reasons == {outcome: 1}
    record = load_study(protocol).default_record
    assert KEY.encode() not in record.read_bytes()


RETRIED = '[retry]\noutcomes = ["failed", "truncated", "empty"]\nmax_attempts = 2\n'


@pytest.mark.parametrize("name", ["429", "503", "hang", "reset", "truncated", "thought up"])
def test_a_fault_that_passes_is_retried_under_the_rule_and_both_attempts_are_kept(tmp_path, name):
    steps, outcome = FAULTS[name]
    with FaultServer(at(2, lambda _: steps)) as server:
        protocol = write_http_study(tmp_path, server.url, judge=ONE_AT_A_TIME, more=RETRIED)
        summary = run(protocol)
    assert (summary.calls, summary.outstanding) == (N_CALLS + 1, 0)
    assert judged(protocol) == {"verdict": N_CALLS, outcome: 1}
    (group,) = report_of(protocol).groups
    assert group.dispositions["incomplete"] == 0


def test_retry_after_holds_every_worker(tmp_path):
    times = []

    def plan(number, seen):
        times.append(time.monotonic())
        return [error(429, headers={"Retry-After": "1"})] if number < 3 else scripted(number, seen)

    with FaultServer(plan) as server:
        protocol = write_http_study(tmp_path, server.url, 6, judge="concurrency = 3", more=RETRIED)
        summary = run(protocol)
    assert (summary.calls, summary.outstanding) == (15, 0)
    assert min(times[3:]) - max(times[:3]) >= 0.9


def test_a_wait_that_is_too_long_ends_the_run(tmp_path):
    with FaultServer(at(1, lambda _: [error(429, headers={"Retry-After": "3600"})])) as server:
        protocol = write_http_study(tmp_path, server.url, judge=ONE_AT_A_TIME, more=RETRIED)
        summary = run(protocol)
        assert "asks to wait 3600 s" in summary.stopped
        assert (summary.calls, summary.outstanding) == (2, 5)
        # Its time has come: the same command goes on within the retry rule.
        assert run(protocol).outstanding == 0
    found = judged(protocol)
    # The next call may have been started ahead, and was not sent after that.
    assert found.pop("failed:lost", 0) <= 1
    assert found == {"verdict": N_CALLS, "failed:rate_limited": 1}


@pytest.mark.parametrize("status", [401, 402])
@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_key_or_credit_that_ends_stops_the_run_and_nothing_is_lost(tmp_path, status, concurrency):
    is_paid = []

    def plan(number, seen):
        if number < 2 or is_paid:
            return scripted(number, seen)
        return [0.05, error(status, f"bad {KEY}")]

    with FaultServer(plan) as server:
        judge = f"concurrency = {concurrency}"
        protocol = write_http_study(tmp_path, server.url, 6, judge=judge)
        summary = run(protocol)
        assert f"judge script: {status} bad [key]" in summary.stopped
        assert summary.calls <= 2 + concurrency
        assert summary.outstanding == 10
        is_paid.append(True)
        again = run(protocol)
    assert (again.calls, again.outstanding, again.stopped) == (10, 0, "")
    (group,) = report_of(protocol).groups
    assert group.dispositions["incomplete"] == 0


def test_a_call_started_ahead_of_a_refusal_is_never_sent_and_asked_by_the_next_run(tmp_path):
    is_paid = []

    def plan(number, seen):
        return scripted(number, seen) if is_paid else [0.3, error(401, "no")]

    with FaultServer(plan) as server:
        protocol = write_http_study(tmp_path, server.url, 8, judge="concurrency = 4")
        summary = run(protocol)
        assert "401" in summary.stopped
        assert summary.calls == len(server.chats) <= 4
        record = load_study(protocol).default_record
        found = Counter((a.outcome.failure, a.problem) for a in attempts_of(record))
        unsent = (FailureKind.LOST, "the run ended before this call was sent")
        assert 1 <= found[unsent] <= 4
        assert found.total() == summary.calls + found[unsent]
        with open_record(record, create=False, exclusive=False) as store:
            assert not list(store.unfinished())
        is_paid.append(True)
        again = run(protocol)
    assert (again.calls, again.lost, again.outstanding) == (16, 0, 0)
    assert judged(protocol)["verdict"] == 16


def test_failures_of_one_kind_in_a_row_stop_the_run(tmp_path):
    with FaultServer(lambda *_: [error(503, "down for today")]) as server:
        judge = "concurrency = 1\nmax_consecutive_failures = 3"
        protocol = write_http_study(tmp_path, server.url, judge=judge)
        summary = run(protocol)
    assert summary.calls == 3
    assert "3 calls in a row failed (server)" in summary.stopped
    assert "down for today" in summary.stopped


def test_failures_with_replies_between_them_stop_nothing(tmp_path):
    def plan(number, seen):
        return [error(503)] if number % 2 else scripted(number, seen)

    with FaultServer(plan) as server:
        judge = "concurrency = 1\nmax_consecutive_failures = 2"
        summary = run(write_http_study(tmp_path, server.url, judge=judge))
    assert (summary.stopped, summary.calls) == ("", N_CALLS)


def test_an_unknown_model_stops_at_once_and_says_what_there_is(tmp_path):
    with FaultServer(lambda *_: [error(404, "no model m")]) as server:
        summary = run(write_http_study(tmp_path, server.url, judge=ONE_AT_A_TIME))
    assert summary.calls == 1
    assert "it offers judge-2026-11-30, other" in summary.stopped


def test_another_model_in_the_second_order_is_confounded(tmp_path):
    def plan(number, seen):
        model = "judge-2027-01-01" if number % 2 else "judge-2026-11-30"
        return [response(body=completion(verdict(seen), model=model))]

    with FaultServer(plan) as server:
        protocol = write_http_study(tmp_path, server.url, judge=ONE_AT_A_TIME)
        run(protocol)
    (group,) = report_of(protocol).groups
    assert group.dispositions["incomplete"] == N_PAIRS
    assert group.incomplete_reasons == {"confounded": 2 * N_PAIRS}  # by presentation


def test_a_parameter_dropped_between_the_orders_is_confounded_and_before_it_is_not(tmp_path):
    def plan(number, seen):
        if number >= 1 and "temperature" in seen.body:
            return [error(400, "x", "unsupported_value", param="temperature")]
        return scripted(number, seen)

    with FaultServer(plan) as server:
        judge = ONE_AT_A_TIME + '\ntemperature = 0.0\ndroppable = ["temperature"]'
        protocol = write_http_study(tmp_path, server.url, judge=judge)
        run(protocol)
    (group,) = report_of(protocol).groups
    assert group.incomplete_reasons == {"confounded": 2}  # by presentation


def test_concurrency_is_used_and_bounded(tmp_path):
    under_way, most = [0], [0]

    def plan(number, seen):
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        return [0.1, *scripted(number, seen)]

    class Counting(FaultServer):
        async def _one(self, reader, writer):
            goes_on = await super()._one(reader, writer)
            under_way[0] -= 1
            return goes_on

    with Counting(plan) as server:
        run(write_http_study(tmp_path, server.url, 10, judge="concurrency = 5"))
    assert most[0] == 5


@pytest.mark.parametrize(
    ("budget", "words"),
    [("max_calls = 7", "7 calls"), ("max_tokens = 1000", "1000 tokens"),
     ("max_cost_usd = 0.001", "0.001 dollars")],
)  # fmt: skip
def test_no_budget_is_passed_however_many_calls_are_under_way(tmp_path, budget, words):
    more = (
        f"[budget]\n{budget}\n"
        "[prices.script]\nprompt_usd_per_million = 1.0\ncompletion_usd_per_million = 1.0\n"
    )
    usage = {"prompt_tokens": 100, "completion_tokens": 5}

    def plan(_, seen):
        return [0.02, response(body=completion(verdict(seen), usage=usage))]

    with FaultServer(plan) as server:
        judge = "concurrency = 8"
        protocol = write_http_study(tmp_path, server.url, 10, judge=judge, more=more)
        summary = run(protocol)
    assert f"budget of {words} reached" in summary.stopped
    calls = len(server.chats)
    assert calls == summary.calls
    assert calls * 105 <= 1000 or "calls" in budget
    assert calls >= 4
    again = run(protocol)
    assert again.calls <= 1


def test_requests_are_paced(tmp_path):
    with FaultServer() as server:
        judge = "concurrency = 6\nrequests_per_minute = 600"
        begun = time.monotonic()
        run(write_http_study(tmp_path, server.url, 6, judge=judge))
    assert time.monotonic() - begun >= 1.0


def test_pace_and_patience_may_change_between_two_runs_and_nothing_is_asked_again(tmp_path):
    with FaultServer() as server:
        protocol = write_http_study(tmp_path, server.url, more="[budget]\nmax_calls = 6\n")
        run(protocol)
        text = protocol.read_text("utf-8").replace(
            'model = "m"', 'model = "m"\nconcurrency = 2\ntimeout_seconds = 9.0'
        )
        protocol.write_text(text, "utf-8")
        assert run(protocol).calls == 0
