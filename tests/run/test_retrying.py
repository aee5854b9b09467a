"""Runs that raise a limit for both orders, and calls beyond the retry rule."""

from __future__ import annotations

import asyncio
import csv
import json
from collections import Counter, defaultdict

import pytest

from commands import command
from compared_reports import lines_without_calls
from counterbalance.errors import RecordMismatchError
from counterbalance.items.frames import Order
from counterbalance.presentations.rendering import Renderer
from counterbalance.record import open_record
from counterbalance.record.place import place_of
from counterbalance.report.as_json import report_value
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.report.text import render_text
from counterbalance.run.study import load_study
from fault_server import FaultServer, thinking
from studies import attempts_of, run, write_http_study, write_study

N_PAIRS = 16
DECLARED, RAISED = 40, 90
JUDGE = f"noise = 0.3\nunparsed_rate = 0.1\nmax_tokens = {DECLARED}\nreasoning_words = 60"
RETRY = '[retry]\noutcomes = ["truncated", "unparsed"]\nmax_attempts = 2\n'
MORE = f"{RETRY}raise_max_tokens_to = {RAISED}\n"


class Stop(BaseException):
    """Ends a run from inside, as a kill would, at a moment the test chooses."""


def evidence_of(record, **how):
    with open_record(record, create=False, exclusive=False) as store:
        assert store.verify() == []
        return read_evidence(store, **how)


def report_of(record, **how):
    return build_report(evidence_of(record, **how))


def record_of(protocol):
    return load_study(protocol).default_record


def came_back(record):
    return [(a.key, a.outcome, a.reply) for a in attempts_of(record) if a.reply is not None]


def held(record, **how):
    """Every main presentation of the one group, by pair and order."""
    (pairs,) = evidence_of(record, **how).groups.values()
    return {
        judged.pair.id: {order: shown for order, (shown,) in judged.evidence.main.items()}
        for judged in pairs
    }


def words(shown):
    """What the attempts of a presentation ended in, and under which limit."""
    return [
        f"{'verdict' if a.outcome.is_verdict else a.outcome.kind.value}"
        f"@{a.reply.sent['max_tokens'] if a.reply else '?'}"
        for a in shown.attempts
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study that was never interrupted."""
    protocol = write_study(tmp_path_factory.mktemp("whole"), N_PAIRS, judge=JUDGE, more=MORE)
    summary = run(protocol)
    assert (summary.outstanding, summary.stopped, summary.beyond_rule) == (0, "", 0)
    return protocol


# ----------------------------------------------------------------- a limit that is raised


def test_both_orders_of_a_cut_pair_are_asked_again_at_the_raised_limit(whole):
    kinds = Counter()
    for orders in held(record_of(whole)).values():
        limits = {order: [w.partition("@")[2] for w in words(s)] for order, s in orders.items()}
        is_raised = {shown.is_raised for shown in orders.values()}
        assert len(is_raised) == 1
        if is_raised == {True}:
            assert {shown.decisive.reply.sent["max_tokens"] for shown in orders.values()} == {90}
            assert all(row == sorted(row) and row[0] == "40" for row in limits.values())
        else:
            assert {limit for row in limits.values() for limit in row} == {"40"}
        kinds.update(" ".join(words(shown)) for shown in orders.values())
    # The one that was cut, its partner that had a verdict, and pairs that nothing was cut of.
    assert kinds["truncated@40 verdict@90"] > 2
    assert kinds["verdict@40 verdict@90"] > 2
    assert kinds["verdict@40"] > 2


def test_the_report_counts_one_limit_only_and_says_so(whole):
    report = report_of(record_of(whole))
    n_raised = sum(
        s.is_raised for orders in held(record_of(whole)).values() for s in orders.values()
    )
    assert report.reconciliation.raised == n_raised
    assert report.reconciliation.adds_up
    assert report.reconciliation.attempts == len(attempts_of(record_of(whole)))
    assert f"{n_raised} presentations asked again with a limit of 90 tokens" in report.warnings[0]
    (group,) = report.groups
    assert "confounded" not in group.incomplete_reasons
    assert group.outcomes["truncated"] == 0


def test_a_rerun_appends_nothing(whole):
    before = attempts_of(record_of(whole))
    summary = run(whole)
    assert (summary.calls, summary.outstanding) == (0, 0)
    assert attempts_of(record_of(whole)) == before


def n_attempts(protocol):
    return len(attempts_of(record_of(protocol)))


@pytest.mark.parametrize("share", [0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97])
def test_an_interrupted_run_equals_an_uninterrupted_one(whole, tmp_path, share):
    broken = write_study(tmp_path, N_PAIRS, judge=JUDGE, more=MORE)
    done = []

    def stop(attempt):
        done.append(attempt)
        if len(done) >= share * n_attempts(whole):
            raise Stop

    with pytest.raises(BaseExceptionGroup):
        run(broken, finished=stop)
    assert run(broken).outstanding == 0
    assert came_back(record_of(broken)) == came_back(record_of(whole))
    told = [lines_without_calls(report_of(record_of(study))) for study in (broken, whole)]
    assert told[0] == told[1]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path):
    """Where no record is yet, under both engines."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres").place()
    return str(tmp_path / "r.sqlite")


