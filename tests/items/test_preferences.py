import json

import pytest
from hypothesis import given

from counterbalance.errors import PairFileError
from counterbalance.items.csv_rows import csv_rows
from counterbalance.items.fields import Place
from counterbalance.items.files import load_pairs
from counterbalance.items.item import Message
from counterbalance.items.preferences import PreferenceRows
from counterbalance.items.rows import pair_from_row
from strategies_items import visible_texts

PLAIN = {"prompt": "2 + 2?", "chosen": "4", "rejected": "5"}


def user(content):
    return {"role": "user", "content": content}


def assistant(content):
    return {"role": "assistant", "content": content}


def pairs(*rows, reader=None):
    reader = reader or PreferenceRows()
    return [
        pair_from_row(row, place)
        for line, given_row in enumerate(rows, 1)
        for place, row in reader.pair_rows(given_row, Place("prefs.jsonl", line))
    ]


def notes(*rows):
    reader = PreferenceRows()
    pairs(*rows, reader=reader)
    return reader.notes()


def problem(row):
    with pytest.raises(PairFileError) as caught:
        pairs(row)
    assert str(caught.value).isprintable()
    return str(caught.value).removeprefix("prefs.jsonl:1: ")


def preferred(pair):
    """Text that the reference names, and the other one."""
    (side,) = pair.reference.accepted
    assert pair.reference.source == "preference set"
    return pair.candidate(side.side).text, pair.candidate(side.side.other).text


def exchanged(row):
    names = {"chosen": "rejected", "rejected": "chosen"}
    names |= {f"{key}_model": f"{other}_model" for key, other in names.items()}
    return {names.get(key, key): value for key, value in row.items()}


def unlabelled(pair):
    return (pair.id, pair.item, pair.a, pair.b)


def test_half_of_a_is_chosen_and_the_exchange_moves_only_the_reference():
    rows = [
        {"prompt": f"Question {n}?", "chosen": f"good {n}", "rejected": f"bad {n}", "id": n}
        | {"chosen_model": "one", "rejected_model": "two"}
        for n in range(1000)
    ]
    these, others = pairs(*rows), pairs(*map(exchanged, rows))
    assert 440 < sum(pair.a.text.startswith("good") for pair in these) < 560
    for this, other in zip(these, others, strict=True):
        assert unlabelled(this) == unlabelled(other)
        assert preferred(this) == tuple(reversed(preferred(other)))
        assert preferred(this)[0].startswith("good")


@pytest.mark.parametrize("lengths", [("x", "longer text"), ("longer text", "x")])
def test_neither_length_nor_alphabet_says_which_is_a(lengths):
    rows = [{"prompt": f"{n}", "chosen": lengths[0], "rejected": lengths[1]} for n in range(1000)]
    assert 440 < sum(pair.a.text == lengths[0] for pair in pairs(*rows)) < 560


def test_the_order_of_the_file_and_the_id_do_not_matter():
    rows = [{"prompt": f"{n}", "chosen": "x", "rejected": "y"} for n in range(50)]
    texts = {pair.item.messages: pair.a.text for pair in pairs(*rows)}
    named = [row | {"id": f"id {n}"} for n, row in enumerate(reversed(rows))]
    assert {pair.item.messages: pair.a.text for pair in pairs(*named)} == texts


@given(visible_texts, visible_texts, visible_texts)
def test_hostile_texts_are_kept_and_the_law_holds(prompt, chosen, rejected):
    row = {"prompt": prompt, "chosen": chosen, "rejected": rejected}
    (this,), (other,) = pairs(row), pairs(exchanged(row))
    assert unlabelled(this) == unlabelled(other)
    assert this.item.messages == (Message("user", prompt),)
    if chosen == rejected:
        assert this.reference is other.reference is None
    else:
        assert preferred(this) == (chosen, rejected)
        assert preferred(other) == (rejected, chosen)


def test_rewardbench_1():
    row = PLAIN | {"id": 17, "subset": "alpacaeval-easy"}
    row |= {"chosen_model": "GPT4-Turbo", "rejected_model": "alpaca-7b"}
    (pair,) = pairs(row)
    assert (pair.id, pair.item.category) == ("17", "alpacaeval-easy")
    systems = {c.text: c.system for c in (pair.a, pair.b)}
    assert systems == {"4": "GPT4-Turbo", "5": "alpaca-7b"}
    assert preferred(pair) == ("4", "5")


TIES = {
    "id": "ties:3",
    "prompt": "Name a colour of the rainbow.",
    "chosen": ["Red", "Blue"],
    "rejected": ["Brown", "Black", "Grey"],
    "subset": "Ties",
    "num_correct": 2,
    "models": ["m"],
}


