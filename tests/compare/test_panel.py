from __future__ import annotations

import pytest

from compare.sides import repeated, side
from counterbalance.compare.panel import panels
from counterbalance.report.panel_text import panel_lines
from counterbalance.statistics import Undefined, dawid_skene, rater_agreement

RIGHT, WRONG, TORN, TIE, NONE = ("a", "a"), ("b", "b"), ("a", "b"), ("tie", "tie"), ("a", "empty")
SAID = (
    repeated((10, RIGHT), (5, WRONG), (3, TIE), (2, RIGHT)),
    repeated((9, RIGHT), (6, WRONG), (3, TORN), (2, NONE)),
    repeated((8, RIGHT), (8, WRONG), (2, TIE), (2, WRONG)),
)


def test_a_panel_is_that_of_the_judges_results_on_the_pairs_that_all_were_shown():
    sides = [side(said, name) for said, name in zip(SAID, ("one", "two", "three"), strict=True)]
    (panel,) = panels(sides)
    word = {RIGHT: "a", WRONG: "b", TIE: "tie", TORN: "tie", NONE: None}
    rows = [[word[said[f"p{n}"]] for said in SAID] for n in range(20)]
    oracle = rater_agreement(rows, ["a", "b", "tie", "neither"], list(range(20)))
    assert panel.judges == ("one", "two", "three")
    assert panel.agreement == oracle
    assert panel.agreement.rater_counts[1] == (9, 6, 3, 0)


def test_pairs_that_one_judge_was_not_shown_do_not_count():
    sides = [side(SAID[0], "one"), side({"p0": RIGHT, "p1": WRONG}, "two")]
    (panel,) = panels(sides)
    assert panel.agreement.n_units == 2


@pytest.mark.parametrize("said", [{}, repeated((12, RIGHT)), repeated((12, NONE))])
def test_what_cannot_be_told_says_why(said):
    (panel,) = panels([side(said, "one"), side(said, "two")])
    for found in (panel.agreement.conger, panel.agreement.gwet, panel.agreement.krippendorff):
        assert (found.value is None) == (found.undefined is not None)


def test_one_judge_is_no_panel():
    assert panels([side(SAID[0], "one")]) == ()


def test_a_panel_says_what_it_would_be_if_judges_erred_independently():
    sides = [side(said, name) for said, name in zip(SAID, ("one", "two", "three"), strict=True)]
    (panel,) = panels(sides)
    word = {RIGHT: "a", WRONG: "b", TIE: "tie", TORN: "tie", NONE: None}
    rows = [[word[said[f"p{n}"]] for said in SAID] for n in range(20)]
    assert panel.latent == dawid_skene(rows, ["a", "b", "tie", "neither"])
    text = "\n".join(panel_lines(panel))
    assert "sensitivity analysis" in text
    assert "would go against the majority" in text
    two = "\n".join(panel_lines(panels(sides[:2])[0]))
    assert Undefined.NOT_IDENTIFIED.sentence in two
