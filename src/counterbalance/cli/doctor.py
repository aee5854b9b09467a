"""``counterbalance doctor``: what is installed, reachable and missing, with the mending command."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click

__all__ = ["command"]

_CORE = ("aiohttp", "click", "google-re2", "jsonschema", "numpy", "pydantic", "rich", "scipy")
_OLDEST_SQLITE = (3, 37)
_SECONDS_FOR_AN_ENDPOINT = 5.0
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination."""

    part: str
    state: Literal["ok", "missing", "note"]
    found: str
    mend: str = ""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(as_json: bool) -> None:
    """Say what is installed, reachable and missing, and the command that mends it."""
    findings = [
        *_machine(),
        *_core(),
        *_embedded_judge(),
        *_store(),
        *_team_store(),
        *_review_page(),
        *_readers(),
        *_keys(),
        *_endpoint(),
    ]
    if as_json:
        from counterbalance.cli.output import json_text

        click.echo(json_text([asdict(finding) for finding in findings]))
        return
    from counterbalance.report.layout import columns

    rows = [[f.state, f.part, f.found] for f in findings]
    for line, finding in zip(columns(rows, indent=0), findings, strict=True):
        click.echo(line)
        if finding.mend:
            click.echo(f"         mend: {finding.mend}")


def _machine() -> Iterator[Finding]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("Python", "ok", f"{platform.python_version()}, {cores} cores")


def _core() -> Iterator[Finding]:
    for name in ("counterbalance", *_CORE):
        version = _version(name)
        if version is None:
            yield Finding(name, "missing", "not installed", f"python -m pip install {name}")
        else:
            yield Finding(name, "ok", version)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _embedded_judge() -> Iterator[Finding]:
    from counterbalance.errors import MissingExtraError
    from counterbalance.judges.local import INSTALL_ENGINE
    from counterbalance.judges.weights import weights_path

    version = _version("xllamacpp")
    if version is None:
        yield Finding("engine of the embedded judge", "missing", "xllamacpp", INSTALL_ENGINE)
    else:
        yield Finding("engine of the embedded judge", "ok", f"xllamacpp {version}")
    try:
        path = weights_path()
    except MissingExtraError as error:
        yield Finding("weights of the embedded judge", "missing", error.part, error.command)
    else:
        size = path.stat().st_size
        yield Finding("weights of the embedded judge", "ok", f"{path.name}, {size} bytes")


def _store() -> Iterator[Finding]:
    import sqlite3

    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        mend = "install a Python whose SQLite is 3.37 or newer"
        yield Finding("SQLite", "missing", sqlite3.sqlite_version, mend)
    else:
        yield Finding("SQLite", "ok", sqlite3.sqlite_version)
    here = Path.cwd()
    try:
        with tempfile.TemporaryFile(dir=here):
            pass
    except OSError as error:
        yield Finding("this folder", "note", f"{error.strerror}", "work in a folder you can write")
    else:
        yield Finding("this folder", "ok", "writable")


def _team_store() -> Iterator[Finding]:
    part, version = "driver of PostgreSQL records", _version("psycopg")
    if version is None:
        mend = "python -m pip install 'counterbalance[postgres]'"
        yield Finding(part, "note", "psycopg is not installed; only such records need it", mend)
    else:
        yield Finding(part, "ok", f"psycopg {version}")


def _review_page() -> Iterator[Finding]:
    missing = [name for name in ("starlette", "uvicorn") if _version(name) is None]
    if missing:
        mend = "python -m pip install 'counterbalance[review]'"
        yield Finding("blind review page", "note", f"without {' and '.join(missing)}", mend)
    else:
        found = f"starlette {_version('starlette')}, uvicorn {_version('uvicorn')}"
        yield Finding("blind review page", "ok", found)


def _readers() -> Iterator[Finding]:
    from counterbalance.importers.zstd_archive import INSTALL_INSPECT
    from counterbalance.items.hub import INSTALL_HUB
    from counterbalance.items.parquet import INSTALL_FRAMES
    from counterbalance.tables.yaml_reading import INSTALL_YAML

    for part, name, mend in (
        ("reader of Parquet files", "polars", INSTALL_FRAMES),
        ("reader of Hugging Face data sets", "datasets", INSTALL_HUB),
        ("reader of YAML files", "PyYAML", INSTALL_YAML),
        ("reader of Inspect logs", "backports.zstd", INSTALL_INSPECT),
    ):
        version = _version(name)
        if version is None:
            yield Finding(part, "note", f"{name} is not installed; only such files need it", mend)
        else:
            yield Finding(part, "ok", f"{name} {version}")


def _keys() -> Iterator[Finding]:
    for name in _KEYS:
        state = "set (its value is never shown)" if os.environ.get(name) else "not set"
        yield Finding(name, "note", state)


def _endpoint() -> Iterator[Finding]:
    import asyncio

    from counterbalance.errors import InputError
    from counterbalance.judges.endpoint import named_endpoint

    part = "endpoint of OPENAI_BASE_URL"
    try:
        endpoint = named_endpoint(os.environ)
    except InputError as error:
        yield Finding(
            part, "missing", str(error), "export OPENAI_BASE_URL=http://127.0.0.1:8000/v1"
        )
        return
    if endpoint is None:
        return
    from counterbalance.judges.http import offered_models

    is_answering, words = asyncio.run(offered_models(endpoint, _SECONDS_FOR_AN_ENDPOINT))
    yield Finding(part, "ok" if is_answering else "note", f"{endpoint.base}: {words}")
