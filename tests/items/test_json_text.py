import pytest

from counterbalance.items.json_text import JsonTextError, json_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', "is not JSON: Expecting property name enclosed in double quotes at column 9"),
        ("", "is not JSON: Expecting value at column 1"),
        ("{}\n\n[", "is not JSON: Extra data at character 5"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 'has the key "c" twice in one object; keep one'),
        ("[NaN]", "holds NaN, which is no JSON number; write null or leave the key out"),
        ("-Infinity", "holds -Infinity, which is no JSON number; write null or leave the key out"),
        ("1e999", "holds 1e999, which is too large for a number"),
        ("[" * 100_000, "nests too deeply to be read"),
        ('{"a":' * 100_000, "nests too deeply to be read"),
    ],
)
def test_refused(text, expected):
    with pytest.raises(JsonTextError) as caught:
        json_value(text)
    assert str(caught.value) == expected


def test_number_of_too_many_digits():
    with pytest.raises(JsonTextError, match=r"^is not readable JSON: Exceeds the limit"):
        json_value("9" * 5000)


def test_surrogate_pairs_are_one_character():
    assert json_value(r'"\ud83d\ude42"') == "🙂"
