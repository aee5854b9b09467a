"""Held-out pairs through a real run: counted apart, and nowhere else."""

import json

import pytest

from counterbalance.errors import ProtocolError
from counterbalance.presentations.assignment import held_out_ids
from counterbalance.presentations.held_out import held_out_pairs
from counterbalance.record import open_record
from counterbalance.report.as_json import report_json
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.report.text import render_text
from counterbalance.run.forecast import forecast
from counterbalance.run.study import load_study
from studies import row, run, write_study

HELD_OUT = """
[held_out]
share = 0.34
seed = 11
"""
EXCLUDED = """
[[exclusions]]
reason = "Read before."
pairs = ["{}"]
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Twelve pairs in six clusters, one of them excluded; the held-out ones say so in a text."""
    folder = tmp_path_factory.mktemp("study")
    rows = [row(n, cluster=f"c{n // 2}") for n in range(12)]
    path = write_study(folder, rows=rows, more=HELD_OUT)
    drawn = held_out_ids((found := load_study(path)).pairs.pairs, found.protocol)
    first, *others = sorted(drawn)
    rows = [r | {"prompt": f"SECRET {r['id']}"} if r["id"] in drawn else r for r in rows]
    write_study(folder, rows=rows, more=HELD_OUT + EXCLUDED.format(first))
    run(path)
    return path, set(others), first


def test_counts(study):
    path, held_out, excluded = study
    with open_record(path.with_suffix(".record.sqlite"), create=False, exclusive=False) as store:
        report, evidence = build_report(read_evidence(store)), read_evidence(store)
        assert evidence.held_out == held_out
        assert {e.presentation.pair_id for e in store.plan()}.isdisjoint({*held_out, excluded})
    (group,) = report.groups
    counts = group.counts
    assert (counts.held_out, counts.excluded, counts.pairs) == (3, 1, 8)
    assert counts.held_out + counts.excluded + counts.pairs == report.rows == 12
    assert sum(group.dispositions.values()) == counts.pairs
    assert report.reconciliation.planned == report.reconciliation.with_verdict == 2 * counts.pairs
    text = report_json(report)
    assert json.loads(text)["groups"][0]["counts"]["held_out"] == len(held_out)
    assert "SECRET" not in text
    text = render_text(report, detail="full")
    assert "SECRET" not in text
    assert "3 pairs are held out for a confirmation" in " ".join(text.split())


def test_the_plan_counts_them(study):
    path, _, _ = study
    plan = forecast(load_study(path), "0" * 32)
    assert (plan.pairs, plan.held_out, plan.excluded) == (12, 3, 1)
    assert plan.purposes["main"] == 2 * 8


def test_one_cluster_is_refused(tmp_path):
    rows = [row(n, cluster="c") for n in range(4)]
    path = write_study(tmp_path, rows=rows, more="[held_out]\nshare = 0.5\nseed = 1\n")
    with pytest.raises(ProtocolError, match=r"\[held_out\] all pairs are of one cluster"):
        load_study(path)


def test_nothing_left_to_judge_is_refused(tmp_path):
    rows = [row(0), row(1, a="same", b="same")]
    path = write_study(tmp_path, rows=rows)
    pairs = load_study(path).pairs.pairs
    seed = next(seed for seed in range(99) if held_out_pairs(pairs, 0.5, seed) == {"p0"})
    write_study(tmp_path, rows=rows, more=f"[held_out]\nshare = 0.5\nseed = {seed}\n")
    with pytest.raises(ProtocolError, match=r"\[held_out.share\] leaves no pair to judge"):
        load_study(path)


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ("share = 0.0\nseed = 1", "held_out.share"),
        ("share = 1.0\nseed = 1", "held_out.share"),
        ("share = 0.2", "held_out.seed"),
        ("share = 0.2\nseed = -1", "held_out.seed"),
        ("share = 0.2\nseed = 1\npairs = 3", "held_out.pairs"),
    ],
)
def test_refused_tables(tmp_path, table, place):
    path = write_study(tmp_path, more=f"[held_out]\n{table}\n")
    with pytest.raises(ProtocolError) as caught:
        load_study(path)
    assert caught.value.key == place


def test_a_protocol_without_the_table_keeps_its_hash(tmp_path):
    plain = load_study(write_study(tmp_path)).protocol
    assert "held_out" not in plain.canonical
    held = load_study(write_study(tmp_path, more="[held_out]\nshare = 0.5\nseed = 1")).protocol
    assert held.canonical["held_out"] == {"share": 0.5, "seed": 1}
    assert held.digest != plain.digest
