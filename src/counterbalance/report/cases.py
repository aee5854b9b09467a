"""One row for each pair and group, with both raw replies and everything needed to check them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, TextIO

from counterbalance.dispositions.requirements import accepted_winner, requirement_results
from counterbalance.dispositions.strategy_result import plain_result
from counterbalance.items.frames import Order, Slot
from counterbalance.presentations.order import side_in
from counterbalance.report.csv_rows import write_rows_csv
from counterbalance.report.quotes import case_quotes, quotes_in_strategies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from counterbalance.dispositions.evidence import GroupId, PresentationEvidence
    from counterbalance.dispositions.strategy_result import StrategyResult
    from counterbalance.measures.group import JudgedPair
    from counterbalance.record.attempt import Attempt
    from counterbalance.report.evidence import Evidence

__all__ = ["case_values", "flat_case", "write_cases_csv", "write_cases_jsonl"]

_NESTED = frozenset({"a", "b", "orders", "repeated", "requirements", "messages"})
"""Parts of a case that are no cell of a table."""


def case_values(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Yield one JSON value for each pair and group, most consequential pairs first.

    Held-out pairs come after all others, and only once they were opened under the newest revision.

    Parameters
    ----------
    evidence : Evidence
        From `read_evidence`.

    Yields
    ------
    dict[str, Any]
        Pair, candidates, disposition, both orders with every attempt, references, requirements
        and settings.
    """
    yield from _cases(evidence)
    if evidence.confirmation is not None:
        yield from _cases(evidence.confirmation)


def _cases(evidence: Evidence) -> Iterator[dict[str, Any]]:
    quoted = quotes_in_strategies(evidence)
    for group, pairs in evidence.groups.items():
        calibrated = evidence.calibrated(group.judge)
        ordered = sorted(pairs, key=lambda j: (-j.pair.item.consequence, j.pair.id))
        for judged in ordered:
            case = _case(group, judged, evidence, calibrated.get(judged.pair.id))
            if further := quoted.get((group.judge, judged.pair.id)):
                case["quotes"] = [*(case["quotes"] or ()), *further]
            yield case


def _case(
    group: GroupId, judged: JudgedPair, evidence: Evidence, calibrated: StrategyResult | None
) -> dict[str, Any]:
    pair, result = judged.pair, judged.result
    plain = plain_result(result)
    requirements = requirement_results(pair, judged.evidence)
    winner = accepted_winner(result, requirements)
    reference = pair.reference
    protocol = evidence.protocol
    settings = next(j for j in protocol.judges if j.name == group.judge)
    return {
        "pair": pair.id,
        "item": pair.item.id,
        "cluster": pair.item.cluster,
        "category": pair.item.category,
        "consequence": pair.item.consequence,
        "judge": group.judge,
        "labelling": group.labelling,
        "held_out": evidence.is_held_out,
        "disposition": result.disposition.value,
        "detail": result.detail,
        "reasons": dict(result.reasons),
        "strategy": plain.strategy,
        "strategy_result": plain.value,
        "from_disagreement": plain.from_disagreement,
        "strategy_results": [
            {
                "strategy": found.strategy,
                "judge": judge,
                "result": found.value,
                "from_disagreement": found.from_disagreement,
                "votes": found.n_votes,
                "self_disagreeing": found.n_self_disagreeing,
                "split": found.is_split,
                "escalated": found.is_escalated,
                "log_odds_a": found.log_odds_a,
                "score_a": found.score_a,
            }
            for judge, found in evidence.strategy_results(pair.id, group.judge)
        ],
        "quotes": case_quotes(protocol.verdict, pair, (shown for _, shown in judged.main())),
        "balanced_calibration": None if calibrated is None else calibrated.value,
        "balanced_log_odds_a": None if calibrated is None else calibrated.log_odds_a,
        "cost_usd": _cost(judged),
        "accepted_winner": None if winner is None else winner.value,
        "reference": None if reference is None else sorted(reference.accepted),
        "reference_source": None if reference is None else reference.source,
        "requirements": [
            {
                "id": r.requirement.id,
                "mandatory": r.requirement.mandatory,
                "candidate": r.side.value,
                "met": r.is_met,
            }
            for r in requirements
        ],
        "a": _candidate(judged, "a"),
        "b": _candidate(judged, "b"),
        "orders": {order.value: _order(judged, order) for order in judged.result.cells},
        "repeated": {
            order.value: [_presentation(shown, order) for shown in presentations]
            for order, presentations in judged.evidence.stability.items()
        },
        "judge_settings": settings.model_dump(mode="json"),
        "prompt": f"{protocol.prompt.id}/{protocol.prompt.version}",
        "rubric_version": protocol.prompt.rubric_version,
        "parser": protocol.verdict.id,
        "protocol": evidence.header.protocol_digest,
        "exploratory": evidence.counts_beyond_rule,
        "case": f"{group.judge}/{group.labelling}/{pair.id}",
        "messages": [{"role": m.role, "content": m.content} for m in pair.item.messages],
        "context": pair.item.context,
    }


def _cost(judged: JudgedPair) -> float | None:
    """Return what the pair's priced calls cost in dollars; None when none is priced."""
    costs = [
        attempt.cost_usd
        for held in (judged.evidence.main, judged.evidence.stability)
        for presentations in held.values()
        for shown in presentations
        for attempt in shown.attempts
        if attempt.cost_usd is not None
    ]
    return math.fsum(costs) if costs else None


def _finite(logprobs: Sequence[tuple[str, float]]) -> list[list[str | float | None]]:
    """Write log-probabilities as JSON can: an impossible token has None."""
    return [[token, value if math.isfinite(value) else None] for token, value in logprobs]


