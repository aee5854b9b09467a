"""One judge log read by nine programs: what each prints as flip rate, of how many, and why.

Outside CI and `make bench`: installs every program from PyPI, at a pinned version, into an
environment of its own. The log is read by counterbalance's importer, so that what is passed on are
candidates and never places; its first pairs are written as each program reads them. What a program
does with tie transitions and incomplete pairs is seen by running it with and without them.

    python benchmarks/peers/one_log.py LOG [--pairs 100] [--env FOLDER] [--only NAME ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from environments import install, last_line
from programs import OTHERS, PROGRAMS, Found, Pair, Program

from counterbalance.dispositions.cell import Cell, verdict_of
from counterbalance.dispositions.disposition import Disposition, disposition_of
from counterbalance.errors import InputError
from counterbalance.importers.judgment import Judgment
from counterbalance.importers.loading import choose_log, rows_of
from counterbalance.importers.log_format import Notes
from counterbalance.items.frames import Order

FAR = 5e-4
"""Rates that differ by less are one rate: some programs print a tenth of a percent."""
NO_VERDICT = (Disposition.INCOMPLETE, Disposition.REFUSED)
WORDS = {"a": Cell.A, "b": Cell.B, "tie": Cell.TIE, None: Cell.NO_VERDICT}


@dataclass(frozen=True)
class Run:
    """What came of one run: what was found, or why nothing was."""

    found: Found | None
    problem: str = ""


def first_pairs(path: Path, n_pairs: int) -> list[Pair]:
    """Return the first pairs of a log of one judge, asked once in both orders."""
    held: dict[tuple[str, str], dict[Order | None, str | None]] = {}
    for _, row in rows_of(choose_log([path], None), Notes()):
        if not isinstance(row, Judgment):
            continue
        verdict = verdict_of(row.outcome, row.order) if row.order is not None else None
        cells = held.setdefault((row.judge, row.item), {})
        if row.order in cells:
            sys.exit(f"{path.name}, line {row.line}: more than one call in one order")
        if verdict is not None and verdict.value not in WORDS:
            sys.exit(f"{path.name}, line {row.line}: no other program has a word for {verdict}")
        cells[row.order] = None if verdict is None else verdict.value
    chosen = list(held.values())[:n_pairs]
    if any(set(cells) != set(Order) for cells in chosen):
        sys.exit(f"{path.name}: not every one of the first {n_pairs} pairs has both orders")
    return [(str(i), c[Order.FORWARD], c[Order.REVERSED]) for i, c in enumerate(chosen)]


def disposed(pair: Pair) -> tuple[Disposition, str]:
    """Return the disposition of a pair and its detail."""
    _, forward, backward = pair
    cells = WORDS[forward], WORDS[backward]
    return disposition_of(*cells, is_identical=False, is_confounded=False)


def counted(pairs: list[Pair]) -> dict[str, int]:
    """Return how many pairs have each disposition, order disagreements by the slot that won."""
    found = [disposed(pair) for pair in pairs]
    wanted = {
        "stable for a": (Disposition.STABLE_A, ""),
        "stable for b": (Disposition.STABLE_B, ""),
        "tie in both orders": (Disposition.TIE, ""),
        "order disagreement, first slot both times": (Disposition.ORDER_DISAGREEMENT, "primacy"),
        "order disagreement, second slot both times": (Disposition.ORDER_DISAGREEMENT, "recency"),
    }
    counts = {name: found.count(one) for name, one in wanted.items()}
    kinds = [disposition for disposition, _ in found]
    counts["tie transition"] = kinds.count(Disposition.TIE_TRANSITION)
    counts["incomplete"] = sum(kind in NO_VERDICT for kind in kinds)
    return counts


def run(program: Program, env: Path, pairs: list[Pair], limit: int) -> Run:
    """Run a program on pairs, and read what it found."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        program.write(pairs, folder)
        words = ["nice", str(env / "bin" / program.command[0]), *program.command[1:]]
        try:
            done = subprocess.run(
                words, cwd=folder, capture_output=True, text=True, check=False, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return Run(None, f"not done after {limit} s")
        try:
            return Run(program.read(done.stdout, folder))
        except (ValueError, LookupError, TypeError, StopIteration, OSError):
            return Run(None, last_line(done.stderr or done.stdout))


def rate(found: Found) -> str:
    """Return what a program found as it is shown."""
    return f"{found.share:.1%} {found.of_what}".strip()


def denominator(found: Found, counts: dict[str, int]) -> str:
    """Return the denominator as printed, or the only one by which the rate comes out."""
    if found.n is not None:
        return str(found.n)
    a, b, tie, first, second, moved, lost = counts.values()
    disagreed = first + second
    decisive = a + b + disagreed
    totals = {decisive, decisive + tie, decisive + tie + moved, decisive + tie + moved + lost}
    fits = {
        n
        for n in totals
        for k in (first, disagreed, disagreed + moved, disagreed + moved + lost)
        if n and abs(k / n - found.share) < FAR
    }
    return f"{fits.pop()} *" if len(fits) == 1 else "not printed"


def treated(kept: Run, left_out: Run, word: str, n_pairs: int) -> str:
    """Say what a program did with some pairs, from a run with them and one without."""
    if not n_pairs:
        return "none in the log"
    if kept.found is None or left_out.found is None:
        return f"the run ends: {kept.problem}" if left_out.found else "not seen"
    more, less = kept.found, left_out.found
    counts = more.n is not None and less.n is not None and more.n > less.n
    if abs(more.share - less.share) < FAR:
        if counts:
            return "kept, the rate is the same"
        return f"left out of the {word} rate"
    return f"counted as a {word}" if more.share > less.share else f"kept, not a {word}"


def line(program: Program, folder: Path, pairs: list[Pair], given: argparse.Namespace) -> list[str]:
    """Return the line of a program: it is installed, run three times and read."""
    head = [program.name, program.version]
    env = folder / program.name
    if why := install(env, [f"{program.name}=={program.version}"], given.install_limit):
        return [*head, f"not installed: {why}", "", "", "", ""]
    complete = [pair for pair in pairs if disposed(pair)[0] not in NO_VERDICT]
    steady = [pair for pair in complete if disposed(pair)[0] is not Disposition.TIE_TRANSITION]
    everything, without_lost, without_moved = (
        run(program, env, some, given.limit) for some in (pairs, complete, steady)
    )
    shown = everything if everything.found else without_lost
    if shown.found is None:
        return [*head, f"failed: {shown.problem}", "", "", "", ""]
    return [
        *head,
        rate(shown.found),
        denominator(shown.found, counted(pairs)),
        treated(without_lost, without_moved, program.word, len(complete) - len(steady)),
        treated(everything, without_lost, program.word, len(pairs) - len(complete)),
        shown.found.verdict or "none",
    ]


def print_row(cells: list[str]) -> None:
    """Print a line of the table as soon as it is known."""
    print("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |", flush=True)


def not_run(name: str, version: str, needs: tuple[int, int]) -> list[str]:
    """Return the line of a program that this command does not run."""
    needed = ".".join(map(str, needs))
    is_old = sys.version_info < needs
    why = f"needs Python {needed} or later" if is_old else "this command cannot read its output"
    return [name, version, f"not run: {why}", "", "", "", ""]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path, help="A log that counterbalance reads, of one judge.")
    parser.add_argument("--pairs", type=int, default=100, help="How many, from its beginning.")
    parser.add_argument("--limit", type=int, default=120, help="Seconds for each run.")
    parser.add_argument("--install-limit", type=int, default=600, help="Seconds for each install.")
    parser.add_argument("--env", type=Path, help="Keep the environments in this folder.")
    parser.add_argument("--only", nargs="+", choices=[p.name for p in PROGRAMS])
    given = parser.parse_args()
    try:
        pairs = first_pairs(given.log, given.pairs)
    except InputError as error:
        sys.exit(str(error))
    counts = counted(pairs)
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"{len(pairs)} pairs, each judged in both orders; Python {python}\n")
    for name, count in counts.items():
        print(f"- {name}: {count}")
    heads = ["program", "version", "prints", "of", "tie transitions", "incomplete pairs", "verdict"]
    print()
    print_row(heads)
    print_row(["---"] * len(heads))
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.env.absolute() if given.env else Path(temporary)
        for program in PROGRAMS:
            if not given.only or program.name in given.only:
                print_row(line(program, folder, pairs, given))
    for other in () if given.only else OTHERS:
        print_row(not_run(*other))
    print("\n\\* not printed by the program: worked out from the rate and the counts above.")
    print("Where incomplete pairs end the run, the figures are those of the log without them.")


if __name__ == "__main__":
    main()
