import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.items.hashing import canonical_json, tagged_hash


def test_the_canonical_form_is_a_contract():
    value = {"b": [1, 1.5, True, None], "a": 'é\n"\u2028🙂', "é": {}}
    assert canonical_json(value) == '{"a":"é\\n\\"\u2028🙂","b":[1,1.5,true,null],"é":{}}'
    assert tagged_hash("test/1", value) == "b2:6125822957152a223de30361015a891640a3dff2"


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_no_value_without_a_json_form(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([number])


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers()))
def test_order_of_keys_is_no_content(value):
    backwards = dict(reversed(value.items()))
    assert tagged_hash("t", value) == tagged_hash("t", backwards)
