"""Write a record and print a line after each acknowledgement; the tests kill it."""

from __future__ import annotations

import asyncio
import sys
import time

from counterbalance.errors import RecordError
from counterbalance.record import Store, open_record
from record.studies import HEADER, STARTED_AT, prompt_of, study, verdict

WORKERS = 8


async def write(store: Store, pairs: int) -> list[str]:
    made, plan = study(pairs)
    if store.header() is None:
        store.begin(HEADER, made, plan)
    queue = iter(plan[:-1])
    refusals: list[str] = []

    async def worker() -> None:
        for planned in queue:
            key = planned.presentation.key
            try:
                await store.start(key, 1, STARTED_AT, prompt_of(planned, made))
                sys.stdout.write(f"started {key} 1\n")
                await store.append(verdict(planned))
                sys.stdout.write(f"appended {key} 1\n")
                sys.stdout.flush()
            except RecordError as error:
                refusals.append(str(error))

    async with asyncio.TaskGroup() as tasks:
        for _ in range(WORKERS):
            tasks.create_task(worker())
    return refusals


def main() -> int:
    place, pairs, *words = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
    with open_record(place, create=True, exclusive=True) as store:
        refusals = asyncio.run(write(store, pairs))
        if "hold" in words:
            sys.stdout.write("holding\n")
            sys.stdout.flush()
            time.sleep(60)
    if "tell" in words:
        sys.stdout.write("\t".join(["refused", *refusals]) + "\n")
    return 3 if refusals else 0


if __name__ == "__main__":
    sys.exit(main())
