"""A study whose pairs are a data set of preferences: one road from the folder to the report."""

import json

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.study import load_study
from studies import run, write_study


def test_a_folder_of_preferences_is_judged(tmp_path):
    path = write_study(tmp_path, judge='quality_rate = 1.0\nquality_marker = "good"')
    text = path.read_text("utf-8").replace('baseline = "old"\n', "")
    path.write_text(text.replace('"pairs.jsonl"', '"set:test"'), "utf-8")
    data = tmp_path / "set" / "data"
    data.mkdir(parents=True)
    for shard in range(2):
        rows = [
            {"prompt": f"q{shard}.{n}", "chosen": f"good {n}", "rejected": f"bad {n}"}
            for n in range(5)
        ]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (data / f"test-0000{shard}-of-00002.jsonl").write_text(lines, "utf-8")
    assert load_study(path).pairs.n_rows == 10
    run(path)
    with open_record(path.with_suffix(".record.sqlite"), create=False, exclusive=False) as store:
        report = build_report(read_evidence(store))
    (group,) = report.groups
    assert group.dispositions["stable_a"] + group.dispositions["stable_b"] == 10
    assert group.dispositions["stable_a"] not in {0, 10}
    both = next(m for m in group.measures if m.name == "agreement_both")
    assert (both.numerator, both.denominator) == (10, 10)
