"""Which pairs people are to judge: every class of them, each for its reason."""

from __future__ import annotations

from collections import Counter

import pytest

from counterbalance.dispositions.evidence import GroupId
from counterbalance.measures.review_cases import review_frame
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from studies import row, run, write_study

BREACH = {"id": "r", "rule": "stated", "value": ["a", "b"], "text": "Be right."}


def frame(folder, rows, **study):
    protocol = write_study(folder, rows=rows, **study)
    run(protocol)
    with open_record(str(folder / "protocol.record.sqlite"), create=False, exclusive=False) as s:
        return review_frame(read_evidence(s).groups)


def reasons(found):
    return Counter(r.reason for reasons in found.selected.values() for r in reasons)


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("slot_rate = 1.0", {"order_disagreement": 6}),
        ("refusal_rate = 1.0", {"refused": 6}),
        ("unparsed_rate = 1.0", {"incomplete": 6}),
        ("", {}),
    ],
)
def test_what_a_judge_leaves_open(tmp_path, judge, expected):
    found = frame(tmp_path, [row(n, reference=None) for n in range(6)], judge=judge)
    assert reasons(found) == Counter(expected)
    assert len(found.stable) == (0 if expected else 6)
    assert found.outside == ()


def test_stable_pairs_are_selected_for_what_contradicts_them(tmp_path):
    rows = [row(n, reference="tie") for n in range(2)]
    rows += [row(n, reference=None, requirements=[BREACH]) for n in range(2, 4)]
    rows += [row(4, reference=["a", "b", "tie"]), row(5, a="same", b="same")]
    found = frame(tmp_path, rows)
    assert reasons(found) == Counter({"contradicts_reference": 2, "requirement_failed": 2})
    assert (len(found.stable), len(found.outside)) == (1, 1)
    assert len(found.selected) + 2 == len(found.pairs) == 6


def test_one_order_is_no_reason_and_not_stable(tmp_path):
    rows = [row(n, reference=None) for n in range(3)]
    found = frame(tmp_path, rows, more='[orders]\nassignment = "single_balanced"\n')
    assert (dict(found.selected), found.stable, len(found.outside)) == ({}, (), 3)


def test_one_reason_in_one_group_selects_a_pair(tmp_path):
    rows = [row(n, reference=None) for n in range(4)]
    first = frame(tmp_path / "a", rows)
    assert len(first.stable) == 4
    protocol = write_study(tmp_path / "b", rows=rows, judge="slot_rate = 1.0")
    run(protocol)
    groups = {}
    for name in ("a", "b"):
        place = str(tmp_path / name / "protocol.record.sqlite")
        with open_record(place, create=False, exclusive=False) as store:
            (judged,) = read_evidence(store).groups.values()
        groups[GroupId(name, "A/B")] = judged
    both = review_frame(groups)
    assert (len(both.selected), both.stable) == (4, ())
    assert all(r.group == "b, labels A/B" for rs in both.selected.values() for r in rs)


def test_nothing_to_judge():
    found = review_frame({})
    assert (dict(found.selected), found.stable, found.outside) == ({}, (), ())
