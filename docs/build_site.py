"""Put together what the documentation site is built from: these pages, and some made from code.

``make docs`` runs it and then builds the site, where a warning is an error. Generated are the
command line (from the verbs), the schema of protocols (linked), the probability lab (as a page of
its own), and the start page and changes (from README.md and CHANGELOG.md).
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.main import cli
from counterbalance.lab.page import render_lab

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parent
TARGET = DOCS.parent / "build" / "docs"


def main() -> None:
    """Write the sources of the site anew."""
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(DOCS, TARGET, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (TARGET / "reference" / "cli.md").write_text("\n".join(command_line()), encoding="utf-8")
    (TARGET / "lab.html").write_text(render_lab(), encoding="utf-8")
    for source, name in (("README.md", "index.md"), ("CHANGELOG.md", "changes.md")):
        text = (DOCS.parent / source).read_text(encoding="utf-8")
        (TARGET / name).write_text(inside_the_site(text), encoding="utf-8")
    decisions = TARGET / "decisions"
    listed = [f"- [{title_of(page)}]({page.name})" for page in sorted(decisions.glob("*.md"))]
    text = "\n".join(["# Decisions", "", "What was decided, and on what evidence.", "", *listed])
    (decisions / "index.md").write_text(text + "\n", encoding="utf-8")


def inside_the_site(text: str) -> str:
    """Return a page of the repository's root with links that hold from inside ``docs``."""
    text = text.replace("](docs/decisions/)", "](decisions/index.md)")
    return text.replace("](docs/", "](").replace("](CHANGELOG.md)", "](changes.md)")


def title_of(page: Path) -> str:
    """Return the first heading of a page."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        msg = f"{page}: no heading; begin it with '# ' and a title"
        raise ValueError(msg)
    return found[1]


def command_line() -> Iterator[str]:
    """Yield the reference of the command line, verb by verb."""
    yield "# Command line\n"
    yield "Made from the program itself: it says what `counterbalance VERB --help` says.\n"
    context = click.Context(cli, info_name="counterbalance", **cli.context_settings)
    for verb in cli.list_commands(context):
        command = cli.get_command(context, verb)
        if command is not None:
            yield from usage(command, click.Context(command, parent=context, info_name=verb))


def usage(command: click.Command, context: click.Context, depth: int = 2) -> Iterator[str]:
    """Yield the help of a verb, and of what it is a group of."""
    yield f"{'#' * depth} {context.command_path.removeprefix('counterbalance ')}\n"
    yield f"```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            under = command.get_command(context, name)
            if under is not None:
                inner = click.Context(under, parent=context, info_name=name)
                yield from usage(under, inner, depth + 1)


if __name__ == "__main__":
    main()
