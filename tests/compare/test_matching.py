from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compare.sides import side
from counterbalance.compare.matching import match

AGREE = ("a", "a")


def test_pairs_are_joined_by_content_whatever_their_sequence():
    first = side({"p1": AGREE, "p2": AGREE, "p3": AGREE})
    second = side({"p3": AGREE, "p4": AGREE, "p1": AGREE})
    found = match(first, second)
    assert [first.ids[row] for row in found.first] == ["p1", "p3"]
    assert [second.ids[row] for row in found.second] == ["p1", "p3"]
    assert (found.n_only_first, found.n_only_second, found.n_other_texts) == (1, 1, 0)


def test_the_same_id_with_other_texts_is_left_out_and_counted():
    first, second = side({"p1": AGREE, "p2": AGREE}), side({"p1": AGREE}, texts="other")
    by_content, by_id = match(first, second), match(first, second, "id")
    assert (by_content.n_shared, by_content.n_other_texts, by_content.n_only_first) == (0, 1, 1)
    assert (by_id.n_shared, by_id.n_changed, by_id.n_only_first) == (1, 1, 1)


NAMES = st.lists(st.sampled_from([f"p{n}" for n in range(6)]), unique=True)


@given(NAMES, NAMES, st.sampled_from(["text", "other"]), st.sampled_from(["content", "id"]))
def test_every_pair_of_either_side_is_in_one_part(left, right, texts, by):
    first = side(dict.fromkeys(left, AGREE))
    second = side(dict.fromkeys(right, AGREE), texts=texts)
    found = match(first, second, by)
    for n, only in (
        (found.n_first, found.n_only_first),
        (found.n_second, found.n_only_second),
    ):
        assert n == found.n_shared + found.n_other_texts + only
        assert only >= 0
    back = match(second, first, by)
    assert sorted(zip(back.second, back.first, strict=True)) == sorted(
        zip(found.first, found.second, strict=True)
    )
