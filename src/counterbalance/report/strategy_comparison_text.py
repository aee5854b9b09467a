"""The comparison of strategies as plain text: a table for each judge, then tests and advice."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.compare.verdict import POWER
from counterbalance.report.cost import dollars
from counterbalance.report.layout import columns, number, p_value, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.compare.advice import Advice
    from counterbalance.compare.priors import Prior
    from counterbalance.compare.strategy_table import StrategyRow, StrategyTable, Tested

__all__ = [
    "ROW_HEAD",
    "STRATEGY_LIMITS",
    "needs_words",
    "prior_lines",
    "row_texts",
    "strategies_text",
]

_WIDTH = 98
_LONGEST_NAME = 32


def strategies_text(
    table: StrategyTable,
    advice: Sequence[Advice],
    prior: Prior | None = None,
    *,
    full: bool = False,
) -> str:
    """Return the comparison of strategies for a terminal or a text file.

    Parameters
    ----------
    table : StrategyTable
        The comparison.
    advice : Sequence[Advice]
        What the numbers speak for.
    prior : Prior | None
        Published advice that was asked for.
    full : bool
        Show the tests of every category as well.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    plan = table.plan
    kind = "EXPLORATORY" if plan.family_size is None else "declared before the data"
    lines = [
        f"counterbalance compare: strategies against {visible(plan.baseline)}, {kind}",
        (
            f"  {plan.level:.0%} intervals over clusters;"
            f" {plural(table.family.family_size, 'test')} corrected together by Holm"
        ),
    ]
    for judge in table.judges:
        lines += _judge(judge, table)
    lines += _legend(table)
    lines += _frontier(table)
    if full:
        lines += _by_category(table)
    elif table.by_category:
        n = len(table.by_category)
        lines += ["", f"By category: {plural(n, 'difference')} more with --full"]
    lines += _advice(advice)
    if prior is not None:
        lines += prior_lines(prior)
    lines += ["", "What this does not say", *_wrapped(STRATEGY_LIMITS)]
    if table.notes:
        lines += ["", "Limits of this evidence", *_wrapped(table.notes)]
    return "\n".join(lines) + "\n"


STRATEGY_LIMITS = (
    (
        "Agreement with a reference is as good as the reference; stable means stable under"
        " exchange, not right."
    ),
    (
        "A difference that was not found is not none. The strategy that looks best among several"
        " looks better than it is: confirm it on pairs that were not used to choose it."
    ),
    "What holds for these judges and pairs need not hold for others.",
)


ROW_HEAD = (
    "strategy", "is", "agreement", "interval", "count", "stable", "ties", "by rule",
    "orders differ", "no result", "calls", "a pair", "a call",
)  # fmt: skip
"""Heads of the columns of `row_texts`."""


def _judge(judge: str, table: StrategyTable) -> Iterator[str]:
    rows = table.of_judge(judge)
    pairs = max(row.side.n_pairs for row in rows)
    yield ""
    yield f"Judge {visible(judge, 90)}: {plural(pairs, 'pair')}"
    head, body = list(ROW_HEAD), [row_texts(row) for row in rows]
    used = [i for i in range(len(head)) if i < _ALWAYS or any(r[i] not in {"–", "0"} for r in body)]
    yield from columns(
        [[line[i] for i in used] for line in (head, *body)],
        right=[place for place, i in enumerate(used) if i > 1 and i != _INTERVAL],
    )
    yield ""
    tests = [test for test in table.tests if test.found.judge == judge]
    if tests:
        yield f"  Agreement against {visible(tests[0].found.baseline, 90)}, in points"
        yield from _tests(tests)
    stable = [test for test in table.consistency if test.found.judge == judge]
    if stable:
        yield ""
        base = visible(stable[0].found.baseline, 90)
        yield f"  Stable pairs against {base}, in points: a family of its own"
        yield from _tests(stable)


_ALWAYS = 7
_INTERVAL = 3


def row_texts(row: StrategyRow) -> list[str]:
    """Return the cells of one strategy, under `ROW_HEAD`."""
    side, found = row.side, row.agreement
    mark = "~" if side.is_loose and side.stands_for else ""
    interval = "–"
    if found.low is not None and found.high is not None:
        interval = f"[{100 * found.low:.1f}, {100 * found.high:.1f}]"
    cost = side.cost
    return [
        visible(side.strategy, _LONGEST_NAME),
        f"{mark}{visible(side.stands_for, 20)}" or "–",
        percent(found.estimate),
        interval,
        f"{number(found.numerator)} / {number(found.denominator)}",
        _share(row.stable, row.two_verdicts),
        percent(row.tie_share),
        str(row.made_ties),
        _share(row.disagreeing, row.two_verdicts),
        str(row.n_undecided),
        "–" if cost.calls is None else f"{cost.calls:.2f}",
        (cost.why_no_dollars or "–") if cost.dollars is None else dollars(cost.dollars),
        "–" if cost.seconds_per_call is None else f"{cost.seconds_per_call:.2f} s",
    ]


