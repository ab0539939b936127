import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.faults.faults import VARIABLE, Death, Listing, fault_of

SESSION = "projects/p/locations/l/agents/a/sessions/s"


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """What would have been sent to whom."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda process, number: sent.append((process, number)))
    return sent


def pass_all(fault: Death, *passed: tuple[str, str]) -> None:
    async def run() -> None:
        for point, session in passed:
            await fault.passed(point, session)

    asyncio.run(run())


def test_nothing_is_armed_when_nothing_is_asked_for() -> None:
    assert fault_of({}) is None


def test_death_comes_at_the_passing_that_was_asked_for(killed: list[tuple[int, int]]) -> None:
    fault = fault_of({VARIABLE: "commit.after:2"})
    assert isinstance(fault, Death)
    pass_all(fault, ("commit.after", SESSION), ("commit.before", SESSION))
    assert killed == []
    pass_all(fault, ("commit.after", ""), ("commit.after", ""))
    assert killed == [(os.getpid(), signal.SIGKILL)]


def test_death_may_be_for_one_session(killed: list[tuple[int, int]]) -> None:
    fault = fault_of({VARIABLE: "call.before:1:s"})
    assert isinstance(fault, Death)
    pass_all(fault, ("call.before", "t"), ("call.before", f"{SESSION}t"))
    assert killed == []
    pass_all(fault, ("call.before", SESSION))
    assert killed == [(os.getpid(), signal.SIGKILL)]


async def test_points_are_listed_with_their_passings_and_sessions(tmp_path: Path) -> None:
    fault = fault_of({VARIABLE: f"list:{tmp_path / 'points'}"})
    assert isinstance(fault, Listing)
    for point, session in (("begin.before", SESSION), ("call.after", "s"), ("call.after", "s"), ("mark.after", "")):
        await fault.passed(point, session)
    assert (tmp_path / "points").read_text() == "begin.before:1:s\ncall.after:1:s\ncall.after:2:s\nmark.after:1:\n"


@pytest.mark.parametrize("given", ["commit.after", "commit.after:", "commit.after:x", "commit.after:0"])
def test_what_is_no_fault_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"TESTED_FAULT is '.*'; write POINT:N, POINT:N:SESSION or list:FILE"):
        fault_of({VARIABLE: given})
