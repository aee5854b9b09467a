from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.dispositions.packing import first_of_runs, packed

SIZES = st.lists(st.sampled_from([1, 3, 2**20, 2**31 - 1]), min_size=1, max_size=5)


@given(SIZES, st.data())
def test_keys_sort_as_the_columns_do_however_many_codes_there_are(sizes, data):
    row = st.tuples(*(st.integers(0, size - 1) for size in sizes))
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    key = packed(*zip(columns, sizes, strict=True))
    assert [rows[i] for i in np.argsort(key, kind="stable")] == sorted(rows)
    assert np.unique(key).size == len(set(rows))


@given(st.lists(st.integers(0, 3)))
def test_runs_begin_where_the_value_changes(values):
    found = first_of_runs(np.array(values, dtype=np.int64)).tolist()
    assert found == [i for i, v in enumerate(values) if i == 0 or values[i - 1] != v]