def _share(n: int, of: int) -> str:
    return percent(n / of) if of else "–"


def _tests(tests: Sequence[Tested]) -> Iterator[str]:
    head = ["", "difference", "interval", "gained", "lost", "pairs", "p", "adjusted", ""]
    rows = [[*head, "finds", "needs"], *(_test(test) for test in tests)]
    yield from columns(rows, indent=4, right=[*range(3, 6), 9, 10])


def _legend(table: StrategyTable) -> Iterator[str]:
    margin = table.plan.margin
    aim = "one as large as was seen" if margin is None else f"the margin of {100 * margin:g} points"
    yield ""
    yield f"  finds: smallest difference told from none with {POWER:.0%} power in its family"
    yield f"  needs: more pairs like these by which {aim} would be told from none, were it real"
    if any(row.side.is_loose for row in table.rows):
        yield "  ~: only resembles the strategy that it is set beside; how it differs is said below"


def _test(test: Tested) -> list[str]:
    found = test.found
    if found.value is None:
        return [
            visible(found.strategy, _LONGEST_NAME),
            "–",
            *[""] * 6,
            found.undefined or "",
            "",
            "",
        ]
    interval = "–"
    if found.low is not None and found.high is not None:
        interval = f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    return [
        visible(found.strategy, _LONGEST_NAME),
        f"{100 * found.value:+.1f}",
        interval,
        str(found.n_gained),
        str(found.n_lost),
        str(found.n_common),
        p_value(found.p_value).removeprefix("p = ").removeprefix("p "),
        p_value(test.adjusted).removeprefix("p = ").removeprefix("p "),
        ("more" if found.value > 0 else "less") if test.is_found else "cannot tell",
        "–" if test.detectable is None else f"{100 * test.detectable:.1f}",
        "enough" if test.has_enough else "–" if test.more_needed is None else str(test.more_needed),
    ]


def needs_words(test: Tested) -> str:
    """Return how many more pairs would tell, where nothing was told; nothing else."""
    if test.is_found or test.found.value is None:
        return ""
    if test.has_enough:
        return "pairs enough for what was asked, and not told from none"
    return "" if test.more_needed is None else f"{test.more_needed} more pairs would tell"


def _frontier(table: StrategyTable) -> Iterator[str]:
    yield ""
    if not table.points:
        yield "Cost and agreement: neither prices nor calls are known of every strategy"
        return
    unit = "dollars, all judges together"
    if table.cost_unit == "calls":
        unit = "calls, judge by judge: not everything is priced"
    yield f"Cost of a pair ({unit}) and agreement; * nothing that costs no more agrees as often"
    rows = [
        [
            "*" if each.is_on_frontier else "",
            visible(each.point.name, 60),
            f"{each.point.cost:.4g}",
            percent(each.point.agreement),
            "" if each.is_on_frontier else f"beaten by {visible(each.beaten_by, 60)}",
        ]
        for each in table.points
    ]
    yield from columns(rows, right=[2, 3])


def _by_category(table: StrategyTable) -> Iterator[str]:
    if not table.by_category or table.category_family is None:
        return
    size = table.category_family.family_size
    names = dict.fromkeys(test.found.category for test in table.by_category)
    for judge in table.judges:
        for name in names:
            tests = [
                t
                for t in table.by_category
                if t.found.judge == judge and t.found.category == name and t.found.n_common
            ]
            if tests:
                yield ""
                yield (
                    f"{visible(judge, 60)}, {visible(name or '(no category)', 40)}: agreement in"
                    f" points, EXPLORATORY, Holm over {size}"
                )
                yield from _tests(tests)


def _advice(found: Sequence[Advice]) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield "Advice, from these numbers alone"
    judge = ""
    for each in found:
        if each.judge != judge:
            judge = each.judge
            yield f"  {visible(judge, 90)}"
        text = f"{each.situation.value}: {each.sentence}"
        yield from textwrap.wrap(
            visible(text, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
        for line in each.evidence:
            yield from textwrap.wrap(
                visible(line, 400), _WIDTH, initial_indent="      ", subsequent_indent="        "
            )


def prior_lines(prior: Prior) -> Iterator[str]:
    """Yield published advice, marked as what it is: somebody else's judges and data."""
    yield ""
    yield f"Published advice {prior.name!r}: SOMEBODY ELSE'S JUDGES AND DATA, not these"
    yield from _wrapped([prior.source])
    rows = [[situation, said] for situation, said in prior.advice]
    yield from columns(rows, indent=4)
    yield from _wrapped(prior.remarks)


def _wrapped(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
