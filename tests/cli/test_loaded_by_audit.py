"""What `audit` of a plain log loads: start-up is most of what a small log costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foreign_logs import fastchat_row, jsonl

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import json, os, sys
from counterbalance.__main__ import run
try:
    run()
except SystemExit as ended:
    code = ended.code
loaded = {name: str(getattr(module, "__file__", "")) for name, module in sys.modules.items()}
threads = os.environ.get("OPENBLAS_NUM_THREADS")
print(json.dumps({"code": code, "loaded": loaded, "threads": threads}), file=sys.stderr)
"""
PACKAGES = {
    "annotated_types", "click", "ijson", "lazy_loader", "numpy", "pydantic", "pydantic_core", "re2",
    "scipy", "typing_extensions", "typing_inspection",
}  # fmt: skip
"""All that a plain log is read and measured with."""
HEAVY = {
    "asyncio", "multiprocessing", "scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.stats",
    "sqlite3", "ssl",
    "counterbalance.protocol.protocol", "counterbalance.record.opening",
    "counterbalance.measures.length_control", "counterbalance.measures.style_control",
    "counterbalance.report.as_json", "counterbalance.report.html", "counterbalance.report.markdown",
}  # fmt: skip
FORMATS = "counterbalance.importers.formats."


def ran(*words: object, **env: str) -> dict[str, object]:
    """Run a verb, and return its code, the modules that it loaded and how many threads BLAS has."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        capture_output=True,
        env={k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"} | env,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stderr.splitlines()[-1])
    return found


def fastchat(folder: Path) -> list[object]:
    rows = [fastchat_row(81, "model_1", "model_1"), fastchat_row(82, "model_2", "tie")]
    return [jsonl(folder / "gpt-4_pair.jsonl", rows)]


def mapped(folder: Path) -> list[object]:
    rows = [
        {"kind": "pairwise", "item_id": "q1", "choice": "a", "swapped": swapped}
        for swapped in (False, True)
    ]
    return [jsonl(folder / "log.jsonl", rows), "--map", "judgekit"]


@pytest.mark.parametrize(("log", "formats"), [(fastchat, {"fastchat_pair"}), (mapped, set())])
def test_audit_loads_what_a_plain_log_needs_and_no_more(tmp_path, log, formats):
    found = ran("audit", *log(tmp_path))
    assert found["code"] == 0
    loaded = found["loaded"]
    assert "counterbalance.report.text" in loaded
    installed = {name.split(".")[0] for name, file in loaded.items() if "site-packages" in file}
    assert {name for name in installed if not name.startswith("_")} <= PACKAGES
    assert not HEAVY & set(loaded)
    assert {name.removeprefix(FORMATS) for name in loaded if name.startswith(FORMATS)} == formats


@pytest.mark.parametrize(
    ("verb", "env", "threads"),
    [("audit", {}, "1"), ("audit", {"OPENBLAS_NUM_THREADS": "2"}, "2"), ("run", {}, None)],
)
def test_what_is_spared_is_not_set_for_programs_that_a_verb_starts(verb, env, threads):
    found = ran(verb, "--help", **env)
    assert found["threads"] == threads
    assert "numpy" not in found["loaded"]
