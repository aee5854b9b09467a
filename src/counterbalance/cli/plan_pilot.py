"""What a plan takes by the tokens that a pilot's calls took, for ``plan --pilot``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.pilot_tokens import ByPilot
    from counterbalance.record.place import Place
    from counterbalance.run.forecast import Forecast
    from counterbalance.run.study import Study

__all__ = ["pilot_lines", "tokens_by_pilot"]


def tokens_by_pilot(study: Study, plan: Forecast, pilot: Place | None) -> tuple[ByPilot, ...]:
    """Return the tokens and the price of each judge that the pilot asked as well."""
    from counterbalance.compare.pilot_tokens import by_pilot
    from counterbalance.measures.cost import spent_on
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence

    if pilot is None:
        return ()
    with open_record(pilot, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    found = []
    for judge in plan.judges:
        spent = spent_on(
            attempt
            for group, pairs in evidence.groups.items()
            if group.judge == judge.judge
            for each in pairs
            for _, shown in each.main()
            for attempt in shown.attempts
        )
        if spent.with_tokens:
            price = study.protocol.prices.get(judge.judge)
            found.append(by_pilot(judge.judge, judge.calls, spent, price))
    return tuple(found)


def pilot_lines(found: Sequence[ByPilot]) -> list[str]:
    """Return a line for each judge; the tokens are marked as what they are."""
    from counterbalance.report.cost import dollars

    return [
        (
            f"judge {each.judge} by the pilot: {each.prompt_per_call:.1f} prompt and"
            f" {each.completion_per_call:.1f} reply tokens a call"
            f" ({'measured' if each.is_measured else 'estimated'} over {each.n_calls} calls), so"
            f" about {each.prompt_tokens:.0f} and {each.completion_tokens:.0f};"
            f" {'unpriced' if each.cost_usd is None else dollars(each.cost_usd)}"
        )
        for each in found
    ]
