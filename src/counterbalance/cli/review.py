"""``counterbalance review``: let people judge what the judge could not decide, without a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.place import Place
    from counterbalance.record.review import Review, Reviewer
    from counterbalance.record.store import RecordHeader, Store
    from counterbalance.review.desk import Desk

__all__ = ["command"]

_SIZES = {"audit": 20, "repeats": 5}
"""Sizes of a review that names none; they are printed and recorded when it is opened."""


@click.command("review")
@click.argument("record", type=record_place)
@click.option(
    "--reviewer",
    "reviewers",
    multiple=True,
    metavar="NAME",
    help="Who takes part; may be repeated. Names are recorded: use pseudonyms.",
)
@click.option(
    "--audit",
    type=click.IntRange(min=0),
    help="Stable pairs to draw at random beside the selected cases (20).",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=0),
    help="Cases that each reviewer sees again in the exchanged order (5).",
)
@click.option("--seed", type=int, help="Of sample, slots and queue (the protocol's seed).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8484,
    show_default=True,
    help="Port to listen at; 0 takes a free one.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME[:PORT]",
    help="Another name that browsers may use, such as that of a proxy; may be repeated.",
)
@click.option("--status", is_flag=True, help="Print how far the review is, and serve nothing.")
@click.option("--close", is_flag=True, help="End the review for good; `report` then shows it.")
@click.option("--json", "as_json", is_flag=True, help="Print --status or --close as JSON.")
def command(record: Place, **options: Any) -> int:  # noqa: ANN401 (one type per option)
    """Serve the blind review of RECORD: undecided pairs, and a random sample of the others.

    Reviewers see prompt, context, rubric and two unnamed responses; neither the judge's verdict nor
    the reason of a case. The first call opens the review and fixes its cases; every further one
    goes on with it. Answers are attempts in the same record. Stop with Ctrl-C: exit code 0 when
    everything is answered, 3 when not.
    """
    wanted = _Wanted(**options)
    wanted.check()
    if wanted.status:
        return _print_status(record, wanted.as_json)
    if wanted.close:
        return _close(record, wanted.as_json)
    return _serve(record, wanted)


class _Wanted(NamedTuple):
    """The options of the verb."""

    reviewers: tuple[str, ...]
    audit: int | None
    repeats: int | None
    seed: int | None
    host: str
    port: int
    allowed: tuple[str, ...]
    status: bool
    close: bool
    as_json: bool

    @property
    def sizes(self) -> dict[str, int | None]:
        """What is fixed when a review is opened; None where it was not given."""
        return {"audit": self.audit, "repeats": self.repeats, "seed": self.seed}

    def check(self) -> None:
        """Refuse options that do not go together."""
        from counterbalance.errors import UsageError

        if self.status and self.close:
            msg = "--status and --close: give one of them"
            raise UsageError(msg)
        if self.as_json and not (self.status or self.close):
            msg = "--json: goes with --status or --close"
            raise UsageError(msg)


def _serve(record: Place, wanted: _Wanted) -> int:
    from counterbalance.record import open_record
    from counterbalance.review.opening import check_name, join_reviewers
    from counterbalance.review.serving import allowed_hosts, bound, serve
    from counterbalance.review.session import ReviewSession
    from counterbalance.run.clock import now, stopwatch

    _require_extra()
    names = [check_name(name) for name in wanted.reviewers]
    host = wanted.host
    with open_record(record, create=False, exclusive=True) as store:
        header, protocol = _study(store, record)
        review = _opened(store, header, protocol, wanted.sizes, now())
        if review is None:
            click.echo(
                "Nothing to review: no pair is undecided, and the audit draws no stable pair."
            )
            return 0
        _refuse_closed(review)
        listening = bound(host, wanted.port)
        there = {reviewer.name for reviewer in store.reviews.reviewers(review)}
        names = names or ([] if there else ["reviewer"])
        people = join_reviewers(store, review, protocol, names, now())
        port = listening.getsockname()[1]
        _announce_review(review, people, host)

        def announce(links: dict[str, str]) -> None:
            shown = f"[{host}]" if ":" in host else host
            for name, path in links.items():
                click.echo(f"{name}: http://{shown}:{port}{path}")
            click.echo(
                "Each link lets one browser in. Stop with Ctrl-C; nothing is lost.", err=True
            )

        session = serve(
            lambda: ReviewSession(store, review, people, protocol, now, stopwatch),
            listening,
            allowed_hosts(host, port, wanted.allowed),
            announce,
        )
    return _print_end(list(session.desks.values()), record)


def _require_extra() -> None:
    from importlib.util import find_spec

    from counterbalance.errors import MissingExtraError

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        part, command = "the review page", "python -m pip install 'counterbalance[review]'"
        raise MissingExtraError(part, command)


def _study(store: Store, record: Place) -> tuple[RecordHeader, Protocol]:
    """Return what a record is of; refuse one that holds no pairs with both texts."""
    from counterbalance.errors import InputError
    from counterbalance.protocol.loading import protocol_from_canonical
    from counterbalance.record.imported import is_import

    header = store.header()
    if header is None:
        msg = f"{record}: the record holds nothing yet; `counterbalance run` begins it"
        raise InputError(msg)
    if is_import(header):
        msg = (
            f"{record}: holds an imported log, whose pairs no protocol describes; review the record"
            " of a `counterbalance run`"
        )
        raise InputError(msg)
    return header, protocol_from_canonical(header.protocol, header.pairs_file)


def _opened(
    store: Store,
    header: RecordHeader,
    protocol: Protocol,
    given: dict[str, int | None],
    at: str,
) -> Review | None:
    """Return the review of the newest revision, opened now if there was none; None without case."""
    from counterbalance.errors import UsageError
    from counterbalance.measures.review_cases import review_frame
    from counterbalance.report.evidence import read_evidence
    from counterbalance.review.opening import Sizes, decided_review, latest_review, opened

    review = latest_review(store, header.number)
    if review is not None:
        for name, value in given.items():
            if value is not None and value != review.settings[name]:
                msg = (
                    f"--{name} {value}: the review was opened with {review.settings[name]}, and"
                    " that is fixed; leave the option out"
                )
                raise UsageError(msg)
        return review
    sizes = Sizes(
        audit=_SIZES["audit"] if given["audit"] is None else given["audit"],
        repeats=_SIZES["repeats"] if given["repeats"] is None else given["repeats"],
        seed=protocol.seed if given["seed"] is None else given["seed"],
    )
    frame = review_frame(read_evidence(store).groups)
    decided = decided_review(frame, sizes, header, at)
    return opened(store, decided) if decided.cases else None


def _refuse_closed(review: Review) -> None:
    from counterbalance.errors import UsageError

    if review.closed_at:
        msg = (
            f"the review was closed at {review.closed_at}, and a closed one takes no answer; its"
            " figures are in `counterbalance report RECORD`"
        )
        raise UsageError(msg)


def _announce_review(review: Review, people: Sequence[Reviewer], host: str) -> None:
    from counterbalance.report.layout import plural
    from counterbalance.review.serving import is_loopback

    settings = review.settings
    drawn = len(review.cases) - settings["selected"]
    click.echo(
        f"Review {review.number} of revision {review.revision}, opened {review.opened_at}:"
        f" {plural(len(review.cases), 'case')} = {settings['selected']} selected + {drawn} drawn at"
        f" random from {settings['stable']} stable pairs (seed {settings['seed']});"
        f" {plural(len(people), 'reviewer')}",
        err=True,
    )
    if not is_loopback(host):
        click.echo(
            f"Listening at {host}: everybody who reaches this address sees the page, and what is"
            " sent is not encrypted; put a proxy with TLS in front of it",
            err=True,
        )


def _print_end(desks: Sequence[Desk], record: Place) -> int:
    from counterbalance.cli.running import EXIT_INCOMPLETE

    for desk in desks:
        click.echo(f"{desk.reviewer.name}: {desk.n_answered} of {desk.n_tasks} answered", err=True)
    is_done = all(desk.n_answered == desk.n_tasks for desk in desks)
    advice = f"counterbalance review {record}" + (" --close" if is_done else "")
    click.echo(f"{'Close it' if is_done else 'Go on'} with: {advice}", err=True)
    return 0 if is_done else EXIT_INCOMPLETE


def _print_status(record: Place, as_json: bool) -> int:
    from counterbalance.record import open_record

    with open_record(record, create=False, exclusive=False) as store:
        header, _ = _study(store, record)
        value = _status(store, header)
    _print(value, as_json)
    return 0


def _close(record: Place, as_json: bool) -> int:
    from counterbalance.errors import UsageError
    from counterbalance.record import open_record
    from counterbalance.review.opening import PROGRAM, latest_review
    from counterbalance.run.clock import now

    with open_record(record, create=False, exclusive=True) as store:
        header, _ = _study(store, record)
        review = latest_review(store, header.number)
        if review is None:
            msg = f"{record}: has no review to close; `counterbalance review {record}` opens one"
            raise UsageError(msg)
        _refuse_closed(review)
        store.reviews.close(review, now(), PROGRAM)
        value = _status(store, header)
    _print(value, as_json)
    if not as_json:
        click.echo(f"What people said is in: counterbalance report {record}", err=True)
    return 0


def _status(store: Store, header: RecordHeader) -> dict[str, Any]:
    """Return how far the review is; nothing of what anybody answered."""
    from counterbalance.review.desk import Desk
    from counterbalance.review.opening import latest_review

    review = latest_review(store, header.number)
    if review is None:
        return {"review": None}
    calls = store.reviews.calls(review)
    desks = [Desk(who, review.secret, calls, ()) for who in store.reviews.reviewers(review)]
    return {
        "review": review.number,
        "revision": review.revision,
        "opened_at": review.opened_at,
        "closed_at": review.closed_at or None,
        "cases": len(review.cases),
        **{name: review.settings[name] for name in ("selected", "stable", "audit", "repeats")},
        "seed": review.settings["seed"],
        "reviewers": [
            {"name": desk.reviewer.name, "tasks": desk.n_tasks, "answered": desk.n_answered}
            for desk in desks
        ],
    }


def _print(value: dict[str, Any], as_json: bool) -> None:
    from counterbalance.cli.output import json_text

    if as_json:
        click.echo(json_text(value))
        return
    if value["review"] is None:
        click.echo("There is no review of the newest revision yet.")
        return
    state = f"closed {value['closed_at']}" if value["closed_at"] else "open"
    click.echo(f"Review {value['review']} of revision {value['revision']}: {state}")
    click.echo(
        f"  {value['cases']} cases: {value['selected']} selected,"
        f" {value['cases'] - value['selected']} drawn from {value['stable']} stable pairs"
    )
    for who in value["reviewers"]:
        click.echo(f"  {who['name']}: {who['answered']} of {who['tasks']} answered")
