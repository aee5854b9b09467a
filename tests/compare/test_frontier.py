from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from counterbalance.compare.frontier import Priced, frontier

POINTS = st.lists(
    st.builds(
        Priced,
        st.just("x"),
        st.sampled_from([0.5, 1.0, 2.0, 3.0]),
        st.sampled_from([0.2, 0.5, 0.6, 0.9]),
    ),
    max_size=12,
).map(lambda points: [Priced(f"p{n}", p.cost, p.agreement) for n, p in enumerate(points)])


def beats(one: Priced, other: Priced) -> bool:
    no_worse = one.cost <= other.cost and one.agreement >= other.agreement
    return no_worse and (one.cost, one.agreement) != (other.cost, other.agreement)


@given(POINTS)
def test_a_point_is_on_the_frontier_unless_another_beats_it(points):
    found = frontier(points)
    assert sorted(p.point.name for p in found) == sorted(p.name for p in points)
    by_name = {p.name: p for p in points}
    for each in found:
        assert each.is_on_frontier == (not any(beats(p, each.point) for p in points))
        if not each.is_on_frontier:
            assert beats(by_name[each.beaten_by], each.point)


@given(POINTS)
def test_along_the_frontier_more_money_buys_more_agreement(points):
    kept = [p.point for p in frontier(points) if p.is_on_frontier]
    for cheap, dear in pairwise(kept):
        is_same = (cheap.cost, cheap.agreement) == (dear.cost, dear.agreement)
        assert is_same or (cheap.cost < dear.cost and cheap.agreement < dear.agreement)
