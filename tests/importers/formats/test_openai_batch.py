"""OpenAI batches: joined by id, in any order, with every kind of failure; ours need no mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.batch_log import OUR_SCHEME, bracket_marks, our_id
from counterbalance.importers.loading import found_rows, read_logs
from counterbalance.items.frames import Order
from counterbalance.judges.batch_lines import custom_id
from counterbalance.presentations.presentation import PresentationKey
from foreign_logs import NASTY, format_of, jsonl, reasons, verdicts
from joined_logs import read_all, read_mapped

if TYPE_CHECKING:
    from pathlib import Path

ASK = "Which is better? {} or {}? Say [[A]], [[B]] or [[C]]."
MAP = """
[rows]
source = "openai-batch"
same = ["setting"]
[columns]
item = "item"
order = "order"
reply = "reply"
finish = "finish"
judge = "model"
[[split]]
column = "custom_id"
pattern = "cmp-(?P<item>[0-9]+)-(?P<order>ab|ba)"
[order]
forward = ["ab"]
reversed = ["ba"]
[reading]
labels = { first = "A", second = "B" }
verdict = { format = "bracket", tie = "C" }
"""


def request(custom_id: str, first: str, second: str, **body: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": ASK.format(first, second)}]
    return {
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "gpt-4o", "messages": messages, "temperature": 0, **body},
    }


def answer(custom_id: str, text: object, finish: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    body = {"model": "gpt-4o-2024-08-06", "choices": [{"index": 0, **choice}]}
    return {
        "id": "x",
        "custom_id": custom_id,
        "response": {"status_code": 200, "request_id": "r", "body": body},
        "error": None,
    }


def failure(custom_id: str, status: int | None, error: object) -> dict[str, Any]:
    if status is None:
        return {"id": "x", "custom_id": custom_id, "response": None, "error": error}
    response = {"status_code": status, "request_id": "r", "body": {"error": error}}
    return {"id": "x", "custom_id": custom_id, "response": response, "error": None}


def ours(pair: str, order: str, repetition: int = 0) -> str:
    return f"{pair}|{order}|gpt-4o|{repetition}|9f2c"


def test_requests_results_and_errors_are_joined_whatever_their_order(tmp_path: Path) -> None:
    asked = [
        request(ours(pair, order), *(("x", NASTY) if order == "forward" else (NASTY, "x")))
        for pair in ("p1", "p2", "p3", "p4")
        for order in ("forward", "reversed")
    ]
    results = [
        answer(ours("p2", "reversed"), "[[A]]"),
        answer(ours("p1", "forward"), f"{NASTY} so [[A]]"),
        answer(ours("p2", "forward"), "[[A]]"),
        answer(ours("p1", "reversed"), "[[B]]"),
        answer(ours("p3", "forward"), [{"type": "text", "text": "[[C]]"}]),
    ]
    errors = [failure(ours("p3", "reversed"), 429, {"message": "slow down", "code": "x"})]
    log = read_all(
        jsonl(tmp_path / "in.jsonl", asked, end="\r\n", start=b"\xef\xbb\xbf"),
        jsonl(tmp_path / "out.jsonl", results),
        jsonl(tmp_path / "errors.jsonl.gz", errors),
    )
    assert log.log_format.name == "openai-batch"
    assert not log.rejects
    found = {
        (row.item, row.order): verdict
        for row, verdict in zip(log.judgments, verdicts(log.judgments), strict=True)
    }
    forward, backward = Order.FORWARD, Order.REVERSED
    assert found == {
        ("p1", forward): "a", ("p1", backward): "a", ("p2", forward): "a", ("p2", backward): "b",
        ("p3", forward): "tie", ("p3", backward): "failed", ("p4", forward): "failed",
        ("p4", backward): "failed",
    }  # fmt: skip
    kinds = {row.item: row.outcome.failure for row in log.judgments if row.outcome.failure}
    assert kinds == {"p3": "rate_limited", "p4": "lost"}
    assert {row.judge for row in log.judgments} == {"gpt-4o"}
    settings = {row.item: set() for row in log.judgments}
    for row in log.judgments:
        settings[row.item].add(row.setting)
    assert [len(settings[pair]) for pair in ("p1", "p2", "p4")] == [1, 1, 1]


def test_orders_that_differ_in_more_than_the_order_are_told(tmp_path: Path) -> None:
    asked = [
        request(ours("p1", "forward"), "x", "y"),
        request(ours("p1", "reversed"), "y", "x!"),
        request(ours("p2", "forward"), "x", "y"),
        request(ours("p2", "reversed"), "y", "x", temperature=1),
    ]
    results = [answer(row["custom_id"], "[[A]]") for row in asked]
    log = read_all(jsonl(tmp_path / "in.jsonl", asked), jsonl(tmp_path / "out.jsonl", results))
    assert len({row.setting for row in log.judgments if row.item == "p1"}) == 2
    assert len({row.setting for row in log.judgments if row.item == "p2"}) == 2


@pytest.mark.parametrize(
    ("row", "kind", "failure_kind"),
    [
        (failure("", None, {"code": "batch_expired", "message": "late"}), "failed", "timeout"),
        (failure("", None, {"code": "batch_cancelled", "message": ""}), "failed", "cancelled"),
        (failure("", 401, {"message": "no key"}), "failed", "auth"),
        (failure("", 500, {"message": "oops"}), "failed", "server"),
        (failure("", 400, {"message": "m", "code": "context_length_exceeded"}), "too_long", None),
        (failure("", 400, {"message": "m", "code": "content_filter"}), "refused", None),
        (failure("", None, None), "failed", "lost"),
        (answer("", None, refusal="I cannot"), "refused", None),
        (answer("", "", "content_filter"), "refused", None),
        (answer("", ""), "empty", None),
        (answer("", "because", "length"), "truncated", None),
        (answer("", "because"), "unparsed", None),
        (answer("", "[[Z]]"), "off_scale", None),
        (answer("", 7), "failed", "server"),
        ({"custom_id": "", "response": {"status_code": 200, "body": []}, "error": None},
         "failed", "lost"),
        ({"custom_id": "", "response": "x", "error": None}, "failed", "lost"),
    ],
)  # fmt: skip
def test_no_failure_is_ever_a_verdict(tmp_path: Path, row, kind, failure_kind) -> None:
    name = ours("p", "forward")
    asked = jsonl(tmp_path / "in.jsonl", [request(name, "x", "y")])
    log = read_all(asked, jsonl(tmp_path / "out.jsonl", [{**row, "custom_id": name}]))
    (judgment,) = log.judgments
    assert (judgment.outcome.kind, judgment.outcome.failure) == (kind, failure_kind)


def test_bodies_of_the_responses_endpoint_are_read(tmp_path: Path) -> None:
    content = [{"type": "output_text", "text": "So [[B]]"}]
    body = {
        "model": "o4",
        "output": [{"type": "reasoning"}, {"type": "message", "content": content}],
        "error": None,
    }
    name = ours("p", "reversed")
    asked = request(name, "x", "y")
    asked["body"] = {"model": "o4", "input": ASK.format("x", "y")}
    result = {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}
    cut = {**body, "output": [], "incomplete_details": {"reason": "content_filter"}}
    other = {"custom_id": ours("q", "forward"), "response": {"status_code": 200, "body": cut}}
    paths = jsonl(tmp_path / "in.jsonl", [asked]), jsonl(tmp_path / "o.jsonl", [result, other])
    log = read_all(*paths)
    assert verdicts(log.judgments) == ["a", "refused"]


def test_every_row_is_a_judgment_or_a_reject(tmp_path: Path) -> None:
    name = ours("p", "forward")
    asked = [request(name, "x", "y"), request(name, "x", "z"), "{broken"]
    results = [
        answer(name, "[[A]]"),
        answer(name, "[[B]]"),
        answer("someone-elses-id", "[[A]]"),
        {"custom_id": 7.5, "response": None},
        {"response": None},
        {"custom_id": "x", "body": []},
        "[]",
        "",
    ]
    log = read_all(jsonl(tmp_path / "in.jsonl", asked), jsonl(tmp_path / "out.jsonl", results))
    assert verdicts(log.judgments) == ["a", "b"]  # the collector tells that they contradict
    counted = reasons(log.rejects)
    assert counted == {
        "two requests have one custom_id: their results cannot be told apart": 1,
        "the line is not JSON": 1,
        f"the custom_id is not {OUR_SCHEME}; describe it in a mapping: counterbalance import"
        " --map-help": 1,
        "the row has no custom_id": 2,
        "the row is neither a request nor a result": 1,
        "the row is no object": 1,
    }


def test_without_prompts_no_format_is_guessed(tmp_path: Path) -> None:
    out = jsonl(tmp_path / "out.jsonl", [answer(ours("p", "forward"), "[[A]]")])
    with pytest.raises(InputError, match=r"no format of verdicts is known.*request file"):
        read_all(out)
    free = request(ours("p", "forward"), "x", "y")
    free["body"]["messages"] = "Which is better?"
    with pytest.raises(InputError, match="no format of verdicts is known"):
        read_all(jsonl(tmp_path / "in.jsonl", [free]), out)


def test_a_mark_that_an_answer_quotes_offers_nothing(tmp_path: Path) -> None:
    asked = [request(ours(f"p{i}", "forward"), "x", "[[A>>B]] [[B>>A]]" * i) for i in range(2)]
    results = [answer(row["custom_id"], "[[A]]") for row in asked]
    log = read_all(jsonl(tmp_path / "in.jsonl", asked), jsonl(tmp_path / "out.jsonl", results))
    assert verdicts(log.judgments) == ["a", "a"]
    assert bracket_marks("[[A]] [[ \n]] [B] [[C]]") == {"A", "C"}


@pytest.mark.parametrize(
    "name",
    ["p|forward|j|0", "p|ab|j|0|h", "p|forward|j|x|h", "|forward|j|0|h", "p|forward|j|٣|h", ""],
)
def test_other_schemes_are_not_ours(name: str) -> None:
    assert our_id(name) is None


def test_any_ids_are_read_by_a_mapping(tmp_path: Path) -> None:
    results = [
        answer("cmp-1-ab", "[[A]]"),
        answer("cmp-1-ba", "[[B]]"),
        answer("cmp-2-ab", "[[C]]"),
        answer("other", "[[A]]"),
        failure("cmp-2-ba", 503, "busy"),
    ]
    log = read_mapped(jsonl(tmp_path / "out.jsonl", results), MAP)
    assert verdicts(log.judgments) == ["a", "a", "tie", "failed"]
    assert {row.judge for row in log.judgments[:3]} == {"gpt-4o-2024-08-06"}
    assert reasons(log.rejects) == {"a value does not fit the mapping's split": 1}


def test_files_of_a_folder_are_audited_together(tmp_path: Path) -> None:
    asked = [request(ours("p", order), "x", "y") for order in ("forward", "reversed")]
    results = [answer(ours("p", "reversed"), "[[B]]"), answer(ours("p", "forward"), "[[A]]")]
    jsonl(tmp_path / "batch" / "a_results.jsonl", results)
    jsonl(tmp_path / "batch" / "b_requests.jsonl", asked)
    log = read_logs([tmp_path / "batch"])
    assert [file.rows for file in log.files] == [2, 0]  # requests count with their results
    assert [row.item for _, row in found_rows(log, [(0, 2)])] == ["p"]
    assert format_of(jsonl(tmp_path / "other.jsonl", [{"custom_id": "x", "body": {}}])) is None


@pytest.mark.parametrize("holds", ["requests", "results", "both"])
def test_a_batch_of_our_own_run_is_sent_back_to_its_record(tmp_path: Path, holds: str) -> None:
    ours = custom_id(PresentationKey("b2:" + "0f" * 20), 1)
    rows = {"requests": [request(ours, "x", "y")], "results": [answer(ours, "[[A]]")]}
    for name, written in rows.items():
        if holds in {name, "both"}:
            jsonl(tmp_path / f"{name}.jsonl", written)
    with pytest.raises(InputError, match=r"line 1: .*--write-batch.*run PROTOCOL --read-batch"):
        read_logs([tmp_path])
