"""No alarm on figures that were computed from units; one for each that is altered, by its name."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.tables.check import Finding, Link
from tables.printing import audit_of, broken, check, one_table, printed_study, shown

VARIANTS = ("corrected", "asymptotic", "exact", "mid_p")


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(20, 700),
    places=st.integers(2, 5),
    variant=st.sampled_from(VARIANTS),
)
def test_consistent_figures_raise_no_alarm(seed, n, places, variant):
    study = printed_study(seed, n, places, variant)
    assert broken(audit_of(study)) == []
    del study["comparisons"][0]["test"]
    assert broken(audit_of(study)) == []
    comparison = study["comparisons"][0]
    comparison["b"], comparison["c"] = comparison.pop("lost"), comparison.pop("gained")
    assert broken(audit_of(study)) == []


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(20, 300),
    n_lost=st.integers(1, 12),
    places=st.integers(2, 5),
)
def test_lost_verdicts_raise_no_alarm_but_the_row_sum(seed, n, n_lost, places):
    """Agreement and kappa of a row that lost verdicts are those of the units that are left."""
    study = printed_study(seed, n, places, n_lost=n_lost)
    audit = audit_of(study)
    assert broken(audit) == [("rows_add_up", "new")]
    assert audit.first_broken.values["short"] == n_lost


PLANTED = {
    "a verdict short": ("rows", 1, "verdicts", lambda x: {**x, "A": x["A"] - 7}, "rows_add_up"),
    "agreement": ("rows", 1, "agreement", lambda x: shown(float(x) + 0.002, 3), "possible_count"),
    "kappa": ("rows", 1, "kappa", lambda x: shown(float(x) + 0.01, 3), "kappa_from_marginals"),
    "standard error": (
        "rows", 1, "standard_error", lambda x: shown(float(x) * 1.1, 4), "standard_error",
    ),
    "limits": ("rows", 1, "interval", lambda _: ["0.10", "0.20"], "limits_hold_estimate"),
    "tie rate": ("rows", 1, "tie_rate", lambda x: shown(float(x) + 0.02, 3), "tie_rate"),
    "difference": (
        "comparisons", 0, "difference", lambda x: shown(float(x) + 0.01, 3), "printed_difference",
    ),
    "gained": ("comparisons", 0, "gained", lambda x: x + 2, "net_gain"),
    "statistic": (
        "comparisons", 0, "chi_square", lambda x: shown(float(x) + 0.4, 2),
        "chi_square_from_counts",
    ),
    "p-value": ("comparisons", 0, "p", lambda x: shown(float(x) + 0.02, 4), "p_from_counts"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_is_caught_and_named(name):
    where, index, key, alter, rule = PLANTED[name]
    study = printed_study(11, 240)
    assert broken(audit_of(study)) == []
    part = study["tables"][0]["rows"] if where == "rows" else study["comparisons"]
    part[index][key] = alter(copy.deepcopy(part[index][key]))
    rules = {rule for rule, _ in broken(audit_of(study))}
    assert rule in rules


def test_the_first_broken_link_is_the_earliest_of_the_chain():
    study = printed_study(11, 240)
    study["comparisons"][0]["chi_square"] = "99.00"
    study["tables"][0]["rows"][1]["kappa"] = "0.001"
    audit = audit_of(study)
    assert audit.first_broken.link is Link.KAPPA
    links = [c.link for c in audit.checks]
    assert links == sorted(links, key=list(Link).index)


def test_agreement_that_the_marginals_rule_out():
    row = {"name": "r", "verdicts": {"A": 90, "B": 10}, "gold": {"A": 10, "B": 90}}
    audit = audit_of(one_table({**row, "agreement": "0.50"}, n=100))
    assert broken(audit) == [("agreement_within_marginals", "r")]
    assert "10 to 20" not in check(audit, "agreement_within_marginals").found
    assert check(audit, "agreement_within_marginals").found.startswith(
        "the marginals allow 0 to 20"
    )


@pytest.mark.parametrize(
    ("printed", "verdict"), [({"agreement": "0.61", "agreement_over": "decided"}, True),
                             ({"agreement": "0.61"}, False)],
)  # fmt: skip
def test_ties_left_out_without_a_word(printed, verdict):
    # 50 of 82 decided verdicts; over all 100 it would be 0.50.
    row = {"name": "r", "verdicts": {"A": 45, "B": 37, "tie": 18}, **printed}
    row["agreement"] = "0.6098"
    audit = audit_of(one_table(row, n=100))
    found = check(audit, "possible_count")
    assert (found.verdict is Finding.CONSISTENT) is verdict
    assert ("if ties are excluded, the source does not say so" in found.found) is not verdict


def test_a_row_without_a_tie_column_is_asked_for_it():
    row = {"name": "r", "verdicts": {"A": 45, "B": 37}}
    audit = audit_of(one_table(row, n=100))
    assert 'no label is "tie"' in check(audit, "rows_add_up").found


def test_shares_of_verdicts():
    good = {"name": "r", "verdicts": {"A": "45.2%", "B": "36.7%", "tie": "18.1%"}}
    audit = audit_of(one_table(good, n=210))
    assert broken(audit) == []
    assert check(audit, "rows_add_up").values["sum"] == 210
    short = {"name": "r", "verdicts": {"A": "45.2%", "B": "36.7%", "tie": "15.1%"}}
    assert ("shares_add_up", "r") in broken(audit_of(one_table(short, n=210)))
    impossible = {"name": "r", "verdicts": {"A": "45.1%", "B": "36.8%", "tie": "18.1%"}}
    assert ("possible_verdicts", "r") in broken(audit_of(one_table(impossible, n=210)))


def test_declared_missing_judgments_are_no_alarm():
    row = {"name": "r", "verdicts": {"A": 162, "B": 146, "tie": 83}, "missing": 9}
    assert broken(audit_of(one_table(row, n=400))) == []
    row["missing"] = 8
    assert broken(audit_of(one_table(row, n=400))) == [("rows_add_up", "r")]


def test_an_unpaired_design_is_told_so_and_gets_the_checks_that_apply():
    rows = [
        {"name": "x", "n": 100, "agreement": "0.60"},
        {"name": "y", "n": 120, "agreement": "0.75"},
    ]
    comparison = {"name": "c", "base": "x", "new": "y", "b": 3, "c": 9, "difference": "0.15",
                  "chi_square": "5.66", "p": "0.017"}  # fmt: skip
    study = {**one_table(*rows), "design": "unpaired", "comparisons": [comparison]}
    audit = audit_of(study)
    assert broken(audit) == []
    assert check(audit, "paired_only").verdict is Finding.CANNOT_BE_CHECKED
    assert check(audit, "two_shares").values["fitting"] == ["chi_square"]
    comparison["p"] = "0.180"
    assert broken(audit_of(study)) == [("two_shares", "c")]


def test_a_p_value_without_counts_gets_a_magnitude_check():
    rows = [{"name": "x", "agreement": "0.580"}, {"name": "y", "agreement": "0.695"}]
    comparison = {"name": "c", "base": "x", "new": "y", "p": "0.0003", "test": "corrected"}
    study = {**one_table(*rows, n=400), "comparisons": [comparison]}
    found = check(audit_of(study), "counts_behind")
    assert found.verdict is Finding.CONSISTENT
    assert "no more than the magnitude" in found.found
    # 46 gained and none lost is the least that p can be: 5e-11; all units discordant the most.
    comparison["p"] = "0.9"
    assert broken(audit_of(study)) == [("counts_behind", "c")]
    del rows[0]["agreement"]
    assert check(audit_of({**one_table(*rows, n=400), "comparisons": [comparison]}),
                 "counts_behind").verdict is Finding.CANNOT_BE_CHECKED  # fmt: skip


def test_a_regression_has_no_counts_to_check_it_by():
    comparison = {"name": "c", "gained": 3, "lost": 9, "n": 100, "p": "0.5", "test": "other"}
    audit = audit_of({"title": "t", "comparisons": [comparison]})
    assert check(audit, "p_from_counts").verdict is Finding.CANNOT_BE_CHECKED


def test_nothing_to_check_is_no_alarm_and_no_pass():
    audit = audit_of(one_table({"name": "r", "agreement": "0.5"}))
    assert audit.counts == {"consistent": 0, "inconsistent": 0, "cannot_be_checked": 1}
    assert "give n" in audit.checks[0].found


WINS = {"name": "r", "wins": 44, "losses": 36, "ties": 20, "win_rate": "54.0%"}


@pytest.mark.parametrize(
    ("altered", "rule", "verdict"),
    [
        ({}, "win_rate", "consistent"),
        ({"win_rate": "44.0%"}, "win_rate", "consistent"),
        ({"win_rate": "55.0%"}, "win_rate", "consistent"),
        ({"win_rate": "56.0%"}, "win_rate", "inconsistent"),
        ({"win_rate": "55.0%", "win_rate_counts": "half_ties"}, "win_rate", "inconsistent"),
        ({"ties": 19}, "outcomes_add_up", "inconsistent"),
        ({"standard_error": "0.0445"}, "win_rate_error", "consistent"),
        ({"standard_error": "0.0600"}, "win_rate_error", "cannot_be_checked"),
        ({"standard_error": "0.0600", "standard_error_method": "binomial"}, "win_rate_error",
         "inconsistent"),
        ({"wins": None, "losses": None, "ties": None, "standard_error": "0.0600"},
         "win_rate_error", "inconsistent"),
        ({"wins": None, "losses": None, "ties": None, "standard_error": "0.0200"},
         "win_rate_error", "consistent"),
    ],
)  # fmt: skip
def test_win_rates_with_ties(altered, rule, verdict):
    row = {k: x for k, x in {**WINS, **altered}.items() if x is not None}
    assert check(audit_of(one_table(row, n=100)), rule).verdict.value == verdict


ORDERS = {"both_right": 38, "right_and_tie": 45, "right_and_missing": 4, "right_and_wrong": 44,
          "never_right": 139}  # fmt: skip


@pytest.mark.parametrize(
    ("score", "means", "verdict"),
    [
        ("14.1%", "both", "consistent"),
        ("32.2%", "net", "consistent"),
        ("31.3%", "half", "consistent"),
        ("32.2%", None, "consistent"),
        ("32.2%", "both", "inconsistent"),
        ("40.0%", None, "inconsistent"),
    ],
)
def test_scores_over_two_orders(score, means, verdict):
    row = {"name": "r", "two_orders": ORDERS, "score": score}
    if means:
        row["score_means"] = means
    assert check(audit_of(one_table(row, n=270)), "two_order_score").verdict.value == verdict
    row["two_orders"] = {**ORDERS, "never_right": 100}
    assert broken(audit_of(one_table(row, n=270))) == [("two_order_score", "r")]


def test_a_reference_that_does_not_add_up():
    table = one_table({"name": "r", "verdicts": {"A": 5, "B": 5}}, n=10, gold={"A": 5, "B": 4})
    assert broken(audit_of(table)) == [("reference_adds_up", "T")]


def test_calling_disagreements_tied_on_the_same_first_call():
    base = {"name": "B0", "agreement": "0.70", "verdicts": {"A": 95, "tie": 5}}
    rule = {"name": "S1", "agreement": "0.90", "verdicts": {"A": 88, "tie": 12},
            "tie_rule_of": "B0", "same_first_call": True}  # fmt: skip
    table = one_table(base, rule, n=100, gold={"A": 80, "tie": 20})
    assert ("tie_rule_identity", "S1") in broken(audit_of(table))
    rule["same_first_call"] = False
    found = check(audit_of(table), "tie_rule_identity")
    assert found.verdict is Finding.CANNOT_BE_CHECKED
    table = one_table(base, {**rule, "same_first_call": True}, n=100, gold={"A": 60, "B": 40})
    assert ("no_reference_ties", "S1") in broken(audit_of(table))


def test_units_in_clusters_are_told_how_far_intervals_could_widen():
    study = printed_study(11, 240)
    study["tables"][0]["clusters"] = 60
    audit = audit_of(study)
    widening = [f for f in audit.figures if f.name == "widening"]
    assert [f.subject for f in widening] == ["base", "new"]
    assert widening[0].values["factors"]["1"] == pytest.approx(2.0)
    (lost,) = [f for f in audit.figures if f.name == "significance_under_clusters"]
    assert 0 < lost.values["correlation"] <= 1


FAMILY = {
    "title": "t",
    "error_rate": 0.05,
    "comparisons": [
        {"name": "a", "gained": 40, "lost": 10, "survives": True},
        {"name": "b", "gained": 30, "lost": 20, "survives": False},
    ],
    "families": [{"name": "f", "m": 2, "method": "holm", "comparisons": ["a", "b"]}],
}


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ({"count": 1}, "consistent"),
        ({"count": 1, "names": ["a"]}, "consistent"),
        ({"names": ["a"]}, "consistent"),
        ({"count": 2}, "inconsistent"),
        ({"names": ["b"]}, "inconsistent"),
    ],
)
def test_sentences_about_survivors(claim, verdict):
    claims = [{"kind": "survivors", "where": "w", "families": ["f"], **claim}]
    audit = audit_of({**FAMILY, "claims": claims})
    assert check(audit, "survivors").verdict.value == verdict
    assert check(audit, "survivor_marks").verdict is Finding.CONSISTENT


def test_marks_that_do_not_survive():
    study = copy.deepcopy(FAMILY)
    study["comparisons"][1]["survives"] = True
    assert broken(audit_of(study)) == [("survivor_marks", "f")]
    del study["error_rate"]
    found = check(audit_of(study), "survivor_marks")
    assert found.verdict is Finding.CANNOT_BE_CHECKED
    assert "error_rate" in found.found


def test_undisclosed_p_values_leave_bounds():
    study = copy.deepcopy(FAMILY)
    study["families"][0]["m"] = 10
    claims = [{"kind": "survivors", "where": "w", "families": ["f"], "count": 4}]
    open_ = check(audit_of({**study, "claims": claims}), "survivors")
    assert open_.verdict is Finding.CANNOT_BE_CHECKED
    assert "not disclosed" in open_.found
    study["families"][0]["undisclosed"] = "larger"
    assert broken(audit_of({**study, "claims": claims})) == [("survivors", "w")]


def test_both_procedures_are_followed_where_none_is_named():
    study = copy.deepcopy(FAMILY)
    del study["families"][0]["method"]
    methods = {f.values["method"] for f in audit_of(study).figures if f.name == "trajectory"}
    assert methods == {"holm", "benjamini_hochberg"}


@pytest.mark.parametrize(("says", "verdict"), [("falls", "inconsistent"), ("rises", "consistent"),
                                               ("does_not_change", "inconsistent")])  # fmt: skip
def test_sentences_about_changes(says, verdict):
    rows = [{"name": "x", "tie_rate": "10%"}, {"name": "y", "tie_rate": "20%"}]
    claim = {"kind": "change", "where": "w", "quantity": "tie_rate", "says": says,
             "changes": [["x", "y"]]}  # fmt: skip
    study = {**one_table(*rows), "claims": [claim]}
    assert check(audit_of(study), "claimed_change").verdict.value == verdict
    del rows[0]["tie_rate"]
    unknown = check(audit_of({**one_table(*rows), "claims": [claim]}), "claimed_change")
    assert unknown.verdict is Finding.CANNOT_BE_CHECKED


@pytest.mark.parametrize(("p", "verdict"), [("0.0001", "inconsistent"), ("0.2", "consistent")])
def test_a_quoted_p_value(p, verdict):
    comparison = {"name": "c", "base": "x", "new": "y", "gained": 30, "lost": 20}
    claim = {"kind": "p_value", "where": "w", "base": "x", "new": "y", "p": p}
    audit = audit_of({"title": "t", "comparisons": [comparison], "claims": [claim]})
    assert check(audit, "quoted_p_value").verdict.value == verdict


def test_the_reference_behind_kappas_that_print_none():
    study = printed_study(5, 120, 4)
    gold = study["tables"][0].pop("gold")
    audit = audit_of(study)
    found = check(audit, "feasible_gold")
    assert found.verdict is Finding.CONSISTENT
    low, high = found.values["low"], found.values["high"]
    assert all(a <= gold[x] <= b for x, a, b in zip(gold, low, high, strict=True))
    study["tables"][0]["rows"][0]["kappa"] = "0.9900"
    assert ("feasible_gold", "T") in broken(audit_of(study))


def test_a_share_that_is_cut_off_is_named_so():
    audit = audit_of(one_table({"name": "r", "agreement": "0.666"}, n=6))
    assert broken(audit) == [("possible_count", "r")]
    assert "cut off instead of rounded it would be 4 of 6" in audit.first_broken.found