def test_a_budget_that_grows_call_by_call_ends_at_the_same_record(whole, place, tmp_path):
    """Every place in the plan is once the last one before a stop, the raised limit's included."""
    saw_half = False
    for most in range(1, n_attempts(whole) + 1):
        budget = f"{MORE}[budget]\nmax_calls = {most}\n"
        protocol = write_study(tmp_path, N_PAIRS, judge=JUDGE, more=budget)
        summary = run(protocol, place)
        assert summary.calls == 1
        assert (summary.outstanding == 0) == (most == n_attempts(whole))
        if most % 5 and saw_half:
            continue
        with open_record(place_of(place), create=False, exclusive=False) as store:
            evidence = read_evidence(store)
        assert build_report(evidence).reconciliation.adds_up
        (pairs,) = evidence.groups.values()
        for judged in pairs:
            (forward,), (reversed_,) = (judged.evidence.main[order] for order in Order)
            decisive = [s.decisive for s in (forward, reversed_)]
            limits = {a.reply.sent["max_tokens"] for a in decisive if a and a.outcome.is_verdict}
            assert len(limits) <= 1
            saw_half |= forward.is_raised and (decisive[0] is None) != (decisive[1] is None)
    assert saw_half
    assert came_back(place_of(place)) == came_back(record_of(whole))


def test_a_cut_that_repetitions_share_raises_one_repetition_only(tmp_path):
    more = f"{MORE}[repetitions.subset]\npairs = 4\nper_order = 3\n"
    protocol = write_study(tmp_path, 8, judge=JUDGE, more=more)
    run(protocol)
    (pairs,) = evidence_of(record_of(protocol)).groups.values()
    seen = set()
    for judged in pairs:
        repeated = [judged.evidence.stability.get(order, []) for order in Order]
        for forward, reversed_ in zip(*repeated, strict=True):
            assert forward.is_raised == reversed_.is_raised
            limits = {
                s.decisive.reply.sent["max_tokens"] for s in (forward, reversed_) if s.decisive
            }
            assert limits == {RAISED if forward.is_raised else DECLARED}
            seen.add(forward.is_raised)
    assert seen == {True, False}


def test_one_order_alone_is_asked_again_alone(tmp_path):
    more = f'{MORE}[orders]\nassignment = "single_balanced"\n'
    protocol = write_study(tmp_path, 20, judge=JUDGE, more=more)
    assert run(protocol).outstanding == 0
    by_key = defaultdict(list)
    for attempt in attempts_of(record_of(protocol)):
        by_key[attempt.key].append(attempt.reply.sent["max_tokens"])
    assert {tuple(limits) for limits in by_key.values()} >= {(40,), (40, 90)}
    assert not any(limits[0] == limits[-1] == 90 for limits in by_key.values())
    assert run(protocol).calls == 0


def test_the_raise_is_fixed_before_the_first_call(tmp_path):
    protocol = write_study(tmp_path, judge=JUDGE, more=RETRY)
    run(protocol)
    write_study(tmp_path, judge=JUDGE, more=MORE)
    with pytest.raises(RecordMismatchError, match=r"retry\.raise_max_tokens_to was absent, is 90"):
        run(protocol)


def test_a_replay_raises_as_its_record_did(whole, tmp_path):
    again = write_study(tmp_path, N_PAIRS, more=MORE)
    text = again.read_text("utf-8").replace(
        'kind = "scripted"', f'kind = "replay"\nrecord = "{record_of(whole)}"\njudge = "script"'
    )
    again.write_text(text, "utf-8")
    run(again)
    reports = [report_of(record_of(p)) for p in (whole, again)]
    assert reports[0].groups[0].dispositions == reports[1].groups[0].dispositions
    assert reports[0].reconciliation.raised == reports[1].reconciliation.raised


