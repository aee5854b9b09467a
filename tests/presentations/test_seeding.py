import re
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import InputError
from counterbalance.presentations.seeding import fence, nonce, rank, sampling_seed, uniform


def test_what_is_derived_is_a_contract():
    assert fence("secret", "p1", ()) == "jthethuq"
    assert nonce("secret", "p1") == "869945e8b2d556cb"
    assert rank(7, "order", "p1") == 243188977749540617112463869251525592133
    assert sampling_seed(7, "b2:key", 1) == 829461339
    assert uniform(7, "slot", "p1") == 0.13226842388223792


DRAWS = [uniform(7, "test", i) for i in range(4000)]


def test_uniform_draws_are_uniform():
    assert min(DRAWS) >= 0
    assert max(DRAWS) < 1
    assert stats.kstest(DRAWS, "uniform").pvalue > 0.001


def test_draws_for_different_names_seeds_and_places_are_independent():
    others = [uniform(7, "other", i) for i in range(4000)]
    seeded = [uniform(8, "test", i) for i in range(4000)]
    for these in (others, seeded, DRAWS[1:] + DRAWS[:1]):
        assert abs(statistics.correlation(DRAWS, these)) < 0.06


def test_ranks_shuffle_without_a_preference():
    """Each of 4 names comes first in about a quarter of the seeds, each order once in 24."""
    first = [0] * 4
    orders = {}
    for seed in range(2400):
        order = tuple(sorted(range(4), key=lambda i: rank(seed, "work", i)))
        first[order[0]] += 1
        orders[order] = orders.get(order, 0) + 1
    assert stats.chisquare(first).pvalue > 0.001
    assert len(orders) == 24
    assert stats.chisquare(list(orders.values())).pvalue > 0.001


@given(st.integers(0, 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"])))
def test_every_sampler_accepts_the_seed(seed, name):
    assert 0 <= sampling_seed(seed, name, 1) < 2**31
    assert sampling_seed(seed, name, 1) != sampling_seed(seed, name, 2)


def test_uses_do_not_share_draws():
    assert len({rank(7, use, "p1") for use in ("order", "subset", "work")}) == 3
    assert fence("s", "p1", ()) not in nonce("s", "p1")
    assert fence("s", "p1", ()) != fence("t", "p1", ())
    assert fence("s", "p1", ()) != fence("s", "p2", ())


marks = st.sampled_from([fence("s", "p1", ()), nonce("s", "p1")])
hostile = st.lists(st.one_of(st.text(), marks, marks.map(str.upper)), max_size=5)


@given(hostile)
def test_marks_are_absent_from_every_text(texts):
    for mark in (fence("s", "p1", texts), nonce("s", "p1", texts)):
        assert not any(mark in text.lower() for text in texts)
    assert re.fullmatch("[a-z]{8}", fence("s", "p1", texts))
    assert re.fullmatch("[0-9a-f]{16}", nonce("s", "p1", texts))


@given(hostile.flatmap(st.permutations))
def test_the_order_of_the_texts_does_not_matter(texts):
    assert fence("s", "p1", texts) == fence("s", "p1", sorted(texts))


def test_a_mark_moves_on_only_where_a_text_holds_it():
    found = [fence("s", "p1", ())]
    while len(found) < 5:
        found.append(fence("s", "p1", found))
    assert len(set(found)) == 5
    assert fence("s", "p1", ["no marks here"]) == found[0]


def test_texts_built_with_the_secret_are_refused_and_the_next_step_named():
    found: list[str] = []
    while len(found) < 256:
        found.append(fence("s", "p\n1", found))
    with pytest.raises(InputError, match="set another delimiter_secret") as caught:
        fence("s", "p\n1", found)
    assert str(caught.value).isprintable()
