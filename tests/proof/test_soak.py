"""Thousands of turns leave neither memory nor file descriptors behind."""

import os
from pathlib import Path

import pytest

from tests.e2e.kit.pets import pets_service, schema_of
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.script import SCRIPT
from tests.e2e.kit.server import running
from tests.kit.background import Background

WARM_UP, TURNS = 2_000, 10_000


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors(pid: int) -> int:
    """Open file descriptors of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_turns_leave_nothing_behind(tmp_path: Path, background: Background) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT)
    flags = ("--model", f"scripted:{script}")
    with (
        background.entered(pets_service()) as peer,
        running(tmp_path / "s", *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server,
    ):
        rest = Rest(server.http)
        agent = rest.agent()
        rest.tool(agent, "Pets", openApiSpec={"textSchema": schema_of(peer)})
        rest.start(agent, "Use ${TOOL: Pets}.")

        def talk(first: int, last: int) -> None:
            for number in range(first, last):
                result = rest.say(f"{agent}/sessions/{number // 4}", "pet 3")
                assert words(result) == "Luna belongs to Aisha."

        talk(0, WARM_UP)
        before, open_before = memory_mb(server.process.pid), descriptors(server.process.pid)
        talk(WARM_UP, WARM_UP + TURNS)
        after, open_after = memory_mb(server.process.pid), descriptors(server.process.pid)
    print(f"\n{TURNS} turns: memory {before:.1f} -> {after:.1f} MB, file descriptors {open_before} -> {open_after}")
    assert after < before * 1.10
    assert open_after <= open_before + 4
