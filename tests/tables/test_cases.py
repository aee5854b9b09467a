"""The worked cases: what is broken in each, what holds, and that nothing else raises an alarm."""

from __future__ import annotations

import pytest

from counterbalance.tables.audit import audit_tables
from counterbalance.tables.reading import (
    CASES,
    case_text,
    description_from_text,
    template_text,
)
from tables.printing import broken, check

BROKEN = {
    "mitigation-study": [
        ("rows_add_up", "GPT-4o S1"),
        ("rows_add_up", "GPT-4o S5"),
        ("rows_add_up", "GPT-4o S1"),
        *(("possible_count", f"GPT-4o {s}") for s in ("B0", "S1", "S4", "S5", "S8")),
        ("joint_denominator", "GPT-4o"),
        ("sentences_agree", "McNemar, Regression"),
        ("quoted_p_value", "appendix D, Pro S1"),
        ("claimed_mde", "appendix D, detectable difference"),
        ("claimed_change", "section 4.2, ties of Pro and Flash"),
    ],
    "llmbar": [
        ("kappa_from_marginals", f"{name}, {order} order")
        for name in ("Natural", "GPTInst", "Neighbor", "GPTOut")
        for order in ("first", "second")
    ],
    "judgebench": [("two_order_score", "claude-3-haiku, taken for right in both orders")],
    "alpaca-eval": [],
}


def audit_case(name):
    return audit_tables(description_from_text(case_text(name), name, ".toml"))


@pytest.fixture(scope="module")
def study():
    return audit_case("mitigation-study")


def test_every_case_is_known():
    assert set(BROKEN) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_what_is_broken_and_nothing_else(name):
    assert broken(audit_case(name)) == BROKEN[name]


def test_the_template_is_consistent_and_uses_every_link():
    audit = audit_tables(description_from_text(template_text(), "t", ".toml"))
    assert broken(audit) == []
    assert audit.counts["cannot_be_checked"] == 0
    assert all(
        sum(n.values())
        for link, n in audit.counts_by_link.items()
        if link not in {"clusters", "log"}
    )


def test_all_25_kappas_follow_from_their_rows(study):
    found = [c for c in study.checks if c.rule.name == "kappa_from_marginals"]
    assert len(found) == 25
    assert {c.verdict.value for c in found} == {"consistent"}
    by = {c.subject: c for c in found}
    # The kappa of 391 verdicts gives no sign of the nine that are missing.
    assert by["GPT-4o S1"].values["scored"] == 391
    assert by["GPT-4o S1"].values["references_fitting"] > 0
    assert by["GPT-4o S5"].values["scored"] == 399


def test_missing_judgments_are_bounds_and_no_gain(study):
    figures = {(f.name, f.subject): f.values for f in study.figures}
    bounds = figures["difference_bounds", "GPT-4o S1"]
    assert (bounds["missing_base"], bounds["missing_new"]) == (0, 9)
    assert bounds["missing_wrong_low"] == bounds["missing_wrong_high"] == bounds["low"] == 0
    assert bounds["high"] == pytest.approx(0.0225)


def test_denominators(study):
    joint = {(c.table, c.subject): c for c in study.checks if c.rule.name == "joint_denominator"}
    assert joint["LLMBar", "GPT-4o"].values["denominators"][:2] == [199, 398]
    assert all(
        c.verdict.value == "consistent" for (table, group), c in joint.items() if group != "GPT-4o"
    )
    controlled = joint["Controlled pairs", "GPT-4o"].values["denominators"]
    assert controlled[0] == 25


def test_nine_mcnemar_rows_have_one_solution_each(study):
    found = [c for c in study.checks if c.rule.name == "counts_behind"]
    assert len(found) == 9
    assert all(c.values["n_solutions"] == 1 for c in found)
    assert all(
        c.verdict.value == "consistent" for c in study.checks if c.link in {"tests", "differences"}
    )
    letters = check(study, "net_gain", "Claude S8")
    assert "c counts the units gained" in letters.found


def test_two_and_three_survivors_are_two_sets_of_p_values(study):
    three = check(study, "survivors", "abstract, sections 1 and 4.2")
    two = check(study, "survivors", "section 5.3")
    assert three.values["fits"] == ["Regression: Holm over 20, printed p-values"]
    assert "McNemar: Holm over 20, printed p-values" in two.values["fits"]
    assert not any("Regression" in reading for reading in two.values["fits"])
    by = {f.values["p_values"]: f.values for f in study.figures if f.subject == "McNemar"}
    assert (by["corrected"]["fewest"], by["corrected"]["most"]) == (2, 2)
    assert (by["exact"]["fewest"], by["exact"]["most"]) == (2, 2)
    # The nine missing judgments alone leave room for more by the two laxer tests.
    assert (by["mid_p"]["fewest"], by["mid_p"]["most"]) == (2, 4)


def test_ties_fall_for_one_judge_of_five(study):
    assert check(study, "claimed_change", "section 4.2, ties of Claude").verdict.value == (
        "consistent"
    )
    others = check(study, "claimed_change", "section 4.2, ties of Pro and Flash")
    assert others.values["against"] == ["Pro S1 to Pro S8", "Flash S1 to Flash S8"]


def test_llmbar_kappas_are_those_of_one_label_coded_differently():
    audit = audit_case("llmbar")
    wrong = [c for c in audit.checks if c.verdict.value == "inconsistent"]
    assert all(c.values["slips"] == ["label_coding"] for c in wrong)
    natural = check(audit, "kappa_from_marginals", "Natural, first order")
    assert natural.values["low"] == pytest.approx(0.8977086743044189)


def test_alpaca_evals_length_controlled_errors_have_no_bound_from_the_table():
    audit = audit_case("alpaca-eval")
    found = {(c.table, c.subject): c for c in audit.checks if c.rule.name == "win_rate_error"}
    assert found["weighted", "NullModel"].verdict.value == "consistent"
    lengths = found["length-controlled", "NullModel"]
    assert lengths.verdict.value == "cannot_be_checked"
    assert "0.12 times" in lengths.found
