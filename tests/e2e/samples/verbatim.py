"""Runs generated samples as they are, in a process that the environment leads to a server that is not Google's.

With a folder as its argument it runs that folder's samples, else those in the docstrings of the installed libraries.
Prints a JSON object: name of the sample → what it came to: `OK`, the code it was refused with, or `DEFECT: …` where the
sample's own code fails before its call is made.
"""

import asyncio
import contextlib
import inspect
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from google.api_core.exceptions import GoogleAPICallError

from openplaybook.wire.api import load_api
from tests.e2e.kit.generated_samples import LIBRARIES, samples_of


def main(folder: str) -> None:
    """Run them all."""
    found = {name: outcome(name, code) for name, code in (in_folder(Path(folder)) if folder else installed())}
    json.dump(found, sys.stdout)


def installed() -> Iterator[tuple[str, str]]:
    """Name and code of the samples in docstrings."""
    for library in LIBRARIES:
        for sample in samples_of(library, load_api()):
            yield f"{library} {sample.name} {'async' if sample.is_asyncio else 'sync'}", sample.code


def in_folder(folder: Path) -> Iterator[tuple[str, str]]:
    """The same of files."""
    for path in sorted(folder.rglob("*_generated_*sync.py")):
        yield path.stem, path.read_text()


def outcome(name: str, code: str) -> str:
    """What one sample comes to."""
    namespace: dict[str, object] = {"__name__": "sample"}
    exec(compile(code, name, "exec"), namespace)
    [function] = re.findall(r"def (sample_\w+)", code)
    run = namespace[function]
    assert callable(run)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            result = run()
            if inspect.iscoroutine(result):
                asyncio.run(asyncio.wait_for(result, 60))
    except GoogleAPICallError as error:
        status = str(getattr(error.grpc_status_code, "name", type(error).__name__))
        return status if error.message else f"{status} without a word"
    except (AttributeError, TypeError) as error:
        return f"DEFECT: {error}"
    return "OK"


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
