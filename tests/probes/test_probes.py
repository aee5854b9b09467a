"""Each probe makes the one intervention it names, its checks hold, and bad sources say why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import pair
from counterbalance.items.requirements import Requirement, RequirementRule
from counterbalance.probes.battery import built, flaws_of
from counterbalance.probes.catalogue import PROBES
from counterbalance.probes.identity_leaks import identity_leaks
from counterbalance.probes.markdown_text import plain_text, same_words
from counterbalance.probes.probe import Wanted, probe_pair

PROSE = "Water boils at 100 degrees in Oslo. It does not at 3000 metres! Ask Ms Ito, please."
LIST = "# Tea\n\n- **Boil** the water\n- Wait, *then* pour\n"
JAPANESE = "水は百度で沸く。山では低い。伊藤さんに聞いてください。"
CODE = "Use this:\n\n```python\nx = 1  # **not bold**\n- y\n```"
WANTED = Wanted("The worse one wins.", "Prefer whichever is superior.", frozenset({"GPT (OpenAI)"}))
NEVER = Requirement("no", RequirementRule.ABSENT, ["a"], mandatory=True, text="No letter a.")


def made(name: str, *sources, wanted: Wanted = WANTED, most: int | None = None):
    return built(sources, [name], wanted, seed=3, pairs_per_probe=most)


def reasons(name: str, *texts: str) -> list[str]:
    found = made(name, *(pair(f"p{i}", text, "other") for i, text in enumerate(texts)))
    assert found.pairs == ()
    return [left.reason for left in found.left_out]


@pytest.mark.parametrize("name", PROBES)
def test_every_probe_is_made_from_some_pair_and_passes_its_own_checks(name: str) -> None:
    sources = [
        pair("prose", PROSE, "Something else.", systems=("gpt-4o", "claude-3")),
        pair("list", LIST, "Something else.", systems=("gpt-4o", "claude-3")),
        pair("bad", "A bad answer.", "Another bad answer.", requirements=(NEVER,)),
    ]
    found = made(name, *sources)
    assert found.pairs
    assert found.flaws == ()
    assert {p.probe for p in found.pairs} == {name}
    assert len({p.id for p in found.pairs}) == len(found.pairs)
    for probe in found.pairs:
        (source,) = (s for s in sources if s.item.id == probe.item.id)
        assert probe.item.cluster == source.item.cluster
        assert PROBES[name].checks(probe)
    used = {probe.item.id for probe in found.pairs}
    assert len(used) + sum(left.count for left in found.left_out) == len(sources)


def test_the_same_sources_give_the_same_battery() -> None:
    sources = [pair(f"p{i}", f"{PROSE} Case {i}.", "x") for i in range(9)]
    one = built(sources, PROBES, WANTED, seed=5, pairs_per_probe=4)
    again = built(sources, PROBES, WANTED, seed=5, pairs_per_probe=4)
    other = built(sources, PROBES, WANTED, seed=6, pairs_per_probe=4)
    assert [p.digest for p in one.pairs] == [p.digest for p in again.pairs]
    assert [p.digest for p in one.pairs] != [p.digest for p in other.pairs]
    assert one.not_drawn["expanded"] == 5


@pytest.mark.parametrize("text", [PROSE, JAPANESE])
def test_an_expanded_text_is_longer_and_says_nothing_else(text: str) -> None:
    (probe,) = made("expanded", pair("p", text, "x")).pairs
    assert probe.b.text == text
    assert probe.a.text.count("Ito") in (0, 2)
    assert set(probe.a.text) - set(text) <= {"\n", " "}


def test_a_cut_text_is_a_beginning_that_ends_inside_a_sentence() -> None:
    for text in (PROSE, JAPANESE):
        (probe,) = made("truncated", pair("p", text, "x")).pairs
        assert text.startswith(probe.b.text)
        assert 0.2 < len(probe.b.text) / len(text) < 0.6


def test_marks_are_taken_away_by_their_tokens() -> None:
    (probe,) = made("plain", pair("p", LIST, "x")).pairs
    assert probe.b.text == "Tea\nBoil the water\nWait, then pour"
    assert reasons("plain", PROSE) == ["the answer has no Markdown to take away"]
    assert "block of code" in reasons("plain", CODE)[0]
    assert "links" in reasons("plain", "See **[this](http://x.example)**.")[0]
    assert "nothing but marks" in reasons("plain", "---")[0]
    assert "**not bold**" in plain_text(CODE)


@given(st.text(max_size=80))
def test_no_mark_changes_a_word(text: str) -> None:
    for name in ("markdown", "headings", "whitespace"):
        for probe in made(name, pair("p", text, "x")).pairs:
            assert same_words(plain_text(probe.a.text), probe.b.text)
            assert probe.a.text != probe.b.text


@given(st.sampled_from(sorted(PROBES)), st.text(max_size=60), st.text(max_size=20))
def test_any_text_makes_sound_pairs_a_flaw_or_a_reason(name: str, a: str, b: str) -> None:
    found = made(name, pair("p", a, b))
    assert bool(found.pairs) + bool(found.flaws) + bool(found.left_out) >= 1
    assert not flaws_of(found.pairs)


def test_answers_of_one_word_and_one_sentence_make_no_probe_of_form() -> None:
    assert "too short" in reasons("truncated", "Yes.")[0]
    assert "too short" in reasons("expanded", "Yes.")[0]
    for name in ("markdown", "headings", "whitespace", "same_format"):
        assert "one sentence" in reasons(name, "It is Mercury.")[0]
    assert "full stop" in reasons("position", "x[-1]")[0]
    assert "whole sentence" in reasons("expanded", "It is Mercury and it is")[0]
    assert "block of code" in reasons("expanded", CODE)[0]


def test_an_injected_text_and_an_invention_are_all_that_is_added() -> None:
    for name in ("injection", "unsupported"):
        (probe,) = made(name, pair("p", PROSE, "x")).pairs
        assert probe.b.text == PROSE
        assert probe.a.text.startswith(PROSE)


def test_a_criterion_is_exchanged_and_nothing_else() -> None:
    for name, rubric in (
        ("criterion_inverted", WANTED.inverted_rubric),
        ("rubric_paraphrase", WANTED.paraphrased_rubric),
    ):
        declared, exchanged = made(name, pair("p", PROSE, "x")).pairs
        assert (declared.a.text, declared.b.text) == (exchanged.a.text, exchanged.b.text)
        assert declared.item.id == exchanged.item.id
        assert (declared.item.rubric, exchanged.item.rubric) == ("", rubric)
        assert declared.key != exchanged.key


def test_self_preference_needs_names_of_two_families_and_a_judge_of_one() -> None:
    def of(*systems: str) -> list[str]:
        return [left.reason for left in made("same_family", pair(systems=systems)).left_out]

    assert of("", "claude-3") == ["a candidate has no name of its system"]
    assert of("gpt-4o", "our-model") == ["the name of a system tells no family of models"]
    assert of("gpt-4o", "gpt-4o-mini") == ["both systems are of one family"]
    assert of("claude-3", "gemini-2.5") == ["neither system is of a judge's family"]
    leaking = pair(a="As an assistant made by OpenAI, I ...", systems=("gpt-4o", "claude-3"))
    assert [x.reason for x in made("same_family", leaking).left_out] == [
        "an answer says who wrote it"
    ]


def test_origins_are_balanced_by_a_round_robin() -> None:
    many = [pair(f"m{i}", f"a{i}", f"b{i}", systems=("gpt-4o", "claude-3")) for i in range(7)]
    few = [pair(f"f{i}", f"c{i}", f"d{i}", systems=("gemini-2.5", "gpt-4o")) for i in range(2)]
    found = made("same_family", *many, *few)
    systems = [frozenset((p.a.system, p.b.system)) for p in found.pairs]
    assert systems.count(frozenset({"gpt-4o", "claude-3"})) == 2
    assert systems.count(frozenset({"gpt-4o", "gemini-2.5"})) == 2
    assert found.not_drawn == {"same_family": 5}


@pytest.mark.parametrize(
    "text",
    ["I'm Claude, made by Anthropic.", "I am ChatGPT.", "This was written by gpt-4o-mini."],
)
def test_an_answer_that_names_its_author_is_found(text: str) -> None:
    assert identity_leaks(text, ["gpt-4o-mini"])


@pytest.mark.parametrize(
    "text",
    ["Claude Monet and the llama.", "Google was founded in 1998.", "Use the command line.", ""],
)
def test_a_name_as_a_subject_is_no_leak(text: str) -> None:
    assert identity_leaks(text, ["gpt-4o-mini", "x"]) == ()


def test_pairs_written_by_hand_are_checked_and_flawed_ones_are_listed() -> None:
    source = pair("p", PROSE, "x")
    good = probe_pair("expanded", source, f"{PROSE} And so it is there as well.", PROSE)
    cut = probe_pair("expanded", pair("q"), f"{PROSE} And so it is", PROSE)
    shorter = probe_pair("expanded", pair("r"), "Water boils.", PROSE)
    found = made("expanded", source, good, cut, shorter)
    assert found.pairs == (good,)
    assert [(flaw.pair, flaw.failed) for flaw in found.flaws] == [
        ("q~expanded", ("the expanded side ends with a whole sentence",)),
        (
            "r~expanded",
            (
                "the expanded side is longer in characters",
                "the expanded side is longer in tokens",
                "every number is kept",
                "every name is kept",
                "no negation is lost",
            ),
        ),
    ]
    assert found.left_out == ()


def test_a_pair_of_no_length_difference_is_flawed_everywhere() -> None:
    same = [probe_pair("expanded", pair(f"p{i}"), PROSE, PROSE) for i in range(3)]
    found = made("expanded", *same)
    assert found.pairs == ()
    assert len(found.flaws) == 3


def test_a_cut_never_leaves_a_whole_sentence_without_its_mark() -> None:
    (cut,) = made("truncated", pair("p", "九時に開きます。月曜日は休みです。", "x")).pairs
    assert cut.b.text == "九時に開きま"


def test_no_english_invention_goes_into_an_answer_in_another_script() -> None:
    assert reasons("unsupported", JAPANESE, "Вода кипит при ста градусах.") == [
        "the answer is in another script than the sentence that would be put in"
    ]
