"""Whatever a description says, an audit ends: with one clear line, or with checks that add up."""

from __future__ import annotations

import copy
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.errors import TablesFileError
from counterbalance.report.tables_html import render_tables_html
from counterbalance.report.tables_json import tables_json
from counterbalance.report.tables_text import render_tables_text
from counterbalance.tables.reading import description_from_text, template_text
from tables.printing import audit_of, broken, printed_study

COUNTS = st.integers(0, 12)
SHARES = st.sampled_from(["0", "0.0", "0.5", "0.50", "0.333", "1", "1.000", "66.7%", "0.0001"])
NUMBERS = st.sampled_from(["-1.0", "-0.2", "0", "0.00", "0.25", "1", "1.00", "0.9"])
CHI_SQUARES = st.sampled_from(["0", "0.00", "3.84", "1e30", "1e300"])
PS = st.sampled_from(["0", "0.0000", "1", "0.05", "< 0.001", "> 0.05", "0.5"])
MARGINALS = st.dictionaries(st.sampled_from(["A", "B", "tie"]), COUNTS, max_size=3)
NAMES = st.sampled_from(["x", "y", "z"])
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "group": NAMES,
        "n": COUNTS,
        "missing": COUNTS,
        "verdicts": st.one_of(MARGINALS, st.dictionaries(NAMES, SHARES, max_size=3)),
        "gold": MARGINALS,
        "agreement": SHARES,
        "agreement_over": st.sampled_from(["n", "verdicts", "decided"]),
        "kappa": NUMBERS,
        "standard_error": SHARES,
        "standard_error_method": st.sampled_from(["binomial", "other"]),
        "interval": st.lists(NUMBERS, min_size=2, max_size=2),
        "tie_rate": SHARES,
        "tie_rule_of": NAMES,
        "same_first_call": st.booleans(),
        "wins": COUNTS,
        "losses": COUNTS,
        "ties": COUNTS,
        "win_rate": SHARES,
        "win_rate_counts": st.sampled_from(["half_ties", "wins", "decided"]),
        "two_orders": st.fixed_dictionaries({"both_right": COUNTS, "never_right": COUNTS}),
        "score": SHARES,
        "clusters": COUNTS,
    },
)
COMPARISONS = st.fixed_dictionaries(
    {},
    optional={
        "base": NAMES, "new": NAMES, "n": COUNTS, "difference": NUMBERS, "chi_square": CHI_SQUARES,
        "p": PS, "survives": st.booleans(),
        "test": st.sampled_from(["corrected", "asymptotic", "exact", "mid_p", "other"]),
    },
)  # fmt: skip
PAIRS = st.one_of(st.none(), st.tuples(st.sampled_from(["gained", "b"]), COUNTS, COUNTS))
CLAIMS = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("survivors"), "families": st.just(["f"])},
        optional={"count": COUNTS, "names": st.lists(NAMES, max_size=2)},
    ),
    st.fixed_dictionaries(
        {"kind": st.just("p_value"), "base": NAMES, "new": NAMES, "p": PS},
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("change"),
            "quantity": st.sampled_from(["tie_rate", "agreement", "kappa", "win_rate"]),
            "changes": st.lists(st.tuples(NAMES, NAMES).map(list), max_size=2),
            "says": st.sampled_from(["falls", "rises", "does_not_change"]),
        },
    ),
    st.fixed_dictionaries(
        {"kind": st.just("mde"), "low": NUMBERS},
        optional={"high": NUMBERS, "n": COUNTS, "discordant": COUNTS},
    ),
)


@st.composite
def descriptions(draw):
    rows = [
        {**row, "name": name}
        for name, row in zip("xyz", draw(st.tuples(ROWS, ROWS, ROWS)), strict=False)
    ]
    table = {"name": "T", "rows": rows}
    table |= draw(st.fixed_dictionaries({}, optional={"n": COUNTS, "gold": MARGINALS}))
    comparisons = []
    for name in "cd":
        comparison = {**draw(COMPARISONS), "name": name}
        if pair := draw(PAIRS):
            names = ("gained", "lost") if pair[0] == "gained" else ("b", "c")
            comparison |= dict(zip(names, pair[1:], strict=True))
        comparisons.append(comparison)
    family = {"name": "f", "m": draw(st.integers(2, 6)), "comparisons": ["c", "d"]}
    family |= draw(
        st.fixed_dictionaries({}, optional={"method": st.sampled_from(["holm"]),
                                            "undisclosed": st.just("larger")})
    )  # fmt: skip
    claims = [{**c, "where": f"w{i}"} for i, c in enumerate(draw(st.lists(CLAIMS, max_size=3)))]
    study = {"title": "t", "tables": [table], "comparisons": comparisons, "families": [family],
             "claims": claims, "design": draw(st.sampled_from(["paired", "unpaired"]))}  # fmt: skip
    return study | draw(
        st.fixed_dictionaries({}, optional={"error_rate": st.just(0.05), "power": st.just(0.8)})
    )


@settings(max_examples=200, deadline=None)
@given(study=descriptions())
def test_every_description_is_audited_to_the_end(study):
    text = json.dumps(study)
    description = description_from_text(text, "f.json", ".json")
    audit = audit_of(study)
    assert description.title == audit.title
    assert sum(audit.counts.values()) == len(audit.checks)
    value = json.loads(tables_json(audit))
    assert [c["verdict"] for c in value["checks"]] == [c.verdict.value for c in audit.checks]
    assert render_tables_html(audit).endswith("</html>\n")
    assert render_tables_text(audit, full=True)
    assert all(check.found and check.rule.says for check in audit.checks)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200), suffix=st.sampled_from([".toml", ".json", ".csv", ".tsv"]))
def test_any_text_is_read_or_refused_in_one_line(text, suffix):
    assert "\n" not in refusal(text, suffix)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_template_is_read_or_refused_in_one_line(data):
    lines = template_text().splitlines()
    i = data.draw(st.integers(0, len(lines) - 1))
    junk = data.draw(st.sampled_from(["", "name = 3", "= 0,5", "rows = 1", "[[x]]", "x = nan"]))
    lines[i] = junk if data.draw(st.booleans()) else lines[i].replace("=", "= [", 1)
    assert "\n" not in refusal("\n".join(lines), ".toml")


def refusal(text, suffix):
    """Return why a text is refused, nothing when it is read; any other error is a failure."""
    try:
        description_from_text(text, "f", suffix)
    except TablesFileError as error:
        return str(error)
    return ""


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(20, 400))
def test_names_letters_and_order_of_labels_decide_nothing(seed, n):
    """Other names and another sequence of labels and rows give the same verdicts."""
    study = printed_study(seed, n)
    before = sorted((c.rule.name, c.verdict.value) for c in audit_of(study).checks)
    other = copy.deepcopy(study)
    names = {"A": "first", "B": "second", "tie": "equal"}
    table = other["tables"][0]
    table["tie"] = "equal"
    table["gold"] = {names[x]: k for x, k in reversed(table["gold"].items())}
    for row in table["rows"]:
        row["verdicts"] = {names[x]: k for x, k in reversed(row["verdicts"].items())}
    table["rows"].reverse()
    audit = audit_of(other)
    assert sorted((c.rule.name, c.verdict.value) for c in audit.checks) == before
    assert broken(audit) == []
