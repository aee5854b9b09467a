"""Write the golden record of schema 1, from fixed content; run once, when the schema was made.

    PYTHONPATH=src:tests python tests/golden/stores/write_v1.py

A later version must still read ``v1.sqlite`` as the tests describe it, so it is never written anew.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from counterbalance.record.sqlite import open_sqlite
from record.studies import HEADER, STARTED_AT, failure, prompt_of, study, verdict

PATH = Path(__file__).with_name("v1.sqlite")


async def main() -> None:
    pairs, plan = study()
    with open_sqlite(PATH, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        for attempt in (verdict(plan[1], text="\0 \ud800 é 1"), failure(plan[0])):
            planned = next(e for e in plan if e.presentation.key == attempt.key)
            shown = prompt_of(planned, pairs)
            await store.start(attempt.key, attempt.number, STARTED_AT, shown)
            await store.append(attempt)
        await store.start(plan[2].presentation.key, 1, STARTED_AT, prompt_of(plan[2], pairs))
    # Small pages keep the file small in the repository; nothing else depends on them.
    connection = sqlite3.connect(PATH, isolation_level=None)
    for statement in ("journal_mode = DELETE", "page_size = 1024"):
        connection.execute(f"PRAGMA {statement}")
    connection.execute("VACUUM")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


if __name__ == "__main__":
    asyncio.run(main())
