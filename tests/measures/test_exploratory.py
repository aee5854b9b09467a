from __future__ import annotations

import pytest

from builders import in_columns, judged, pair
from counterbalance.measures.catalogue import exploratory_results
from counterbalance.measures.exploratory import EXPLORATORY_MEASURES, EXPLORATORY_TESTS
from counterbalance.statistics import (
    bhapkar_test,
    davidson_beaver,
    stuart_maxwell_test,
    two_rater_agreement,
)

ROWS = [("a", "a")] * 9 + [("a", "b")] * 6 + [("b", "b")] * 5 + [("b", "a")] * 2
ROWS += [("tie", "a")] * 3 + [("tie", "tie")] * 2 + [("a", "unparsed")] * 4


def results(rows=ROWS, **more):
    pairs = [judged(pair(f"p{n}", accepted=("a",), **more), *words) for n, words in enumerate(rows)]
    measures, tests = exploratory_results(in_columns(pairs))
    return {e.name: e for e in measures}, {t.name: t for t in tests}


def table(rows, words=("a", "b", "tie")):
    return [[sum(row == (one, two) for row in rows) for two in words] for one in words]


def test_ac1_and_alpha_of_the_orders_are_those_of_their_table():
    measures, _ = results()
    oracle = two_rater_agreement(table(ROWS))
    for name, one in (("ac1_orders", oracle.gwet), ("alpha_orders", oracle.krippendorff)):
        found = measures[name]
        assert found.value == pytest.approx(one.value)
        assert (found.low, found.high) == pytest.approx((one.low, one.high))
        assert found.denominator == 27
        assert "a, b, tie" in found.cautions[0]


def test_agreement_with_the_reference_is_that_of_the_order():
    measures, _ = results()
    oracle = two_rater_agreement([[19, 7, 5], [0, 0, 0], [0, 0, 0]])
    assert measures["ac1_forward"].value == pytest.approx(oracle.gwet.value)
    assert measures["ac1_forward"].denominator == 31
    assert measures["ac1_reversed"].denominator == 27


def test_marginal_tests_are_those_of_the_table_of_both_orders():
    _, tests = results()
    for name, test in (("stuart_maxwell", stuart_maxwell_test), ("bhapkar", bhapkar_test)):
        oracle = test(table(ROWS))
        assert tests[name].p_value == pytest.approx(oracle.p_value)
        assert (tests[name].numerator, tests[name].denominator) == (11, 27)


def test_pairs_that_share_clusters_are_said_to_be_taken_as_independent():
    pairs = [judged(pair(f"p{n}", cluster="one"), *words) for n, words in enumerate(ROWS)]
    _, tests = exploratory_results(in_columns(pairs, "cluster"))
    assert any("takes pairs as independent" in caution for caution in tests[0].cautions)


def test_two_systems_in_both_orders_need_no_model_of_strengths():
    measures, tests = results()
    assert "davidson_beaver_order" not in measures
    assert "davidson_beaver" not in tests


def three_systems(words):
    compared = [("x", "y"), ("y", "z"), ("x", "z")]
    return [
        judged(pair(f"p{n}", systems=compared[n % 3]), *words[n % len(words)]) for n in range(60)
    ]


def test_the_order_beside_strengths_is_that_of_the_model_with_the_first_slot_up():
    words = [("a", "b")] * 5 + [("a", "a"), ("b", "b"), ("tie", "a"), ("b", "b")]
    pairs = three_systems(words)
    measures, tests = exploratory_results(in_columns(pairs))
    found = next(e for e in measures if e.name == "davidson_beaver_order")
    first, second, counts, clusters = [], [], [], []
    for n, each in enumerate(pairs):
        a, b = each.pair.a.system, each.pair.b.system
        for shown, word in (((a, b), words[n % 9][0]), ((b, a), words[n % 9][1])):
            winner = {"a": a, "b": b}.get(word)
            first.append(shown[0])
            second.append(shown[1])
            counts.append([winner == shown[0], winner == shown[1], winner is None])
            clusters.append(n)
    fit = davidson_beaver(first, second, counts, clusters=clusters)
    assert found.value == pytest.approx(-fit.order.estimate)
    assert (found.low, found.high) == pytest.approx((-fit.order.high, -fit.order.low))
    assert found.value > 0
    assert found.denominator == 120
    test = next(t for t in tests if t.name == "davidson_beaver")
    assert test.p_value == pytest.approx(fit.order_p_value)


def test_a_judge_that_only_follows_a_slot_has_no_finite_effect():
    measures, tests = exploratory_results(in_columns(three_systems([("a", "b")])))
    found = next(e for e in measures if e.name == "davidson_beaver_order")
    assert found.value is None
    assert "infinite" in found.undefined
    assert next(t for t in tests if t.name == "davidson_beaver").p_value is None


@pytest.mark.parametrize(
    "rows", [[], [("a", "a")], [("tie", "tie")] * 5, [("a", "unparsed")] * 5], ids=len
)
def test_what_cannot_be_told_says_why(rows):
    measures, tests = results(rows)
    for each in measures.values():
        assert (each.value is None) == (each.undefined is not None), each.name
    for each in tests.values():
        assert (each.p_value is None) == (each.undefined is not None), each.name


def test_every_name_is_one_of_the_exploratory_ones():
    measures, tests = exploratory_results(in_columns(three_systems([("a", "a"), ("b", "a")])))
    assert {e.name for e in measures} == set(EXPLORATORY_MEASURES)
    assert {t.name for t in tests} == set(EXPLORATORY_TESTS)