def test_rewardbench_2_is_each_preferred_with_each_rejected():
    these, others = pairs(TIES), pairs(exchanged(TIES))
    expected = {(x, y) for x in TIES["chosen"] for y in TIES["rejected"]}
    assert {preferred(pair) for pair in these} == expected
    assert len({pair.item.id for pair in these}) == len({pair.item.cluster for pair in these}) == 1
    assert len({pair.id for pair in these}) == 6
    assert all(pair.id.startswith("ties:3-") for pair in these)
    assert sorted(map(str, map(unlabelled, these))) == sorted(map(str, map(unlabelled, others)))
    assert notes(TIES) == ("keys of preference rows that are not read: models, num_correct",)


def test_a_text_twice_in_a_list_is_taken_once_and_counted():
    row = {"prompt": "q", "chosen": "4", "rejected": ["5", "6", "5"]}
    assert [preferred(pair)[1] for pair in pairs(row)] == ["5", "6"]
    assert notes(row, row) == (
        "2 preferences with a text twice in one list: it was taken once (first in line 1)",
    )


IMPLICIT = [
    (
        {"chosen": "The sky is blue.", "rejected": "The sky is green."},
        ("The sky is", " blue.", " green."),
    ),
    (
        {
            "chosen": "\n\nHuman: Hi\n\nAssistant: I see",
            "rejected": "\n\nHuman: Hi\n\nAssistant: I do",
        },
        ("\n\nHuman: Hi\n\nAssistant:", " I see", " I do"),
    ),
    ({"chosen": "One two", "rejected": "One two three"}, ("One", " two", " two three")),
]


@pytest.mark.parametrize(("row", "expected"), IMPLICIT)
def test_implicit_texts(row, expected):
    (pair,) = pairs(row)
    assert (pair.item.messages[0].content, *preferred(pair)) == expected


def test_a_guessed_prompt_is_counted():
    assert notes(*(row for row, _ in IMPLICIT)) == (
        (
            "2 preferences without a prompt: the common beginning of both texts was taken for it "
            "(first in line 1)"
        ),
    )


SYSTEM = {"role": "system", "content": "Be brief."}
CONVERSATIONS = [
    {"chosen": [user("q"), assistant("4")], "rejected": [user("q"), assistant("5")]},
    {"prompt": "q", "chosen": [user("q"), assistant("4")], "rejected": [user("q"), assistant("5")]},
    {"prompt": "q", "chosen": [assistant("4")], "rejected": [assistant("5")]},
    {"prompt": [user("q")], "chosen": [assistant("4")], "rejected": [assistant("5")]},
    {"prompt": [user("q")], "chosen": "4", "rejected": "5"},
    {
        "prompt": [user("q")],
        "chosen": [user("q"), assistant("4")],
        "rejected": [user("q"), assistant("5")],
    },
]


@pytest.mark.parametrize("row", CONVERSATIONS)
def test_conversations(row):
    (pair,) = pairs(row)
    assert pair.item.messages == (Message("user", "q"),)
    assert preferred(pair) == ("4", "5")
    assert notes(row) == ()


def test_every_form_gives_the_same_pair():
    assert len({pair.key for row in CONVERSATIONS for pair in pairs(row)}) == 1


def test_longer_conversations_keep_their_turns():
    shared = [SYSTEM, user("q"), assistant("1"), user("r")]
    row = {
        "chosen": [*shared, assistant("4"), user("s"), assistant("6")],
        "rejected": [*shared, assistant("5")],
    }
    (pair,) = pairs(row)
    assert [m.content for m in pair.item.messages] == ["Be brief.", "q", "1", "r"]
    assert preferred(pair) == ("[assistant]\n4\n\n[user]\ns\n\n[assistant]\n6", "5")
    assert pairs(row | {"prompt": "q"})[0].key == pair.key
    assert pairs(row | {"prompt": shared})[0].key == pair.key


def test_same_texts_have_no_reference():
    (pair,) = pairs(PLAIN | {"rejected": "4"})
    assert pair.reference is None
    assert pair.is_identical
    assert notes(PLAIN, PLAIN | {"rejected": "4"}) == (
        (
            "1 preference whose preferred and rejected text are the same, so without a reference "
            "(first in line 2)"
        ),
    )


def test_keys_of_items_are_kept():
    more = {"context": "c", "reference_answer": "4", "category": "k", "cluster": "cl", "item": "i"}
    (pair,) = pairs(PLAIN | more | {"consequence": "high", "metadata": {"x": 1}})
    assert (pair.item.id, pair.item.context, pair.item.reference_answer) == ("i", "c", "4")
    assert (pair.item.category, pair.item.cluster, pair.item.consequence) == ("k", "cl", 10.0)


