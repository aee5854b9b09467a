from collections import Counter
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from builders import pair
from counterbalance.items.frames import Order
from counterbalance.presentations.assignment import (
    excluded_reasons,
    held_out_ids,
    judged_pairs,
    order_plan,
    orders_of,
    work_order,
)
from counterbalance.presentations.presentation import Purpose
from protocol.examples import protocol

SINGLE = {"assignment": "single_balanced"}
RULE = {"name": "rule", "kind": "scripted"}
OTHER = {"name": "other", "kind": "scripted", "seed": 2}
ONE_TWO, TWO_ONE = {"first": "1", "second": "2"}, {"first": "2", "second": "1"}

ids = st.lists(st.text("abcxyz0189-", min_size=1, max_size=6), unique=True, max_size=30)
pairs = ids.map(lambda names: [pair(name) for name in names])
seeds = st.integers(0, 2**63 - 1)


def plan(these, **changes):
    return list(order_plan(these, protocol(**changes), "a secret"))


def keys(entries):
    return {entry.presentation.key for entry in entries}


def some(n, start=0):
    return [pair(f"p{i}") for i in range(start, start + n)]


@given(pairs, seeds)
def test_single_orders_are_balanced_within_one(these, seed):
    found = orders_of(these, protocol(orders=SINGLE, seed=seed))
    counts = Counter(order for (order,) in found.values())
    assert abs(counts[Order.FORWARD] - counts[Order.REVERSED]) <= 1
    assert set(found) == {p.id for p in these}


@given(pairs.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))), seeds)
def test_nothing_depends_on_the_order_of_the_file(both, seed):
    these, shuffled = both
    subset = {"subset": {"pairs": 5, "per_order": 2}}
    for orders in (SINGLE, {"assignment": "both"}):
        found = [plan(x, orders=orders, seed=seed, repetitions=subset) for x in (these, shuffled)]
        assert set(found[0]) == set(found[1])
        assert work_order(found[0], seed) == work_order(found[1], seed)


def test_neither_order_is_preferred_when_the_number_of_pairs_is_odd():
    """The larger half and the order of a given pair are fair coins of the seed."""
    these = some(3)
    found = [orders_of(these, protocol(orders=SINGLE, seed=s)) for s in range(400)]
    larger = Counter(
        Counter(order for (order,) in orders.values()).most_common(1)[0][0] for orders in found
    )
    first = Counter(orders["p0"][0] for orders in found)
    for counts in (larger, first):
        assert 150 < counts[Order.FORWARD] < 250


def test_both_orders_are_the_default():
    assert orders_of(some(1), protocol()) == {"p0": (Order.FORWARD, Order.REVERSED)}


def test_excluded_and_identical_pairs_cost_no_call():
    these = [*some(3), pair("same", a="x", b="x"), pair("draft", category="draft")]
    exclusions = [
        {"reason": "seen before", "pairs": ["p1", "elsewhere"]},
        {"reason": "a draft", "category": "draft"},
    ]
    study = protocol(exclusions=exclusions)
    assert [p.id for p in judged_pairs(these, study)] == ["p0", "p2"]
    assert excluded_reasons(these, study) == {"p1": "seen before", "draft": "a draft"}
    planned = order_plan(these, study, "a secret")
    assert {e.presentation.pair_id for e in planned} == {"p0", "p2"}


def test_held_out_pairs_cost_no_call_and_excluded_ones_are_no_part_of_them():
    these = some(10)
    held_out = {"share": 0.5, "seed": 3}
    kept_back = held_out_ids(these, protocol(held_out=held_out))
    assert len(kept_back) == 5
    planned = plan(these, held_out=held_out)
    assert {e.presentation.pair_id for e in planned} == {p.id for p in these} - kept_back
    first, *_ = sorted(kept_back)
    exclusions = [{"reason": "seen before", "pairs": [first]}]
    study = protocol(held_out=held_out, exclusions=exclusions)
    assert held_out_ids(these, study) == kept_back - {first}
    assert {p.id for p in judged_pairs(these, study)} == {p.id for p in these} - kept_back


def test_holding_pairs_out_leaves_the_keys_of_the_others():
    part = keys(plan(some(10), held_out={"share": 0.3, "seed": 1}))
    assert len(part) == 2 * 7
    assert part < keys(plan(some(10)))


def test_texts_that_differ_in_a_space_are_judged():
    assert judged_pairs([pair(a="x", b="x ")], protocol())


