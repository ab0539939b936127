"""A demo that is started as the documents say, and talked to."""

import os
import re
import signal
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.packaging.checkout import Checkout

QUESTION = "show me pet 3"
ANSWER = "Pet 3 is Luna, owned by Aisha, labels: cat and indoor."


@contextmanager
def demo(checkout: Checkout, data: Path, command: Sequence[str | Path]) -> Generator[str]:
    """What the demo prints until it is ready; told to stop at the end, with all that it has started."""
    environment = {
        **checkout.environment,
        "OPENPLAYBOOK_DATA_DIR": str(data),
        "OPENPLAYBOOK_PORT": "0",
        "OPENPLAYBOOK_GRPC_PORT": "0",
    }
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=checkout.folder,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        printed = ""
        for line in process.stdout:
            printed += line
            if re.match("  Pets ", line):
                break
        else:
            raise AssertionError(f"the demo did not start:\n{printed}")
        yield printed
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
