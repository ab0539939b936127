"""Puts batches of documents into a store, and prints the number of each batch once its put was awaited.

Arguments: kind and place of the catalog, a prefix of ids, and how many batches; 0 for any number. The documents of
batch N have ids `PREFIX-N-0`, `PREFIX-N-1`, …
"""

import asyncio
import itertools
import sys

from tests.integration.retrieval.catalog.kit import STORE, Opener, Place, document

BATCH = 50


async def main() -> None:
    kind, where, prefix, batches = sys.argv[1:]
    catalog = await Opener(Place(kind, where))()
    for number in itertools.count():
        if number == int(batches) > 0:
            break
        await catalog.put(STORE, [document(f"{prefix}-{number}-{each}", "word " * 50) for each in range(BATCH)])
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
    await catalog.close()


if __name__ == "__main__":
    asyncio.run(main())