def _candidate(judged: JudgedPair, side: str) -> dict[str, str]:
    candidate = judged.pair.a if side == "a" else judged.pair.b
    return {
        "id": candidate.id,
        "supplied_id": candidate.supplied_id,
        "system": candidate.system,
        "version": candidate.version,
        "text": candidate.text,
    }


def _order(judged: JudgedPair, order: Order) -> dict[str, Any]:
    cell = judged.result.cells[order]
    reference = judged.pair.reference
    verdict = cell.cell.verdict
    agrees = None if reference is None or verdict is None else verdict in reference.accepted
    return {
        "shown_first": side_in(Slot.FIRST, order).value,
        "shown_second": side_in(Slot.SECOND, order).value,
        "cell": cell.cell.value,
        "agrees_with_reference": agrees,
        "repetitions": [
            _presentation(shown, order) | {"verdict": v}
            for shown, v in zip(judged.evidence.main[order], cell.verdicts, strict=True)
        ],
    }


def _presentation(shown: PresentationEvidence, order: Order) -> dict[str, Any]:
    return {
        "presentation": shown.presentation.key,
        "order": order.value,
        "prompt_digest": shown.presentation.prompt_digest,
        "temperature": shown.presentation.temperature,
        "raised_limit": shown.is_raised,
        "attempts": [
            _attempt(attempt)
            | {
                "decisive": attempt is shown.decisive,
                "beyond_retry_rule": attempt in shown.beyond,
            }
            for attempt in shown.attempts
        ],
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    reply, outcome = attempt.reply, attempt.outcome
    usage = None if reply is None else reply.usage
    return {
        "number": attempt.number,
        "started_at": attempt.started_at,
        "seconds": attempt.seconds,
        "outcome": outcome.kind.value,
        "failure": outcome.failure,
        "strength": outcome.strength,
        "rule": outcome.rule,
        "span": outcome.span,
        "label_mass": outcome.label_mass,
        "log_odds_first": outcome.log_odds_first,
        "token_logprobs": None if reply is None else _finite(reply.token_logprobs),
        "reply": None if reply is None else reply.text,
        "reasoning": None if reply is None else reply.reasoning,
        "finish": None if reply is None else reply.finish,
        "model": None if reply is None else reply.model,
        "fingerprint": None if reply is None else reply.fingerprint,
        "sent": None if reply is None else reply.sent,
        "prompt_tokens": None if usage is None else usage.prompt_tokens,
        "completion_tokens": None if usage is None else usage.completion_tokens,
        "tokens_measured": None if usage is None else usage.is_measured,
        "cost_usd": attempt.cost_usd,
        "problem": attempt.problem,
    }


def write_cases_jsonl(cases: Iterable[dict[str, Any]], file: TextIO) -> int:
    """Write cases as JSON lines, texts exactly as they were.

    Parameters
    ----------
    cases : Iterable[dict[str, Any]]
        From `case_values`.
    file : TextIO
        Open for writing.

    Returns
    -------
    int
        Lines written.
    """
    n = 0
    for case in cases:
        file.write(json.dumps(case, ensure_ascii=False, allow_nan=False) + "\n")
        n += 1
    return n


def write_cases_csv(
    cases: Iterable[dict[str, Any]],
    file: TextIO,
    flat: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> int:
    """Write cases as CSV for a spreadsheet, one row for each pair and group.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front; the JSON lines
    hold the exact text.

    Parameters
    ----------
    cases : Iterable[dict[str, Any]]
        From `case_values`.
    file : TextIO
        Open for writing, with ``newline=""``.
    flat : Callable[[dict[str, Any]], dict[str, Any]] | None
        Turns a case into one row, the same columns for every case; None for cases of a run.

    Returns
    -------
    int
        Rows written, the header not counted.
    """
    return write_rows_csv(map(flat or flat_case, cases), file)


def flat_case(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case of a run as one row of a table.

    Parameters
    ----------
    case : dict[str, Any]
        From `case_values`.

    Returns
    -------
    dict[str, Any]
        The same columns for every case; of each order the attempt of its first repetition that
        counts.
    """
    flat = {key: value for key, value in case.items() if key not in _NESTED}
    for side in ("a", "b"):
        flat |= {f"{side}_{key}": value for key, value in case[side].items()}
        flat[f"{side}_breaches"] = [
            r["id"] for r in case["requirements"] if r["candidate"] == side and r["met"] is False
        ]
    for order in Order:
        flat |= {f"{order}_{key}": value for key, value in _flat_order(case, order).items()}
    return flat


def _flat_order(case: dict[str, Any], order: Order) -> dict[str, Any]:
    shown = case["orders"].get(order.value)
    keys = ("outcome", "rule", "reply", "finish", "model", "seconds", "prompt_tokens", "cost_usd")
    if shown is None:
        return dict.fromkeys(
            (
                "shown_first", "cell", "agrees_with_reference", "verdicts", "attempts",
                "attempts_beyond_retry_rule", "raised_limit", *keys,
            )
        )  # fmt: skip
    attempts = [r["attempts"] for r in shown["repetitions"]]
    first = attempts[0] if attempts else []
    decisive: dict[str, Any] = next((a for a in first if a["decisive"]), {})
    return {
        "shown_first": shown["shown_first"],
        "cell": shown["cell"],
        "agrees_with_reference": shown["agrees_with_reference"],
        "verdicts": [r["verdict"] for r in shown["repetitions"]],
        "attempts": sum(len(a) for a in attempts),
        "attempts_beyond_retry_rule": sum(a["beyond_retry_rule"] for r in attempts for a in r),
        "raised_limit": any(r["raised_limit"] for r in shown["repetitions"]),
        **{key: decisive.get(key) for key in keys},
    }