# ------------------------------------------------------------------------ over the network


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        ("max_tokens = 40", "max_tokens"),
        ("parameters = { max_completion_tokens = 40 }", "max_completion_tokens"),
    ],
)
@pytest.mark.parametrize("concurrency", [1, 6])
def test_an_endpoint_gets_the_raised_limit_in_its_own_parameter(tmp_path, limit, name, concurrency):
    more = '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 120\n'
    with FaultServer(thinking) as server:
        judge = f"concurrency = {concurrency}\n{limit}"
        protocol = write_http_study(tmp_path, server.url, 8, judge=judge, more=more)
        summary = run(protocol)
        sent = Counter(seen.body[name] for seen in server.chats)
        assert run(protocol).calls == 0
    assert summary.outstanding == 0
    assert set(sent) == {40, 120}
    assert sent[40] == 16
    for orders in held(record_of(protocol)).values():
        decisive = {shown.decisive.reply.sent[name] for shown in orders.values()}
        cut = any(s.attempts[0].outcome.kind == "truncated" for s in orders.values())
        assert decisive == ({120} if cut else {40})
        assert {len(shown.attempts) for shown in orders.values()} == {1 + cut}
    (group,) = report_of(record_of(protocol)).groups
    assert group.dispositions["incomplete"] == 0


# --------------------------------------------------------------------- beyond the rule

FAILING = "unparsed_rate = 0.6\nrefusal_rate = 0.2"
ONCE_MORE = '[retry]\noutcomes = ["unparsed"]\nmax_attempts = 2\n'


def last_kinds(record):
    kinds = {}
    for attempt in attempts_of(record):
        kinds.setdefault(attempt.key, []).append(attempt.outcome.kind.value)
    return kinds


@pytest.fixture
def used_up(tmp_path):
    protocol = write_study(tmp_path, 14, judge=FAILING, more=ONCE_MORE)
    run(protocol)
    return protocol


def test_what_the_rule_names_is_asked_once_more_and_changes_no_number(used_up):
    record = record_of(used_up)
    before, kinds = report_of(record), last_kinds(record)
    wanted = {key for key, found in kinds.items() if found == ["unparsed", "unparsed"]}
    assert len(wanted) > 2
    assert any(found[-1] == "refused" for found in kinds.values())
    summary = run(used_up, retry_failed=True)
    assert (summary.calls, summary.beyond_rule, summary.used_up) == (len(wanted),) * 3
    assert summary.outstanding == 0
    after = last_kinds(record)
    assert {key for key in after if len(after[key]) > len(kinds[key])} == wanted
    n_verdicts = sum(after[key][-1] in {"first", "second"} for key in wanted)
    assert 0 < n_verdicts < len(wanted)

    now = report_of(record)
    assert now.groups[0].dispositions == before.groups[0].dispositions
    assert now.groups[0].measures == before.groups[0].measures
    assert now.groups[0].outcomes == before.groups[0].outcomes
    assert now.reconciliation.with_verdict == before.reconciliation.with_verdict
    beyond = report_value(now)["reconciliation"]["beyond_retry_rule"]
    n = len(wanted)
    assert beyond == {"presentations": n, "calls": n, "with_verdict": n_verdicts}
    assert now.warnings[0].startswith(
        f"{n} presentations asked beyond the retry rule that was fixed before the first call;"
        f" {n_verdicts} of them then gave a verdict. None of that is counted"
    )
    # A plain rerun goes on with the rule, which is through.
    assert run(used_up).calls == 0
    # Once more for each invocation, until there is a verdict or what the rule does not name.
    again = run(used_up, retry_failed=True)
    assert again.calls == sum(after[key][-1] == "unparsed" for key in wanted)
    assert report_value(report_of(record))["reconciliation"]["beyond_retry_rule"]["calls"] == (
        n + again.calls
    )


def test_the_exploratory_report_counts_them_and_is_labelled_throughout(used_up):
    record = record_of(used_up)
    run(used_up, retry_failed=True)
    plain, found = (report_of(record, exploratory=flag) for flag in (False, True))
    n_verdicts = found.reconciliation.beyond_rule.with_verdict
    assert found.reconciliation.with_verdict == plain.reconciliation.with_verdict + n_verdicts
    assert found.reconciliation.adds_up
    value = report_value(found)
    assert (value["exploratory"], report_value(plain)["exploratory"]) == (True, False)
    assert value["warnings"][0].startswith("Exploratory: ")
    (group,) = value["groups"]
    assert all(measure["exploratory"] for measure in group["measures"].values())
    text = render_text(found)
    assert text.startswith("counterbalance EXPLORATORY report: ")
    assert "nothing here was decided beforehand" in text.splitlines()[1]
    assert "* planned" not in text


