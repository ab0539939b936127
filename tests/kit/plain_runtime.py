"""Runs code by the sandbox's runtime in a plain child process: no walls, the same report."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import openplaybook.sandbox

_ABOVE_INSIDE = Path(openplaybook.sandbox.__file__).parent

_CHILD = """
import json, os, sys
leave, write = os._exit, os.write
told = json.loads(sys.argv[1])
sys.path.insert(0, told["above"])
from inside import library_warmup, runtime, tool_calls
class Echo:
    def ask(self, name, arguments):
        if name == "fails":
            raise tool_calls.CallFailed("no such pet")
        return {"name": name, "arguments": arguments}
if told["preload"] is not None:
    library_warmup.warm(told["preload"])
namespace = runtime.new_namespace() if told["kept"] else None
tools = Echo() if told["tools"] else None
for code in told["codes"]:
    status = runtime.run(
        code, namespace=namespace, tools=tools, tool_names=told["tools"], context=told["context"]
    )
    if told["kept"]:
        write(1, b"|")
leave(status)
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it."""

    status: int
    """Negative: the signal that ended it."""
    stdout: str
    stderr: str


def run(
    code: str,
    folder: Path,
    *later: str,
    kept: bool = False,
    tools: Sequence[str] = (),
    context: object = None,
    preload: Sequence[str] | None = None,
    bare: bool = True,
) -> Ran:
    """Run code in a folder, and later code after it in the same child; `|` follows the output of each where names are
    `kept`. The tools echo their arguments, but for `fails`. A `bare` interpreter has no library but the standard one;
    one with a `preload` is made warm first."""
    told = {
        "above": str(_ABOVE_INSIDE),
        "codes": [code, *later],
        "kept": kept,
        "tools": list(tools),
        "context": context,
        "preload": preload,
    }
    done = subprocess.run(
        [sys.executable, "-I", *(["-S"] if bare else []), "-c", _CHILD, json.dumps(told)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env={"LC_ALL": "C.UTF-8", "MPLCONFIGDIR": str(folder.parent)},
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
