from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from builders import pair
from counterbalance.presentations.held_out import held_out_pairs

seeds = st.integers(0, 2**63 - 1)
shares = st.floats(0, 1, exclude_min=True, exclude_max=True)
sizes = st.lists(st.integers(1, 6), min_size=2, max_size=12)


def of_sizes(these):
    return [
        pair(f"p{cluster}-{n}", cluster=f"c{cluster}")
        for cluster, size in enumerate(these)
        for n in range(size)
    ]


def clusters(pairs, ids):
    return {p.item.cluster for p in pairs if p.id in ids}


@given(sizes, shares, seeds)
def test_clusters_are_never_split_and_neither_part_is_empty(these, share, seed):
    pairs = of_sizes(these)
    ids = held_out_pairs(pairs, share, seed)
    assert 0 < len(ids) < len(pairs)
    assert not clusters(pairs, ids) & clusters(pairs, {p.id for p in pairs} - ids)


@given(sizes.flatmap(lambda x: st.permutations(of_sizes(x))), shares, seeds)
def test_the_order_of_the_file_does_not_matter(shuffled, share, seed):
    in_order = sorted(shuffled, key=lambda p: p.id)
    assert held_out_pairs(shuffled, share, seed) == held_out_pairs(in_order, share, seed)


@given(sizes, st.lists(shares, min_size=2, max_size=6), seeds)
def test_a_larger_share_holds_out_a_superset(these, some_shares, seed):
    pairs = of_sizes(these)
    drawn = [held_out_pairs(pairs, share, seed) for share in sorted(some_shares)]
    assert all(smaller <= larger for smaller, larger in pairwise(drawn))


@given(st.integers(2, 60), st.integers(1, 99), seeds)
def test_single_pairs_are_rounded_to_the_nearest_number(n, percent, seed):
    found = len(held_out_pairs(of_sizes([1] * n), percent / 100, seed))
    target = n * percent / 100
    assert found == min(range(1, n), key=lambda k: abs(k - target))


def test_of_two_equally_near_the_fewer_and_at_least_one_and_not_all():
    assert len(held_out_pairs(of_sizes([1] * 5), 0.5, 1)) == 2
    assert len(held_out_pairs(of_sizes([1] * 5), 0.001, 1)) == 1
    assert len(held_out_pairs(of_sizes([1] * 5), 0.999, 1)) == 4


def test_one_cluster_cannot_be_split():
    assert held_out_pairs(of_sizes([5]), 0.5, 1) == frozenset()
    assert held_out_pairs([], 0.5, 1) == frozenset()


def test_the_seed_draws_and_every_cluster_has_the_same_chance():
    pairs = of_sizes([1] * 10)
    drawn = [held_out_pairs(pairs, 0.3, seed) for seed in range(500)]
    counts = Counter(pair_id for ids in drawn for pair_id in ids)
    assert len(set(drawn)) > 50
    assert all(110 < counts[p.id] < 190 for p in pairs)
    assert drawn[0] == held_out_pairs(pairs, 0.3, 0)


def test_names_and_texts_of_pairs_do_not_matter():
    pairs = of_sizes([2, 1, 3, 1])
    renamed = [pair(f"other {p.id}", a="x", cluster=p.item.cluster) for p in pairs]
    ids = [held_out_pairs(these, 0.4, 9) for these in (pairs, renamed)]
    assert clusters(pairs, ids[0]) == clusters(renamed, ids[1])
