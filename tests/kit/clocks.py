"""Programs that think it is another day, by libfaketime: what it is called and how it is asked."""

from collections.abc import Mapping
from pathlib import Path

import pytest

MISSING = "libfaketime is not installed here (apt-get install faketime)"


def at(clock: str) -> Mapping[str, str]:
    """The variables under which a program's clock starts at `YYYY-MM-DD hh:mm:ss` in UTC; skips without the library.

    Waiting goes on as usual: the monotonic clock is left alone.
    """
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip(MISSING)
    return {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME": f"@{clock}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_RESET": "1",
        "TZ": "UTC",
    }
