"""The embedded engine alone takes in so many texts, and says as JSON what that costs: `python filled.py 100000`."""

import asyncio
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from course import filled, peak_mb
from ours import Embedded
from texts import Texts


async def _costs(folder: Path, count: int) -> dict[str, float]:
    system = Embedded()
    await system.open(folder)
    try:
        texts = Texts()
        made = time.process_time()
        per_s = await filled(system, texts, count)
        computed = time.process_time() - made
    finally:
        await system.close()
    begun = time.process_time()
    for _ in Texts().passages(count):
        pass
    making = time.process_time() - begun
    return {"per_s": per_s, "cpu_ms": (computed - making) / count * 1000, "peak_mb": peak_mb()}


if __name__ == "__main__":
    with TemporaryDirectory(prefix="retrieval-") as name:
        print(json.dumps(asyncio.run(_costs(Path(name), int(sys.argv[1])))))