MUST = "it must be a text, a list of texts, or a conversation"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"rejected": None}, '"rejected" is missing; a preference needs both sides'),
        ({"chosen": 4}, f'"chosen" is the number 4; {MUST}'),
        ({"chosen": []}, f'"chosen" is an empty list; {MUST}'),
        ({"chosen": ["x", {}]}, f'"chosen" is a list; {MUST}'),
        ({"chosen": " "}, '"chosen" holds only white space; write the text'),
        ({"rejected": ["5", ""]}, '"rejected[1]" is empty; write the text'),
        ({"rejected": "5\0"}, '"rejected" holds U+0000 at character 2; remove it'),
        ({"prompt": 2}, '"prompt" is the number 2; it must be text: put it in quotes, "2"'),
        ({"prompt": None}, ('"prompt" is missing, and "chosen" and "rejected" do not begin with a '
         "common one")),
        ({"prompt": None, "chosen": "x y", "rejected": "xy"}, ('"prompt" is missing, and "chosen" '
         'and "rejected" do not begin with a common one')),
        ({"prompt": None, "chosen": "a\n\nAssistant: 1", "rejected": "a\n\nAssistant:"},
         '"rejected" ends with the prompt; write the answer behind it'),
        ({"prompt": None, "chosen": ["4"]}, '"prompt" is missing; lists of answers need "prompt"'),
        ({"rejected": [assistant("5")]}, '"rejected" is a list, unlike "chosen"; use one form'),
        ({"a": "4"}, '"a" stands beside "chosen" or "rejected"; a preference has none'),
        ({"reference": "a"}, ('"reference" stands beside "chosen" or "rejected"; a preference has '
         "none")),
        ({"subset": "x", "category": "y"}, '"category" stands beside "subset"; keep one of them'),
        ({"subset": "x\ny"}, '"subset" holds a control character or line break: x\\ny'),
        ({"chosen_model": " m"}, '"chosen_model" begins or ends with white space:  m'),
        ({"id": True}, '"id" is true; it must be text'),
        ({"prompt": None, "chosen": [assistant("x")], "rejected": [assistant("y")]},
         '"rejected" begins with another turn than "chosen"; or write "prompt"'),
        ({"chosen": [user("z"), assistant("4")], "rejected": [user("z"), assistant("5")]},
         '"chosen" begins with a turn that is not in "prompt" and not an answer'),
        ({"chosen": [assistant("4")], "rejected": [{"role": "bot", "content": "5"}]},
         '"rejected[0].role" is the text "bot" (allowed: system, user, assistant, tool)'),
        ({"chosen": [user("2 + 2?"), assistant("")], "rejected": [user("2 + 2?"), assistant("5")]},
         '"chosen" has no text behind the prompt; write the answer'),
    ],
)  # fmt: skip
def test_refused(edit, expected):
    assert problem(PLAIN | edit) == expected


def of_csv(text):
    reader = PreferenceRows()
    return [
        pair_from_row(row, own)
        for place, cells in csv_rows(text.splitlines(keepends=True), "p.csv")
        for own, row in reader.pair_rows(cells, place)
    ], reader.notes()


def test_csv():
    (pair,), said = of_csv("prompt,chosen,rejected,subset,score\nq,4,5,s,0.5\n")
    assert (preferred(pair), pair.item.category) == (("4", "5"), "s")
    assert said == ("keys of preference rows that are not read: score",)


def test_conversations_in_cells():
    cells = [
        json.dumps(CONVERSATIONS[0][side]).replace('"', '""') for side in PLAIN if side != "prompt"
    ]
    (pair,), _ = of_csv(f'chosen,rejected\n"{cells[0]}","{cells[1]}"\n')
    assert pair.key == pairs(CONVERSATIONS[0])[0].key


def test_a_list_in_a_cell_is_a_text():
    (pair,), _ = of_csv('prompt,chosen,rejected\nq,"[""x""]","[1"\n')
    assert preferred(pair) == ('["x"]', "[1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prompt,chosen\nq,4\n", "p.csv:1: the header lacks rejected; a preference needs both"),
        ("chosen,rejected,\nq,4,5\n", ("p.csv:1: column 3 has no name in the header; name it or "
         "remove it")),
        ("prompt,chosen,rejected\nq,4,\n", ('p.csv:2: "rejected" is missing; a preference needs '
         "both sides")),
        ("prompt,chosen,rejected\nq,,\n", ('p.csv:2: "chosen" is missing; a preference needs both '
         "sides")),
    ],
)  # fmt: skip
def test_refused_csv(text, expected):
    with pytest.raises(PairFileError) as caught:
        of_csv(text)
    assert str(caught.value) == expected


def test_a_file_of_both_kinds_of_row(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [TIES, {"prompt": "2 + 3?", "a": "4", "b": "5"}, PLAIN]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    loaded = load_pairs(path)
    assert (loaded.n_rows, len(loaded.pairs)) == (3, 8)


def test_repeated_rows_are_refused_with_their_place(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text((json.dumps(PLAIN) + "\n") * 2, "utf-8")
    with pytest.raises(PairFileError, match="2: repeats line 1; remove one of them"):
        load_pairs(path)
