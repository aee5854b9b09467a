"""``counterbalance parse``: read replies with a verdict format, before any is paid for."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from counterbalance.errors import InputError, UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["command"]

# Options of this verb that are fields of the format under another name.
_FIELD_OF = {"refusal_pattern": "refusal_patterns", "field": "fields"}
_TEXT_WIDTH = 60

_LINES_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_SHOWN = "<standard input>"
_EMPTY = "is empty; give one reply as text or one JSON object per line"
_N_LOGPROB = 2
_GREATEST = 1e300


@dataclass(frozen=True, slots=True)
class _NamedReply:
    """One reply of the input.

    Attributes
    ----------
    id : str
        As given, else the line's number.
    reply : Reply
        What the judge gave back.
    answers : tuple[str, ...]
        Texts of the candidates, where the input has them.
    """

    id: str
    reply: Reply
    answers: tuple[str, ...] = ()


@click.command("parse")
@click.argument("format_id", metavar="FORMAT")
@click.argument("file", default="-")
@click.option("--first", help="Label of the answer shown first. [A; 1 for number]")
@click.option("--second", help="Label of the answer shown second. [B; 2 for number]")
@click.option("--tie", help="Label of a tie; none is offered without it.")
@click.option("--neither", help="Label that declares both answers unacceptable.")
@click.option("--insufficient", help="Label that declares the evidence insufficient.")
@click.option("--position", type=click.Choice(["last", "only"]), help="Which verdict counts.")
@click.option("--lenient", is_flag=True, help="Accept the near forms that the docs list.")
@click.option("--key", help="json: the key that holds the label. [winner]")
@click.option("--field", multiple=True, help="json: a further key that names answers.")
@click.option("--scores", help="json: a further key with a score of each answer; see --json.")
@click.option("--quote", help="json: a further key with words of the source; see --json.")
@click.option("--readable-when-cut", is_flag=True, help="json: read a cut reply's verdict.")
@click.option("--tag", help="tag: the element's name. [verdict]")
@click.option("--nonce", default="", help="tag: the secret that the element must carry.")
@click.option("--pattern", help="regex: RE2 pattern with a group named label.")
@click.option("--mass-floor", type=float, help="logprob: least total probability.")
@click.option("--tie-margin", type=float, help="logprob: largest difference that is equal.")
@click.option("--refusal-pattern", multiple=True, help="RE2 pattern of a refusal.")
@click.option("--fallback", multiple=True, help="Format to try when FORMAT finds nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per reply.")
def command(
    format_id: str, file: str, first: str | None, second: str | None, nonce: str, as_json: bool,
    **declared: Any,  # noqa: ANN401 (click's values, checked by the format)
) -> None:  # fmt: skip
    """Read the replies in FILE with FORMAT and print outcome, rule and span of each.

    FORMAT is bracket, bracket5, json, tag, choice, number, result, boxed, logprob or regex. FILE
    (standard input without it) is plain text, which is one reply, or JSON lines with "reply" and
    optionally "id", "finish", "reasoning", "refusal", "token_logprobs" (a list of [token, natural
    logarithm]) and "answers" (both candidates' texts, to tell a quoted verdict from a given one).
    """
    from counterbalance.parsing.parser import parse_reply

    verdict_format = _verdict_format(format_id, bool(nonce), declared)
    labelling = _labelling(verdict_format, first, second)
    read = [
        (
            named,
            parse_reply(verdict_format, labelling, named.reply, nonce=nonce, echoes=named.answers),
        )
        for named in _named_replies(file)
    ]
    if as_json:
        lines: Iterable[str] = (
            _json_line(named, outcome, _beside(verdict_format, labelling, named, outcome))
            for named, outcome in read
        )
    else:
        lines = _table(read)
    for line in lines:
        click.echo(line)
    click.echo(_counts(outcome for _, outcome in read), err=True)


def _verdict_format(format_id: str, has_nonce: bool, declared: dict[str, Any]) -> VerdictFormat:
    from pydantic import ValidationError

    from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat

    if format_id not in FORMAT_IDS:
        msg = f"FORMAT is {one_line(format_id)}; choose one of {', '.join(FORMAT_IDS)}"
        raise UsageError(msg)
    if has_nonce and format_id != "tag":
        msg = "--nonce belongs to format 'tag'; leave it out"
        raise UsageError(msg)
    # What was not given keeps the format's own default.
    given = {_FIELD_OF.get(k, k): v for k, v in declared.items() if v not in {None, False, ()}}
    try:
        return VerdictFormat(format=format_id, nonce=has_nonce, **given)
    except ValidationError as error:
        raise UsageError(_problem(error)) from None


def _labelling(verdict_format: VerdictFormat, first: str | None, second: str | None) -> Labelling:
    from pydantic import ValidationError

    from counterbalance.parsing.offer import offer_problem
    from counterbalance.protocol.labelling import Labelling

    usual = ("1", "2") if verdict_format.format == "number" else ("A", "B")
    try:
        labelling = Labelling(first=first or usual[0], second=second or usual[1])
    except ValidationError as error:
        raise UsageError(_problem(error)) from None
    problem = offer_problem(verdict_format, labelling)
    if problem:
        raise UsageError(problem)
    return labelling


def _problem(error: Any) -> str:  # noqa: ANN401 (pydantic is imported late)
    """Return the first complaint as one line that names the option."""
    first = error.errors(include_url=False)[0]
    option_of = {field: option for option, field in _FIELD_OF.items()}
    field = str(first["loc"][0]) if first["loc"] else ""
    option = "--" + option_of.get(field, field).replace("_", "-")
    reason = str(first["msg"]).removeprefix("Value error, ")
    return one_line(f"{option}: {reason}" if field else reason, 300)


def _beside(
    verdict_format: VerdictFormat, labelling: Labelling, named: _NamedReply, outcome: Outcome
) -> dict[str, Any]:
    """Return what a reply says beside its verdict, as far as the format asks for it."""
    from counterbalance.parsing.beside_verdict import quote_beside, score_difference

    found: dict[str, Any] = {}
    text = named.reply.text
    if verdict_format.scores is not None:
        difference = score_difference(verdict_format, labelling, text, outcome)
        found["score_difference"] = difference
    if verdict_format.quote is not None:
        found["quote"] = quote_beside(verdict_format, text, outcome)
    return found


def _json_line(named: _NamedReply, outcome: Outcome, beside: dict[str, Any]) -> str:
    value = asdict(outcome)
    del value["failure"]
    value["fields"] = {name: list(slots) for name, slots in outcome.fields}
    # ASCII, so that no console's encoding can refuse a label.
    whole = {"id": named.id, "outcome": value.pop("kind"), **value, **beside}
    return json.dumps(whole, allow_nan=False)


def _table(read: list[tuple[_NamedReply, Outcome]]) -> Iterable[str]:
    rows = [("id", "outcome", "rule", "span", "text")]
    for named, outcome in read:
        kind = outcome.kind.value + (f", {outcome.strength}" if outcome.strength else "")
        span = f"{outcome.span[0]}-{outcome.span[1]}" if outcome.span else "-"
        text = named.reply.text[slice(*outcome.span)] if outcome.span else ""
        rows.append((one_line(named.id), kind, outcome.rule, span, one_line(text, _TEXT_WIDTH)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        yield "  ".join([*cells, row[-1]]).rstrip()


def _counts(outcomes: Iterable[Outcome]) -> str:
    counts = Counter(outcome.kind.value for outcome in outcomes)
    total = counts.total()
    listed = ", ".join(f"{n} {kind}" for kind, n in counts.most_common())
    return f"{total} {'reply' if total == 1 else 'replies'}: {listed}"


def _named_replies(file: str) -> list[_NamedReply]:
    """Return the replies of a file, or of standard input for ``-``: at least one."""
    shown = _SHOWN if file == "-" else file
    from counterbalance.presentations.reply import Reply

    text = _text(file, shown)
    if not _is_lines(file, text):
        return [_NamedReply("1", Reply(text))]
    # Only line feeds end a line: other separators are legal inside JSON strings.
    numbered = enumerate(text.split("\n"), start=1)
    replies = [_named(f"{shown}:{n}", n, line) for n, line in numbered if line.strip()]
    return replies or _refuse(shown, _EMPTY)


def _text(file: str, shown: str) -> str:
    try:
        received = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        _refuse(one_line(shown), f"cannot be read: {reason}; check the path")
    if not received:
        _refuse(shown, _EMPTY)
    try:
        return received.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = received.count(b"\n", 0, error.start) + 1
        _refuse(f"{shown}:{line}", f"is not UTF-8 (byte {error.start + 1}); convert the file")


def _is_lines(file: str, text: str) -> bool:
    """Whether the text is meant as JSON lines: by its name, or by its first line."""
    if Path(file).suffix.lower() in _LINES_SUFFIXES:
        return True
    first = text.lstrip().split("\n", 1)[0].strip()
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        # A line that was meant so must not be read as a plain reply without a word.
        return first.startswith("{") and '"reply"' in first
    return isinstance(value, dict) and "reply" in value


def _named(where: str, number: int, line: str) -> _NamedReply:
    from counterbalance.presentations.reply import Reply

    row = _row(where, line)
    reply = Reply(
        text=_string(where, row, "reply"),
        finish=_string(where, row, "finish"),
        reasoning=_string(where, row, "reasoning"),
        refusal=_string(where, row, "refusal"),
        token_logprobs=_logprobs(where, row.get("token_logprobs")),
    )
    return _NamedReply(_id(where, row, number), reply, _answers(where, row.get("answers")))


def _row(where: str, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_without_double)
    except json.JSONDecodeError as error:
        _refuse(where, f"is not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        _refuse(where, "nests too deeply to be read")
    except ValueError as error:
        _refuse(where, one_line(error))
    if not isinstance(row, dict):
        _refuse(where, "is not a JSON object; every line needs one")
    if "reply" not in row:
        _refuse(where, 'has no "reply"; give the text that the judge wrote, or null')
    return row


def _refuse(where: str, problem: str) -> NoReturn:
    msg = f"{where}: {problem}"
    raise InputError(msg) from None


def _without_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"has the key {one_line(twice)!r} twice; keep one"
        raise ValueError(msg)
    return row


def _string(where: str, row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        _refuse(where, f'"{key}" is {one_line(json.dumps(value), 30)}; it must be a string or null')
    return _whole(where, key, value)


def _whole(where: str, key: str, text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        _refuse(where, f'"{key}" holds half a character (a lone surrogate) at {error.start + 1}')
    return text


def _id(where: str, row: dict[str, Any], number: int) -> str:
    value = row.get("id", number)
    if isinstance(value, bool) or not isinstance(value, str | int):
        _refuse(where, f'"id" is {one_line(json.dumps(value), 30)}; it must be a string or integer')
    return _whole(where, "id", str(value))


def _answers(where: str, value: Any) -> tuple[str, ...]:  # noqa: ANN401 (any JSON value)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
        _refuse(where, '"answers" must be a list of the candidates\' texts')
    return tuple(_whole(where, "answers", x) for x in value)


def _logprobs(where: str, value: Any) -> tuple[tuple[str, float], ...]:  # noqa: ANN401
    if value is None:
        return ()
    if not isinstance(value, list) or not all(_is_logprob(x) for x in value):
        _refuse(where, '"token_logprobs" must be a list of [token, natural logarithm]')
    return tuple((_whole(where, "token_logprobs", x[0]), float(x[1])) for x in value)


def _is_logprob(value: Any) -> bool:  # noqa: ANN401 (any JSON value)
    return (
        isinstance(value, list)
        and len(value) == _N_LOGPROB
        and isinstance(value[0], str)
        and isinstance(value[1], int | float)
        and not isinstance(value[1], bool)
        and abs(value[1]) < _GREATEST
    )
