"""Reference values: denominators, kappa both ways, counts behind a statistic, Holm, ties."""

from __future__ import annotations

import json

import pytest

from counterbalance.tables.counts import counts_over, joint_denominators
from counterbalance.tables.discordant_search import Limits, solutions
from counterbalance.tables.printed import printed_number, printed_p, printed_share
from tables.printing import audit_of, check, one_table
from vectors.loading import FOLDER, case, cases

LABELS = ("A", "B", "tie")
GRIM = [c for c in cases("grim_denominator") if "feasible" in c.values[0]["expected"]]
KAPPAS = [c for c in cases("kappa_inversion") if "kappa" in c.values[0]["expected"]]


@pytest.mark.parametrize("given", GRIM)
def test_a_share_is_possible_over_a_denominator_or_not(given):
    inputs = given["inputs"]
    share = printed_share(f"{inputs['p']:.{inputs['decimals']}f}")
    assert bool(counts_over(share, inputs["n"])) is given["expected"]["feasible"]


def test_joint_denominators():
    given = case("grim_denominator", "joint_gpt4o_llmbar_five_cells")
    shares = [printed_share(f"{p:.3f}") for p in given["inputs"]["p"]]
    found = joint_denominators(shares, given["inputs"]["nmax"])
    assert found == given["expected"]["common_n"]
    given = case("grim_denominator", "joint_custom_agreements")
    shares = [printed_share(f"{p:.15f}") for p in given["inputs"]["p"]]
    assert joint_denominators(shares, 375) == given["expected"]["common_n"]


@pytest.mark.parametrize("given", KAPPAS)
def test_kappa_follows_from_marginals_and_agreement(given):
    inputs, expected = given["inputs"], given["expected"]
    row = {
        "name": "r",
        "verdicts": dict(zip(LABELS, inputs["pred"], strict=True)),
        "agreement": f"{inputs['agreement']:.4f}",
        "kappa": f"{expected['kappa_reported_3dp']:.3f}",
    }
    gold = dict(zip(LABELS, inputs["gold"], strict=True))
    found = check(audit_of(one_table(row, n=400, gold=gold)), "kappa_from_marginals")
    assert found.verdict.value == "consistent"
    assert found.values["low"] == pytest.approx(expected["kappa"], abs=1e-9)
    assert found.values["agreement_low"] <= inputs["agreement"] <= found.values["agreement_high"]


def test_kappa_of_a_row_with_missing_verdicts_is_divided_by_that_row():
    given = case("kappa_inversion", "gpt4o_S1_wrong_denominator")
    inputs, expected = given["inputs"], given["expected"]
    row = {
        "name": "r",
        "verdicts": dict(zip(LABELS, inputs["pred"], strict=True)),
        "agreement": f"{inputs['agreement']:.13f}",
        "kappa": f"{inputs['kappa']:.3f}",
    }
    gold = dict(zip(LABELS, inputs["gold"], strict=True))
    audit = audit_of(one_table(row, n=400, gold=gold))
    found = check(audit, "kappa_from_marginals")
    low, high = expected["kappa_range_over_missing_gold"]
    assert found.verdict.value == "consistent"
    assert found.values["low"] == pytest.approx(low, abs=1e-9)
    assert found.values["high"] == pytest.approx(high, abs=1e-9)
    assert f"{expected['po_if_divided_by_400sq']:.4f}" in found.found
    low, high = found.values["agreement_low"], found.values["agreement_high"]
    assert low < expected["po_if_normalised_391x400"] < high
    # The slip itself, printed: a kappa that only a division by 400 gives.
    row["agreement"], row["kappa"] = "0.66496", "0.490"
    slipped = check(audit_of(one_table(row, n=400, gold=gold)), "kappa_from_marginals")
    assert slipped.values["slips"] == ["divided_by_all"]


@pytest.mark.parametrize("given", cases("mcnemar_bc_search"))
def test_the_counts_behind_statistic_and_p_value(given):
    inputs = given["inputs"]
    n, base, new = inputs["n"], inputs["correct_base"], inputs["correct_new"]
    found = solutions(
        [new - base],
        Limits(n, min(n - base, new), min(base, n - new)),
        printed_number(f"{inputs['chi2_cc_2dp']:.2f}"),
        printed_p(f"{inputs['p_4dp']:.4f}"),
        ["corrected"],
    )
    assert [[s.gained, s.lost] for s in found] == given["expected"]["solutions_gained_lost"]


@pytest.mark.parametrize("given", cases("holm_variants"))
def test_survivors_of_each_variant(given):
    """With the other eleven comparisons larger, every variant leaves the same two."""
    comparisons = [
        {"name": f"c{i}", "gained": b, "lost": c} for i, (b, c) in enumerate(given["inputs"]["bc"])
    ]
    family = {"name": "f", "m": given["inputs"]["m"], "method": "holm", "undisclosed": "larger",
              "comparisons": [c["name"] for c in comparisons]}  # fmt: skip
    study = {"title": "t", "error_rate": 0.05, "comparisons": comparisons, "families": [family]}
    variant = {"cc": "corrected", "asym": "asymptotic", "exact": "exact", "midp": "mid_p"}[
        given["name"].rsplit("_", 1)[1]
    ]
    figures = [f for f in audit_of(study).figures if f.name == "trajectory"]
    found = next(f.values for f in figures if f.values["p_values"] == variant)
    assert found["fewest"] == found["most"] == given["expected"]["survivors"]
    ps = [step["p"] for step in sorted(found["steps"], key=lambda s: s["name"])]
    assert ps == pytest.approx(given["expected"]["p"], abs=1e-9)