def test_case_files_flag_them(used_up, tmp_path):
    record = record_of(used_up)
    run(used_up, retry_failed=True)
    for flags in ([], ["--exploratory"]):
        lines, table = tmp_path / "cases.jsonl", tmp_path / "cases.csv"
        files = ("--jsonl", lines, "--csv", table)
        ended = command("report", record, *files, *flags)
        assert ended.code == 0, ended.err
        cases = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
        assert {case["exploratory"] for case in cases} == {bool(flags)}
        presentations = [
            shown for c in cases for o in c["orders"].values() for shown in o["repetitions"]
        ]
        beyond = [p for p in presentations if any(a["beyond_retry_rule"] for a in p["attempts"])]
        assert beyond
        for shown in beyond:
            assert [a["beyond_retry_rule"] for a in shown["attempts"]] == [False, False, True]
            assert [a["decisive"] for a in shown["attempts"]].index(True) == 1 + len(flags)
        with table.open(encoding="utf-8", newline="") as file:
            rows = {row["pair"]: row for row in csv.DictReader(file)}
        for case in cases:
            for order, shown in case["orders"].items():
                (repetition,) = shown["repetitions"]
                decisive = next(a for a in repetition["attempts"] if a["decisive"])
                row = rows[case["pair"]]
                assert row[f"{order}_outcome"] == decisive["outcome"]
                n_beyond = sum(a["beyond_retry_rule"] for a in repetition["attempts"])
                assert row[f"{order}_attempts_beyond_retry_rule"] == str(n_beyond)


def test_where_nothing_is_used_up_it_equals_a_run(tmp_path):
    one, other = (
        write_study(tmp_path / name, judge=FAILING, more=ONCE_MORE) for name in ("one", "other")
    )
    run(one)
    summary = run(other, retry_failed=True)
    assert (summary.used_up, summary.beyond_rule) == (0, 0)
    assert came_back(record_of(one)) == came_back(record_of(other))


def test_a_call_beyond_the_rule_that_never_came_back_is_not_asked_by_a_rerun(used_up):
    """Started and killed: counted as lost, and still the last outcome inside the rule stands."""
    record, study = record_of(used_up), load_study(used_up)
    key = next(k for k, found in last_kinds(record).items() if found == ["unparsed", "unparsed"])
    before = report_of(record)

    async def begin_and_die():
        with open_record(record, create=False, exclusive=True) as store:
            entry = next(e for e in store.plan() if e.presentation.key == key)
            (of,) = (p for p in study.pairs.pairs if p.id == entry.presentation.pair_id)
            renderer = Renderer(study.protocol, study.protocol.delimiter_secret)
            prompt = renderer.render(of, entry.presentation.order, study.protocol.labellings[0])
            await store.start(key, 3, "2026-11-30T00:00:00.000+00:00", prompt.messages)

    asyncio.run(begin_and_die())
    summary = run(used_up)
    assert (summary.calls, summary.lost, summary.outstanding) == (0, 1, 0)
    assert last_kinds(record)[key] == ["unparsed", "unparsed", "failed"]
    after = report_of(record)
    assert after.reconciliation.without_verdict == before.reconciliation.without_verdict
    assert after.groups[0].measures == before.groups[0].measures
    assert run(used_up, retry_failed=True).calls == len(
        [1 for found in last_kinds(record).values() if found[:2] == ["unparsed", "unparsed"]]
    )
    assert len(last_kinds(record)[key]) == 4


def test_both_kinds_go_together(tmp_path):
    """A pair that was raised and used its attempts up is asked beyond the rule as it was last."""
    judge = "max_tokens = 10\nreasoning_words = 200"
    retry = '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 150\n'
    protocol = write_study(tmp_path, 10, judge=judge, more=retry)
    run(protocol)
    before = report_of(record_of(protocol))
    n_cut = before.groups[0].outcomes["truncated"]
    assert n_cut > 1
    summary = run(protocol, retry_failed=True)
    assert (summary.calls, summary.beyond_rule) == (n_cut, n_cut)
    for orders in held(record_of(protocol)).values():
        for shown in orders.values():
            assert [a.reply.sent["max_tokens"] for a in shown.beyond] in ([], [150])
    after = report_of(record_of(protocol))
    assert after.groups == before.groups or after.groups[0].measures == before.groups[0].measures


def test_the_verb_says_what_it_did(tmp_path, used_up):
    ended = command("run", used_up, "--retry-failed", "--quiet")
    assert ended.code == 0, ended.err
    assert "of the calls lie beyond the retry rule" in ended.out
    assert "not counted" in command("report", record_of(used_up)).out
    value = json.loads(command("run", used_up, "--retry-failed", "--quiet", "--json").out)
    assert value["beyond_retry_rule"] == value["calls"]
    plain = write_study(tmp_path / "plain")
    assert command("run", plain, "--quiet").code == 0
    ended = command("run", plain, "--retry-failed", "--quiet")
    assert ended.code == 0
    (line,) = [line for line in ended.out.splitlines() if "--retry-failed" in line]
    assert "nothing is beyond the retry rule" in line


def test_a_budget_holds_beyond_the_rule_too(used_up):
    n = n_attempts(used_up)
    text = used_up.read_text("utf-8") + f"[budget]\nmax_calls = {n + 1}\n"
    used_up.write_text(text, "utf-8")
    summary = run(used_up, retry_failed=True)
    assert (summary.calls, summary.outstanding) == (1, 0)
    assert "budget" in summary.stopped
