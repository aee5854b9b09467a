"""Whole runs over each API against a server that fails: every pair ends right, nothing is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.study import load_study
from fault_server import CLOSE, HANG, RESET, FaultServer, response
from speakers import (
    GEMINI,
    MESSAGES,
    OTHERS,
    RESPONSES,
    anthropic_error,
    google_error,
    of_the_day,
)
from studies import attempts_of, run, write_http_study

KEY = "a-key-that-nobody-may-see"
N_PAIRS = 2
N_CALLS = 2 * N_PAIRS
HURRIED = "concurrency = 1\ntimeout_seconds = 0.5"


def of_every_api(speaker):
    """Return what may happen to any HTTP exchange, whatever is spoken."""
    return {
        "hang": ([HANG], "failed:timeout"),
        "reset": ([RESET], "failed:network"),
        "ends early": (
            [response(200, speaker.body("[[A]]"), length=9999), CLOSE], "failed:network",
        ),
        "wrong json": ([response(200, "{")], "failed:server"),
        "html": ([response(200, "<p>", content_type="text/html")], "failed:server"),
        "another api": ([response(200, {"result": "A"})], "failed:server"),
        "large": ([response(200, speaker.body("x" * (17 * 2**20)))], "failed:server"),
        "empty": ([response(200, speaker.body("  "))], "empty"),
        "unparsed": ([response(200, speaker.body("maybe"))], "unparsed"),
    }  # fmt: skip


FAULTS = {
    f"{name}: {fault}": (speaker, *of_every_api(speaker).get(fault, speaker.faults.get(fault)))
    for name, speaker in OTHERS.items()
    for fault in {**of_every_api(speaker), **speaker.faults}
}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for speaker in OTHERS.values():
        monkeypatch.setenv(speaker.key_name, KEY)


def study_of(folder, server, speaker, n_pairs=N_PAIRS, judge=HURRIED, **more):
    settings = f"{speaker.settings}\n{judge}"
    return write_http_study(folder, server.url, n_pairs, judge=settings, **more)


def judged(protocol):
    found = attempts_of(load_study(protocol).default_record)
    return Counter(
        "verdict"
        if a.outcome.is_verdict
        else ":".join(filter(None, (a.outcome.kind.value, a.outcome.failure)))
        for a in found
    )


def group_of(protocol):
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        report = build_report(read_evidence(store))
    assert report.reconciliation.adds_up
    (group,) = report.groups
    assert sum(group.dispositions.values()) == N_PAIRS
    return group


@pytest.mark.parametrize("position", range(N_CALLS))
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_of_every_api_at_every_position(tmp_path, name, position):
    speaker, steps, outcome = FAULTS[name]
    with FaultServer(speaker.at(position, steps)) as server:
        protocol = study_of(tmp_path, server, speaker)
        summary = run(protocol)
    assert (summary.planned, summary.calls, summary.outstanding) == (N_CALLS, N_CALLS, 0)
    assert summary.stopped == ""
    assert judged(protocol) == {"verdict": N_CALLS - 1, outcome: 1}
    group = group_of(protocol)
    if outcome == "refused":
        assert group.dispositions["refused"] == 1
    else:
        assert group.incomplete_reasons == {outcome: 1}
    assert KEY.encode() not in load_study(protocol).default_record.read_bytes()


RETRIED = '[retry]\noutcomes = ["failed", "truncated"]\nmax_attempts = 2\n'
PASSING = ["responses: overloaded", "messages: 529", "gemini: 429 of the minute", "messages: cut"]


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_passes_is_retried_under_the_rule(tmp_path, name):
    speaker, steps, outcome = FAULTS[name]
    with FaultServer(speaker.at(1, steps)) as server:
        protocol = study_of(tmp_path, server, speaker, more=RETRIED)
        summary = run(protocol)
    assert (summary.calls, summary.outstanding) == (N_CALLS + 1, 0)
    assert judged(protocol) == {"verdict": N_CALLS, outcome: 1}


ENDINGS = {
    "no key at Anthropic": (MESSAGES, anthropic_error(401, "authentication_error"), "auth"),
    "no right at Anthropic": (MESSAGES, anthropic_error(403, "permission_error"), "auth"),
    "bill at Anthropic": (MESSAGES, anthropic_error(402, "billing_error"), "quota"),
    "credit at Anthropic": (
        MESSAGES,
        anthropic_error(400, "invalid_request_error", "Your credit balance is too low to access"),
        "quota",
    ),
    "limit at Anthropic": (
        MESSAGES,
        anthropic_error(
            400, "invalid_request_error", "You have reached your specified API usage limits."
        ),
        "quota",
    ),
    "no key at Google": (
        GEMINI,
        google_error(400, "INVALID_ARGUMENT", "API key not valid.",
                     (("ErrorInfo", {"reason": "API_KEY_INVALID"}),)),
        "auth",
    ),
    "no right at Google": (GEMINI, google_error(403, "PERMISSION_DENIED"), "auth"),
    "the day's quota at Google": (GEMINI, of_the_day("GenerateRequestsPerDayPerModel"), "quota"),
    "no model at Google": (GEMINI, google_error(404, "NOT_FOUND"), "bad_request"),
    "no model at Anthropic": (MESSAGES, anthropic_error(404, "not_found_error"), "bad_request"),
    "no quota at OpenAI": (
        RESPONSES,
        response(429, {"error": {"message": "no", "code": "insufficient_quota"}}),
        "quota",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDINGS)
def test_what_nobody_can_wait_for_stops_the_run_and_nothing_is_lost(tmp_path, name):
    speaker, answer, kind = ENDINGS[name]
    is_mended = []

    def plan(number, seen):
        return speaker.scripted(number, seen) if number < 1 or is_mended else [answer]

    with FaultServer(plan) as server:
        protocol = study_of(tmp_path, server, speaker)
        summary = run(protocol)
        assert summary.calls == 2
        assert summary.stopped.startswith("judge script: ")
        found = judged(protocol)
        found.pop("failed:lost", None)  # started ahead of the refusal, and never sent
        assert found == {"verdict": 1, f"failed:{kind}": 1}
        is_mended.append(True)
        again = run(protocol)
    # A model that was not found was asked for; without key or credit nobody looked.
    left = 2 if kind == "bad_request" else 3
    assert (again.calls, again.outstanding) == (left, 0)
    assert judged(protocol)["verdict"] == 1 + left


@pytest.mark.parametrize("name", OTHERS)
def test_another_model_in_the_second_order_is_confounded(tmp_path, name):
    speaker = OTHERS[name]
    field = "modelVersion" if name == "gemini" else "model"

    def plan(number, seen):
        body = speaker.scripted(number, seen)[0]
        return [body.replace(b"2026-11-30", b"2027-01-01")] if number % 2 else [body]

    with FaultServer(plan) as server:
        protocol = study_of(tmp_path, server, speaker)
        run(protocol)
    assert field in speaker.body("x")
    group = group_of(protocol)
    assert group.dispositions["incomplete"] == N_PAIRS
    assert group.incomplete_reasons == {"confounded": 2 * N_PAIRS}


@pytest.mark.parametrize("name", OTHERS)
def test_a_reply_cut_by_its_limit_is_asked_again_with_a_higher_one(tmp_path, name):
    speaker = OTHERS[name]
    cut = {
        "responses": {
            "status": "incomplete",
            "incomplete_details": {"reason": "max_output_tokens"},
        },
        "messages": {"stop_reason": "max_tokens"},
        "gemini": {"candidate": {"finishReason": "MAX_TOKENS"}},
    }[name]

    def limit(seen):
        held = seen.body.get("generationConfig", seen.body)
        return held.get("max_output_tokens", held.get("maxOutputTokens", held.get("max_tokens")))

    def plan(number, seen):
        if number == 0:
            return [response(body=speaker.body(None, **cut))]
        return speaker.scripted(number, seen)

    retry = '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 90\n'
    judge = HURRIED + ("" if name == "messages" else "\nmax_tokens = 64")
    with FaultServer(plan) as server:
        protocol = study_of(tmp_path, server, speaker, judge=judge, more=retry)
        summary = run(protocol)
        limits = Counter(limit(seen) for seen in server.chats)
    assert summary.outstanding == 0
    assert limits[90] == 2
    assert set(limits) == {64, 90}
    assert group_of(protocol).dispositions["incomplete"] == 0