@pytest.mark.parametrize("name", ["seed_mixed_effects_m20", "seed_mcnemar_m20"])
def test_adjusted_p_values_of_a_disclosed_family(name):
    given = case("multiplicity", name)
    p_values = {f"c{i}": f"{p:.4f}" for i, p in enumerate(given["inputs"]["p"])}
    family = {"name": "f", "m": 20, "method": "holm", "p_values": p_values, "undisclosed": "larger"}
    study = {"title": "t", "error_rate": 0.05, "families": [family]}
    (found,) = [f.values for f in audit_of(study).figures]
    assert found["fewest"] == given["expected"]["survivors_at_0_05"]


@pytest.mark.parametrize("given", cases("tie_estimator"))
def test_bounds_of_the_tie_rule(given):
    inputs, expected = given["inputs"], given["expected"]
    n = inputs["n_s1"]
    base = {"name": "B0", "n": 400, "agreement": f"{inputs['b0_correct'] / 400:.4f}",
            "verdicts": {"A": 400 - inputs["b0_ties"], "tie": inputs["b0_ties"]}}  # fmt: skip
    rule = {"name": "S1", "n": n, "agreement": f"{inputs['s1_correct'] / n:.4f}",
            "tie_rule_of": "B0",
            "verdicts": {"A": n - inputs["s1_ties"], "tie": inputs["s1_ties"]}}  # fmt: skip
    audit = audit_of(one_table(base, rule, gold={"A": 303, "tie": 97}))
    (found,) = [f.values for f in audit.figures if f.name == "tie_rule"]
    assert found["disagreement_high"] == pytest.approx(expected["disagree_range"][1], abs=1e-9)
    assert found["naive_at_high"] == pytest.approx(expected["naive_at_seed_a"], abs=1e-9)
    if n == 400:  # the vector takes tie rates of both rows, whatever their number of units
        assert found["disagreement_low"] == pytest.approx(expected["disagree_range"][0], abs=1e-9)
        assert found["naive_at_low"] == pytest.approx(expected["naive_at_max_a"], abs=1e-9)
        assert [found["excess_low"], found["excess_high"]] == pytest.approx(
            expected["needed_ttilde_minus_r"], abs=1e-9
        )


@pytest.mark.parametrize("given", [c for c in cases("mcnemar_power") if "mde" in c.id])
def test_detectable_and_least_significant_differences(given):
    n, total = given["inputs"]["n"], given["inputs"]["discordant"]
    comparison = {"name": "c", "n": n, "gained": total - 1, "lost": 1}
    study = {"title": "t", "error_rate": 0.05, "power": 0.8, "comparisons": [comparison]}
    (found,) = [f.values for f in audit_of(study).figures if f.name == "detectable"]
    assert found["detectable"] == pytest.approx(given["expected"]["mde"], abs=1e-6)
    least = given["expected"]["min_significant_net"]["midp"] / n
    assert found["least_significant"] == pytest.approx(least, abs=1e-12)
    claim = {"kind": "mde", "where": "w", "low": f"{found['detectable']:.3f}"}
    assert check(audit_of({**study, "claims": [claim]}), "claimed_mde").verdict.value == (
        "consistent"
    )
    claim["low"] = f"{found['least_significant']:.4f}"
    wrong = check(audit_of({**study, "claims": [claim]}), "claimed_mde")
    assert wrong.verdict.value == "inconsistent"
    assert "the smallest significant difference of c" in wrong.found


def test_every_aggregate_of_a_study_and_no_other_alarm():
    """88 files of one artifact: the rows that are short are found, everything else holds."""
    given = json.loads((FOLDER / "jtj_artifact_audit.json").read_text("utf-8"))
    gold = {"mt_bench": {"A": 158, "B": 145, "tie": 97}}
    tables = {}
    for row in given["rows"]:
        rows = tables.setdefault(row["benchmark"], [])
        one = {"name": f"{row['model']}/{row['strategy']}", "verdicts": row["verdicts"]}
        # The smallest model came from another, smaller sample, whose reference is not known.
        if row["agreement"] is not None and row["benchmark"] != "custom":
            one["agreement"] = f"{row['agreement']:.16f}"
        if "kappa_reported" in row:
            one["kappa"] = f"{row['kappa_reported']:.3f}"
        rows.append({**one, "n": row["nominal"]})
    study = {
        "title": "t",
        "tables": [
            {"name": name, "rows": rows, "gold": gold.get(name, {})}
            for name, rows in tables.items()
        ],
    }
    audit = audit_of(study)
    short = {f"{c.table}/{c.subject}" for c in audit.checks if c.verdict.value == "inconsistent"}
    assert {c.rule.name for c in audit.checks if c.verdict.value == "inconsistent"} == {
        "rows_add_up"
    }
    assert short == {line.partition(":")[0] for line in given["non_nominal"]}
    kappas = [c for c in audit.checks if c.rule.name == "kappa_from_marginals"]
    assert len(kappas) == 25
    for row in given["rows"]:
        if "kappa_recomputed" in row:
            name = f"{row['model']}/{row['strategy']}"
            found = next(c for c in kappas if c.subject == name)
            assert found.values["low"] == pytest.approx(row["kappa_recomputed"], abs=1e-9)
