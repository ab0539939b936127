"""Kept sessions: hostile code of one sees nothing of another, and lays no trap for the files of its next call."""

from collections.abc import AsyncIterator

import pytest

from openplaybook.sandbox.base import CodeFile, Execution, ExecutionLimits, Request, SandboxFailed
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

SECRET = "kept = ['OF-THE-FIRST-' + 'SESSION-%d' % n for n in range(5000)]\nopen('first.txt', 'w').write(kept[0])"
SEARCH = """
import os
needle, found = b"OF-THE-FIRST-" + b"SESSION", []
memory = open("/proc/self/mem", "rb", 0)
for line in open("/proc/self/maps"):
    first, last = (int(x, 16) for x in line.split()[0].split("-"))
    if " rw" in line:
        memory.seek(first)
        data = memory.read(last - first)
        at = data.find(needle)
        while at >= 0:
            found += [at] if data[at + 20:at + 22].startswith(b"-") and data[at + 21:at + 22].isdigit() else []
            at = data.find(needle, at + 1)
print("kept" in globals(), os.path.exists("first.txt"), os.path.exists("/workspace/first.txt"), len(found))
"""
TRAPS = {
    "a link to a file": "import os; os.symlink('mine.txt', 'in.csv')",
    "a link out of the workspace": "import os; os.symlink('/tmp/elsewhere', 'in.csv')",
    "a pipe": "import os; os.mkfifo('in.csv')",
    "a folder": "import os; os.mkdir('in.csv')",
    "a file nobody may write": "import os; open('in.csv', 'w').close(); os.chmod('in.csv', 0)",
    "a workspace nobody may enter": "import os; os.chmod('.', 0)",
    "a workspace without room": "open('full', 'wb').write(bytes(2 << 20))\nopen('full2', 'wb').write(bytes(63 << 20))",
}


@pytest.fixture
async def server() -> AsyncIterator[ForkServer]:
    started = await ForkServer.start(ForkServerConfig(preload=()))
    yield started
    await started.aclose()


async def run(server: ForkServer, code: str, session: str, *files: CodeFile) -> Execution:
    return await server.execute(Request(code=code, session=session, files=files, limits=ExecutionLimits(wall_s=5.0)))


@pytest.mark.proves("B5")
@pytest.mark.parametrize("other", ["second", ""])
async def test_nothing_of_a_session_is_in_another_executions_memory_or_folder(server: ForkServer, other: str) -> None:
    await run(server, SECRET, "first")
    found = await run(server, SEARCH, other)
    assert found.stdout == "False False False 0\n"
    # What the search finds where there is something to be found.
    own = (await run(server, SEARCH, "first")).stdout.split()
    assert own[:3] == ["True", "True", "True"]
    assert int(own[3]) >= 5000


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS.keys())
async def test_a_file_for_the_next_call_is_there_or_the_session_ends(server: ForkServer, trap: str) -> None:
    await run(server, f"open('mine.txt', 'w').write('mine')\n{trap}", "s")
    code = "import os\nprint(open('in.csv').read(), os.path.islink('in.csv'), os.path.exists('/tmp/elsewhere'))"
    try:
        told = await run(server, code, "s", CodeFile("in.csv", b"new"))
    except SandboxFailed:
        told = await run(server, code, "s", CodeFile("in.csv", b"new"))
    assert told.stdout == "new False False\n"