def test_the_plan_is_judges_by_labellings_by_orders_by_repetitions():
    entries = plan(
        some(5),
        judges=[RULE, OTHER],
        labellings=[ONE_TWO, TWO_ONE],
        repetitions={"per_order": 3, "subset": {"pairs": 2, "per_order": 4, "temperature": 1.0}},
    )
    purposes = Counter(entry.purpose for entry in entries)
    assert purposes == {Purpose.MAIN: 2 * 2 * 5 * 2 * 3, Purpose.STABILITY: 2 * 2 * 2 * 2 * 4}
    assert len(keys(entries)) == len(entries)
    temperatures = {(e.purpose, e.presentation.temperature) for e in entries}
    assert temperatures == {(Purpose.MAIN, None), (Purpose.STABILITY, 1.0)}


def test_the_subset_shares_calls_that_are_asked_anyway():
    subset = {"pairs": 2, "per_order": 4}
    entries = plan(some(5), repetitions={"per_order": 3, "subset": subset})
    # 2 pairs in 2 orders: of 4 repetitions the first 3 are asked for the dispositions, too.
    assert len(entries) == 5 * 2 * 3 + 2 * 2 * 4
    assert len(keys(entries)) == 5 * 2 * 3 + 2 * 2 * 1


def test_the_subset_is_drawn_by_the_seed_and_the_same_under_every_labelling():
    def drawn(seed, n=3):
        found = plan(
            some(12),
            seed=seed,
            labellings=[ONE_TWO, TWO_ONE],
            repetitions={"subset": {"pairs": n, "per_order": 2}},
        )
        by_labelling: dict[str, set[str]] = {"1/2": set(), "2/1": set()}
        for entry in found:
            if entry.purpose is Purpose.STABILITY:
                by_labelling[entry.presentation.labelling].add(entry.presentation.pair_id)
        assert by_labelling["1/2"] == by_labelling["2/1"]
        return frozenset(by_labelling["1/2"])

    assert len(drawn(1)) == 3
    assert len({drawn(seed) for seed in range(20)}) > 10
    assert drawn(1) < drawn(1, n=6)
    assert len(drawn(1, n=100)) == 12


def test_more_labellings_judges_pairs_or_repetitions_leave_the_keys_of_the_others():
    base = keys(plan(some(4), judges=[RULE]))
    for changes in (
        {"judges": [OTHER, RULE]},
        {"labellings": [TWO_ONE, ONE_TWO]},
        {"repetitions": {"per_order": 2}},
        {"repetitions": {"subset": {"pairs": 2, "per_order": 2}}},
        {"seed": 8},
        {"title": "renamed", "budget": {"max_calls": 3}, "pairs": "moved.jsonl"},
        {"judges": [{**RULE, "name": "renamed"}]},
        {
            "analysis": {"family": ["primacy_recency"]},
            "retry": {"outcomes": ["failed"], "max_attempts": 3},
        },
    ):
        assert base <= keys(plan(some(4), **changes)), changes
    assert base <= keys(plan(some(6)))
    assert base == keys(plan(some(4)))


def test_what_a_judge_sees_or_how_it_is_set_changes_every_key():
    base = keys(plan(some(4)))
    for changes in (
        {"judges": [OTHER]},
        {"labellings": [TWO_ONE]},
        {"prompt": {"rubric": "Prefer what is true."}},
        {"verdict": {"format": "choice", "tie": "3"}},
        {"question": {"kind": "factual_acceptability", "decision": "x"}},
    ):
        assert not base & keys(plan(some(4), **changes)), changes
    assert not base & keys(order_plan(some(4), protocol(), "another secret"))


def test_two_pairs_with_the_same_content_are_asked_apart():
    twins = [pair("p1"), pair("p2")]
    same = [
        type(twins[1])("p2", twins[0].item, twins[0].a, twins[0].b),
        twins[0],
    ]
    assert same[0].key == same[1].key
    assert len(keys(plan(same))) == 4


@given(pairs, seeds)
def test_the_order_of_work_is_a_permutation_that_keeps_pairs_together(these, seed):
    entries = plan(
        these,
        seed=seed,
        labellings=[ONE_TWO, TWO_ONE],
        repetitions={"subset": {"pairs": 2, "per_order": 3}},
    )
    work = work_order(entries, seed)
    assert Counter(p.key for p in work) == Counter(keys(entries))
    assert len([name for name, _ in groupby(work, key=lambda p: p.pair_id)]) == len(these)


def test_the_order_of_work_follows_the_seed_and_is_not_that_of_the_file():
    entries = plan(some(20))

    def order(seed):
        return tuple(dict.fromkeys(p.pair_id for p in work_order(entries, seed)))

    in_file = tuple(p.id for p in some(20))
    assert order(1) == order(1)
    assert len({order(1), order(2), order(3), in_file}) == 4


def test_half_of_the_pairs_begin_with_each_order():
    """A run stopped within a pair, or a judge that drifts, must not favour one order."""
    work = work_order(plan(some(400)), 7)
    begins = Counter(next(iter(g)).order for _, g in groupby(work, key=lambda p: p.pair_id))
    assert 150 < begins[Order.FORWARD] < 250
