"""Batch files: written, worked off by a provider, and read back however they come."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from functools import partial

import pytest

from batch_provider import answered, entries, failed, give_back, undone
from commands import command, is_one_clear_line
from counterbalance import read_report
from counterbalance.errors import InputError, RecordMismatchError
from counterbalance.items.item import Message
from counterbalance.judges.batch_lines import BATCH_LIMITS, BatchLimits
from counterbalance.record import open_record
from counterbalance.run.batch_reading import ReadBatch
from counterbalance.run.batch_writing import WriteBatch
from counterbalance.run.clock import now
from counterbalance.run.session import Confirm
from fault_server import FaultServer
from speakers import SPEAKERS
from studies import attempts_of, run, write_http_study, write_study

KEY = "a-key-that-nobody-may-see"
NOWHERE = "http://127.0.0.1:9/v1"
APIS = ("chat", "responses", "messages")
RETRIED = '[retry]\noutcomes = ["failed", "truncated"]\nmax_attempts = 2\n'


def study_of(folder, api="chat", n_pairs=3, *, url=NOWHERE, judge="", **more):
    settings = f"{SPEAKERS[api].settings}\n{judge}"
    return write_http_study(folder, url, n_pairs, judge=settings, **more)


def write(protocol, folder="out", **more):
    """Write batches; return the requests in them and the summary."""
    place = protocol.parent / folder
    summary = run(protocol, batch=WriteBatch(place, **more))
    return (entries(place) if place.exists() else []), summary


def read(protocol, *files):
    """Read results; return the counts of lines and the summary."""
    summary = run(protocol, batch=ReadBatch(files))
    counts = summary.batch
    kinds = (
        counts.fitting, counts.recorded_before, counts.other_plan, counts.repeated,
        counts.contradictory, counts.unreadable,
    )  # fmt: skip
    assert counts.lines == sum(kinds)
    return counts, summary


def recorded(protocol):
    return attempts_of(protocol.with_suffix(".record.sqlite"))


def outcomes_of(protocol):
    return Counter(
        "verdict"
        if a.outcome.is_verdict
        else ":".join(filter(None, (a.outcome.kind.value, a.outcome.failure)))
        for a in recorded(protocol)
    )


def group_of(protocol):
    path = protocol.with_suffix(".record.sqlite")
    with open_record(path, create=False, exclusive=False) as store:
        assert store.verify() == []
    report = read_report(path)
    assert report.reconciliation.adds_up
    (group,) = report.groups
    return group


@pytest.mark.parametrize("api", APIS)
def test_a_batch_ends_like_a_run_that_asks_and_a_second_reading_appends_nothing(tmp_path, api):
    requests, written = write(study := study_of(tmp_path / "batch", api))
    assert (written.batch.requests, written.outstanding, written.calls) == (6, 6, 0)
    assert recorded(study) == []
    shuffled = [requests[i] for i in (3, 0, 5, 1, 4, 2)]
    back = give_back(tmp_path / "back.jsonl", shuffled)
    counts, summary = read(study, back)
    assert (counts.fitting, summary.outstanding, summary.stopped) == (6, 0, "")
    with FaultServer(SPEAKERS[api].scripted) as server:
        asked = study_of(tmp_path / "asked", api, url=server.url)
        run(asked)

    def known(protocol):
        sent = ("seed", "max_tokens", "api")
        return sorted(
            (a.outcome.kind, a.reply.text, a.reply.model, a.reply.usage.completion_tokens,
             a.reply.reasoning, repr({k: a.reply.sent.get(k) for k in sent if k != "seed"}))
            for a in recorded(protocol)
        )  # fmt: skip

    assert known(study) == known(asked)
    assert group_of(study).dispositions == group_of(asked).dispositions
    assert all(a.seconds is None and a.reply.sent["batch"] for a in recorded(study))
    before = recorded(study)
    counts, _ = read(study, back)
    assert (counts.fitting, counts.recorded_before) == (0, 6)
    assert recorded(study) == before
    assert run(study).calls == 0


@pytest.mark.parametrize("api", APIS)
def test_a_request_is_what_a_call_would_have_sent(tmp_path, api):
    with FaultServer(SPEAKERS[api].scripted) as server:
        asked = study_of(tmp_path, api, url=server.url, judge="concurrency = 1")
        requests, _ = write(asked)
        run(asked)
        sent = [seen.body for seen in server.chats]
    written = [entry.get("params", entry.get("body")) for entry in requests]
    assert sorted(map(json.dumps, written)) == sorted(map(json.dumps, sent))
    for entry, attempt in zip(
        sorted(requests, key=lambda e: e["custom_id"]),
        sorted(recorded(asked), key=lambda a: a.key),
        strict=True,
    ):
        assert entry["custom_id"] == attempt.key.replace(":", "-") + "-1"
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", entry["custom_id"])
        if api != "messages":
            assert (entry["method"], entry["url"]) == ("POST", SPEAKERS[api].path)


def test_no_key_is_needed_and_none_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    study = study_of(tmp_path)
    text = study.read_text("utf-8").replace(f'base_url = "{NOWHERE}"\n', "")
    study.write_text(text, "utf-8")
    write(study)
    monkeypatch.delenv("OPENAI_API_KEY")
    requests, _ = write(study, "again")
    read(study, give_back(tmp_path / "back.jsonl", requests))
    assert {a.reply.sent["endpoint"] for a in recorded(study)} == {"https://api.openai.com/v1"}
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("api", APIS)
def test_what_did_not_come_back_stays_outstanding_and_goes_into_the_next_batch(tmp_path, api):
    requests, _ = write(study := study_of(tmp_path, api))
    counts, summary = read(study, give_back(tmp_path / "first.jsonl", requests[:2]))
    assert (counts.fitting, summary.outstanding) == (2, 4)
    rest, _ = write(study, "rest")
    assert rest == requests[2:]
    output = give_back(tmp_path / "output.jsonl", rest[:3])
    errors = give_back(tmp_path / "errors.jsonl", rest[3:], partial(undone, kind="expired"))
    counts, summary = read(study, errors, output)
    assert (counts.fitting, summary.outstanding) == (4, 0)
    assert outcomes_of(study) == {"verdict": 5, "failed:timeout": 1}
    assert sum(group_of(study).dispositions.values()) == 3


RESULTS = {
    "expired": (partial(undone, kind="expired"), "failed:timeout"),
    "cancelled": (partial(undone, kind="cancelled"), "failed:cancelled"),
    "canceled": (partial(undone, kind="canceled"), "failed:cancelled"),
    "unknown": (partial(undone, kind="mislaid"), "failed:server"),
    "bad": (partial(failed, status=400, kind="invalid_request_error"), "failed:bad_request"),
    "limited": (partial(failed, status=429, kind="rate_limit_error"), "failed:rate_limited"),
    "broken": (partial(failed, status=500, kind="api_error"), "failed:server"),
    "long": (
        partial(failed, status=400, kind="invalid_request_error", words="prompt is too long: 9"),
        "too_long",
    ),
    "flagged": (partial(failed, status=400, kind="content_filter"), "refused"),
    "empty": (partial(answered, text=" "), "empty"),
    "unparsed": (partial(answered, text="maybe"), "unparsed"),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("name", RESULTS)
def test_every_kind_of_result_ends_in_its_outcome(tmp_path, api, name):
    result, outcome = RESULTS[name]
    requests, _ = write(study := study_of(tmp_path, api))
    good = give_back(tmp_path / "good.jsonl", requests[1:])
    bad = give_back(tmp_path / "bad.jsonl", requests[:1], result)
    counts, summary = read(study, good, bad)
    assert (counts.fitting, summary.outstanding, summary.stopped) == (6, 0, "")
    assert outcomes_of(study) == {"verdict": 5, outcome: 1}
    assert sum(group_of(study).dispositions.values()) == 3


def test_a_body_that_is_an_error_or_no_reply_is_a_failure(tmp_path):
    requests, _ = write(study := study_of(tmp_path, "responses", 1))
    said = {"status": "failed", "error": {"code": "server_error", "message": "x"}}
    back = [answered(requests[0], **said), answered(requests[1], output=None)]
    read(study, give_back(tmp_path / "back.jsonl", back, lambda result: result))
    assert outcomes_of(study) == {"failed:server": 2}


def test_many_failures_neither_stop_nor_delay_the_reading(tmp_path):
    requests, _ = write(study := study_of(tmp_path, n_pairs=40))
    kinds = [(429, "rate_limit_error"), (401, "authentication_error"), (402, "billing_error")]

    def result(entry):
        status, kind = kinds[hash(entry["custom_id"]) % 3]
        return failed(entry, status, kind)

    summary = asyncio.run(asyncio.wait_for(asyncio.to_thread(
        lambda: read(study, give_back(tmp_path / "back.jsonl", requests, result))[1]), 20
    ))  # fmt: skip
    assert summary.stopped == ""
    assert sum(outcomes_of(study).values()) == 80


def test_a_result_that_comes_twice_is_recorded_once_and_contradictions_not_at_all(tmp_path):
    requests, _ = write(study := study_of(tmp_path))
    back = [answered(entry) for entry in requests]
    other = {**answered(requests[0], text="[[C]]"), "id": "another"}
    same = {**back[1], "id": "another id of the same result"}
    file = give_back(tmp_path / "back.jsonl", [*back, same, other, back[0]], lambda line: line)
    counts, summary = read(study, file)
    assert (counts.fitting, counts.repeated, counts.contradictory) == (5, 1, 3)
    assert counts.problems == [
        f"{file}:8: contradicts an earlier result of the same custom_id; neither is recorded"
    ]
    assert summary.outstanding == 1
    assert requests[0]["custom_id"] not in {a.key.replace(":", "-") + "-1" for a in recorded(study)}
    # Two failures of one request that say different things contradict each other as well.
    bad = [failed(requests[0], 500, "api_error"), undone(requests[0], "expired")]
    counts, _ = read(study, give_back(tmp_path / "bad.jsonl", bad, lambda line: line))
    assert counts.contradictory == 2


def test_results_of_another_plan_are_counted_and_only_they_are_an_error(tmp_path):
    requests, _ = write(study := study_of(tmp_path / "one"))
    others, _ = write(study_of(tmp_path / "two", judge="temperature = 0.5"))
    foreign = give_back(tmp_path / "foreign.jsonl", others)
    with pytest.raises(
        InputError, match=r"none of the 6 results is of this plan: 6 are of another"
    ):
        read(study, foreign)
    assert recorded(study) == []
    named = [{**answered(entry), "custom_id": f"request-{i}"} for i, entry in enumerate(others)]
    own = give_back(tmp_path / "own.jsonl", requests)
    counts, summary = read(
        study, foreign, own, give_back(tmp_path / "named.jsonl", named, lambda line: line)
    )
    assert (counts.fitting, counts.other_plan, summary.outstanding) == (6, 12, 0)


def test_an_attempt_that_this_record_never_asked_for_is_of_another_plan(tmp_path):
    requests, _ = write(study := study_of(tmp_path))
    later = [{**entry, "custom_id": entry["custom_id"][:-1] + "2"} for entry in requests[:1]]
    files = (give_back(tmp_path / f"{i}.jsonl", x) for i, x in enumerate((later, requests)))
    counts, _ = read(study, *files)
    assert (counts.fitting, counts.other_plan) == (6, 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "no JSON: {"),
        (b"\xff\xfe\n", "no JSON"),
        (b"[" * 200_000 + b"\n", "no JSON"),
        (b"[]\n", "it has no custom_id"),
        (b'{"custom_id": 5}\n', "it has no custom_id"),
        (b'{"custom_id": "%s"}\n', "neither response nor error"),
        (b'{"custom_id": "%s", "result": {"type": "succeeded"}}\n', "neither response nor error"),
    ],
)
def test_a_line_that_is_no_result_is_counted_with_its_place(tmp_path, line, words):
    requests, _ = write(study := study_of(tmp_path))
    back = give_back(tmp_path / "back.jsonl", requests[1:])
    named = line.replace(b"%s", requests[0]["custom_id"].encode())
    back.write_bytes(back.read_bytes() + b"\n  \n" + named)
    counts, summary = read(study, back)
    assert (counts.fitting, counts.unreadable, summary.outstanding) == (5, 1, 1)
    (problem,) = counts.problems
    assert problem.startswith(f"{back}:8: ")
    assert words in problem


def test_results_of_the_other_provider_are_unreadable(tmp_path):
    requests, _ = write(study := study_of(tmp_path, "messages"))
    line = {"custom_id": requests[0]["custom_id"], "response": {"status_code": 200, "body": {}}}
    back = give_back(tmp_path / "back.jsonl", [line], lambda line: line)
    with pytest.raises(InputError, match="it has no result with a type"):
        read(study, back)


def test_a_retry_is_an_attempt_of_its_own_and_no_file_is_counted_for_it_again(tmp_path):
    requests, _ = write(study := study_of(tmp_path, more=RETRIED))
    first = give_back(tmp_path / "first.jsonl", requests, partial(failed, status=500, kind="x"))
    assert read(study, first)[1].outstanding == 6
    counts, _ = read(study, first)
    assert (counts.fitting, counts.recorded_before) == (0, 6)
    again, _ = write(study, "again")
    assert {entry["custom_id"][-2:] for entry in again} == {"-2"}
    second = give_back(tmp_path / "second.jsonl", again)
    counts, summary = read(study, first, second)
    assert (counts.fitting, counts.recorded_before, summary.outstanding) == (6, 6, 0)
    assert outcomes_of(study) == {"failed:server": 6, "verdict": 6}
    assert group_of(study).dispositions["incomplete"] == 0


def test_a_key_that_failed_in_the_batch_uses_up_no_attempt_and_is_not_recorded_twice(tmp_path):
    requests, _ = write(study := study_of(tmp_path))
    bad = partial(failed, status=402, kind="billing_error")
    first = give_back(tmp_path / "first.jsonl", requests, bad)
    assert read(study, first)[1].outstanding == 6
    assert read(study, first)[0].recorded_before == 6
    again, _ = write(study, "again")
    assert read(study, give_back(tmp_path / "second.jsonl", again))[1].outstanding == 0
    assert outcomes_of(study) == {"failed:quota": 6, "verdict": 6}


def test_a_reply_cut_by_its_limit_is_asked_again_in_both_orders_by_the_next_batch(tmp_path):
    more = RETRIED + "raise_max_tokens_to = 90\n"
    requests, _ = write(study := study_of(tmp_path, "messages", 2, more=more))
    assert {entry["params"]["max_tokens"] for entry in requests} == {64}
    back = [answered(requests[0], stop_reason="max_tokens", content=[])]
    back += [answered(entry) for entry in requests[1:]]
    read(study, give_back(tmp_path / "first.jsonl", back, lambda line: line))
    again, _ = write(study, "again")
    assert [entry["params"]["max_tokens"] for entry in again] == [90, 90]
    _, summary = read(study, give_back(tmp_path / "second.jsonl", again))
    assert summary.outstanding == 0
    assert Counter(a.reply.sent["max_tokens"] for a in recorded(study)) == {64: 4, 90: 2}
    assert group_of(study).dispositions["incomplete"] == 0


def test_a_reading_that_was_killed_loses_no_result(tmp_path):
    requests, _ = write(study := study_of(tmp_path))
    back = give_back(tmp_path / "back.jsonl", requests)
    with open_record(study.with_suffix(".record.sqlite"), create=False, exclusive=True) as store:
        key = next(iter(store.plan())).presentation.key
        (entry,) = [e for e in requests if key.replace(":", "-") in e["custom_id"]]
        prompt = tuple(Message(m["role"], m["content"]) for m in entry["body"]["messages"])
        asyncio.run(store.start(key, 1, now(), prompt))
    counts, summary = read(study, back)
    assert (counts.fitting, summary.lost, summary.outstanding) == (6, 1, 0)
    assert outcomes_of(study) == {"failed:lost": 1, "verdict": 6}
    assert read(study, back)[0].recorded_before == 6


def test_orders_may_come_by_different_roads(tmp_path):
    with FaultServer(SPEAKERS["chat"].scripted) as server:
        requests, _ = write(study := study_of(tmp_path, url=server.url))
        read(study, give_back(tmp_path / "back.jsonl", requests[:3]))
        assert run(study).calls == 3
    assert group_of(study).dispositions["incomplete"] == 0


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("limits", [BatchLimits(4, 10**6), BatchLimits(100, 2000)])
def test_a_full_file_is_followed_by_the_next(tmp_path, api, limits):
    study = study_of(tmp_path, api, 5)
    requests, summary = write(study, limits=dict.fromkeys(BATCH_LIMITS, limits))
    files = summary.batch.files
    assert len(files) > 2
    assert [n for _, n in files] == [len(entries_in(path)) for path, _ in files]
    assert all(n <= limits.requests for _, n in files)
    assert all(path.stat().st_size <= limits.size_bytes for path, _ in files)
    assert len(requests) == len({entry["custom_id"] for entry in requests}) == 10
    assert read(study, give_back(tmp_path / "back.jsonl", requests))[1].outstanding == 0


def entries_in(path):
    text = path.read_text("utf-8")
    return json.loads(text)["requests"] if path.suffix == ".json" else text.splitlines()


def test_the_budget_ends_the_writing_and_never_the_reading(tmp_path):
    study = study_of(tmp_path, more="[budget]\nmax_calls = 4\n")
    requests, summary = write(study)
    assert len(requests) == summary.batch.requests == 4
    assert "budget of 4 calls reached" in summary.stopped
    read(study, give_back(tmp_path / "back.jsonl", requests))
    nothing, summary = write(study, "more")
    assert nothing == summary.batch.files == []
    spent = study_of(tmp_path / "spent", more="[budget]\nmax_tokens = 400\n")
    requests, _ = write(spent)
    dear = partial(answered, usage={"prompt_tokens": 300, "completion_tokens": 5})
    counts, summary = read(spent, give_back(tmp_path / "b.jsonl", requests, dear))
    assert 300 * len(requests) > 400
    assert (counts.fitting, summary.stopped) == (len(requests), "")
    assert summary.outstanding == 6 - len(requests)


def test_judges_without_batches_are_left_to_a_run_and_alone_they_are_an_error(tmp_path):
    alone = write_study(tmp_path / "alone")
    with pytest.raises(InputError, match="no judge of this protocol has batch files"):
        write(alone)
    assert not alone.with_suffix(".record.sqlite").exists()
    gemini = study_of(tmp_path / "gemini", "gemini")
    with pytest.raises(InputError, match="no judge of this protocol has batch files"):
        write(gemini)
    both = study_of(tmp_path / "both")
    rule = '\n[[judges]]\nname = "rule"\nkind = "scripted"\n'
    both.write_text(both.read_text("utf-8") + rule, "utf-8")
    requests, summary = write(both)
    assert (len(requests), summary.batch.left_to_run) == (6, 6)
    assert read(both, give_back(tmp_path / "back.jsonl", requests))[1].outstanding == 6


def test_held_out_pairs_are_confirmed_by_batches_as_well(tmp_path):
    study = study_of(tmp_path, n_pairs=6, more="[held_out]\nshare = 0.5\nseed = 1\n")
    requests, _ = write(study)
    read(study, give_back(tmp_path / "back.jsonl", requests))
    summary = run(study, batch=WriteBatch(tmp_path / "held"), task=Confirm())
    held = entries(tmp_path / "held")
    assert summary.confirms
    assert len(requests) + len(held) == 12
    back = give_back(tmp_path / "held.jsonl", held)
    assert run(study, batch=ReadBatch((back,)), task=Confirm()).outstanding == 0


def test_batches_of_a_changed_protocol_are_refused_like_any_run(tmp_path):
    study = study_of(tmp_path)
    write(study)
    study.write_text(study.read_text("utf-8").replace("seed = 7", "seed = 8"), "utf-8")
    with pytest.raises(RecordMismatchError, match="seed was 7, is 8"):
        write(study, "again")


def test_the_verb_writes_reads_and_says_what_is_next(tmp_path):
    study = study_of(tmp_path, "messages")
    planned = command("plan", study).out
    assert "  as batches (run --write-batch DIR): 1 files, about 0.1 MB" in planned
    done = command("run", study, "--write-batch", tmp_path / "out")
    assert done.code == 0
    assert "6 requests written in 1 batch files\n" in done.out
    assert f"next: have the provider work them off, then counterbalance run {study}" in done.out
    back = give_back(tmp_path / "back.jsonl", entries(tmp_path / "out")[:4])
    done = command("run", study, "--read-batch", back, "--read-batch", back, "--json", "--quiet")
    assert done.code == 3
    value = json.loads(done.out)
    assert (value["outstanding"], value["batch"]["fitting"], value["batch"]["repeated"]) == (
        2,
        4,
        4,
    )
    back = give_back(tmp_path / "rest.jsonl", entries(tmp_path / "out"))
    done = command("run", study, "--read-batch", back, "--quiet")
    assert done.code == 0
    assert "6 results read: 2 recorded, 4 recorded before, 0 repeated" in done.out
    assert f"next: counterbalance report {study.with_suffix('.record.sqlite')}" in done.out


def test_bad_usage_is_one_clear_line(tmp_path):
    study = study_of(tmp_path)
    write(study)
    (tmp_path / "file").write_text("", "utf-8")
    for words, said in (
        (["--write-batch", tmp_path / "out"], "holds script-001.jsonl already"),
        (["--write-batch", tmp_path / "file"], "cannot be made a folder"),
        (["--read-batch", tmp_path / "none"], "none: No such file"),
        (["--read-batch", tmp_path], "Is a directory"),
        (
            ["--write-batch", tmp_path / "x", "--read-batch", tmp_path / "file"],
            "do not go together",
        ),
        (["--write-batch", tmp_path / "x", "--retry-failed"], "do not go together"),
    ):
        ended = command("run", study, "--quiet", *words)
        assert ended.code == 2
        assert is_one_clear_line(ended), ended
        assert said in ended.err
