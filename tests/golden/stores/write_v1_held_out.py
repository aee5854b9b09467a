"""Write a record of schema 1 that holds pairs out; run once, by the last program of that schema.

    PYTHONPATH=src:tests python tests/golden/stores/write_v1_held_out.py

A later version must still bring ``v1_held_out.sqlite`` to its own tables, so it is never written
anew. Twelve pairs in six clusters; a scripted judge; the run was stopped after five calls.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from studies import row, run, write_study

PATH = Path(__file__).with_name("v1_held_out.sqlite")
STUDY = {
    "rows": [row(n, cluster=f"c{n // 2}") for n in range(12)],
    "judge": "slot_rate = 0.4",
    "more": "[held_out]\nshare = 0.34\nseed = 11\n",
}
BUDGET = "[budget]\nmax_calls = 5\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        protocol = write_study(Path(folder), **{**STUDY, "more": STUDY["more"] + BUDGET})
        run(protocol, PATH)
    # Small pages keep the file small in the repository; nothing else depends on them.
    connection = sqlite3.connect(PATH, isolation_level=None)
    for statement in ("journal_mode = DELETE", "page_size = 1024"):
        connection.execute(f"PRAGMA {statement}")
    connection.execute("VACUUM")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


if __name__ == "__main__":
    main()
