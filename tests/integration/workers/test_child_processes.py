"""Children: what ends a job ends one process, and nothing else."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from openplaybook.workers import child_processes
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkersBusy, WorkTimedOut
from tests.kit.processes import state_of, wait_until

MIB = 1024 * 1024
TASK = "tests.kit.jobs:task"


@pytest.fixture(scope="module")
def children() -> Iterator[ChildProcesses]:
    made = ChildProcesses(TASK, most=1, memory=512 * MIB, waiting=1, grown=100 * MIB, max_answer=64 * MIB)
    yield made
    made.close()


def started(program: str) -> subprocess.Popen[str]:
    """A process of its own that runs a program, and finds the tests' modules."""
    command = [sys.executable, "-c", program]
    surroundings = {"PYTHONPATH": os.getcwd()}
    return subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def is_there(pid: bytes | int) -> bool:
    return state_of(str(int(pid)))[0] not in ("", "Z")


@pytest.mark.parametrize("size", [0, 1, 300_000, 40 * MIB])
def test_a_job_of_any_size_is_answered(children: ChildProcesses, size: int) -> None:
    assert children.run(b"echo " + b"x" * size, seconds=10) == b"x" * size


def test_a_job_may_come_in_pieces(children: ChildProcesses) -> None:
    assert children.run([b"echo", b" ", memoryview(b"abc")], seconds=10) == b"abc"


def test_one_child_does_one_job_after_the_other(children: ChildProcesses) -> None:
    assert children.run(b"pid", seconds=10) == children.run(b"pid", seconds=10)


def test_a_child_sees_nothing_of_our_surroundings(children: ChildProcesses) -> None:
    assert b"PATH" not in children.run(b"surroundings", seconds=10)


@pytest.mark.parametrize(
    ("job", "ending", "told"),
    [
        (b"crash", ExitReason.CRASH, r"the job ended the child process \(SIGSEGV\)"),
        (b"exit 0", ExitReason.CRASH, r"the job ended the child process \(exit code 0\)"),
        (b"raise x", ExitReason.CRASH, r"the job ended the child process \(exit code 1\)"),
        (b"eat 600000000", ExitReason.MEMORY, "the job takes more memory than it may"),
        (b"eat 80000000", ExitReason.MEMORY, r"the answer has more than 67,108,864 bytes"),
    ],
)
def test_a_job_that_ends_its_child_is_told_and_the_next_one_is_done(
    children: ChildProcesses, job: bytes, ending: ExitReason, told: str
) -> None:
    with pytest.raises(WorkEnded, match=told) as failure:
        children.run(job, seconds=10)
    assert (failure.value.code, failure.value.ending) == ("WORK_ENDED", ending)
    assert children.run(b"echo again", seconds=10) == b"again"


def test_a_job_that_does_not_fit_into_the_memory_is_told(children: ChildProcesses) -> None:
    with pytest.raises(WorkEnded) as failure:
        children.run([b"echo ", *[b"x" * MIB] * 600], seconds=10)
    assert failure.value.ending == ExitReason.MEMORY


def test_a_child_past_its_time_is_killed_and_replaced(children: ChildProcesses) -> None:
    pid = children.run(b"pid", seconds=10)
    with pytest.raises(WorkTimedOut, match=r"the job takes more than 0\.2 s") as failure:
        children.run(b"hang", seconds=0.2)
    assert failure.value.seconds == 0.2
    assert not is_there(pid)
    assert children.run(b"pid", seconds=10) != pid


def test_a_child_that_died_while_it_was_idle_is_replaced(children: ChildProcesses) -> None:
    pid = children.run(b"pid", seconds=10)
    os.kill(int(pid), 9)
    os.waitid(os.P_PID, int(pid), os.WEXITED | os.WNOWAIT)
    assert children.run(b"pid", seconds=10) != pid


def test_a_child_that_has_grown_is_replaced(children: ChildProcesses) -> None:
    pid = children.run(b"grow 120000000", seconds=10)
    assert children.run(b"pid", seconds=10) != pid


def test_jobs_wait_for_the_one_child_and_too_many_are_refused(children: ChildProcesses) -> None:
    children.run(b"pid", seconds=10)
    refused: list[Exception] = []

    def hang(seconds: float) -> None:
        try:
            children.run(b"hang", seconds=seconds)
        except (WorkTimedOut, WorkersBusy) as error:
            refused.append(error)

    jobs = [threading.Thread(target=hang, args=(seconds,)) for seconds in (1.0, 1.0, 1.0)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(10)
    assert sorted(type(error).__name__ for error in refused) == ["WorkTimedOut", "WorkTimedOut", "WorkersBusy"]
    assert children.run(b"echo after", seconds=10) == b"after"


def test_patience_is_time_beside_that_of_the_job(children: ChildProcesses) -> None:
    children.run(b"pid", seconds=10)
    begun = threading.Event()

    def hang() -> None:
        begun.set()
        with pytest.raises(WorkTimedOut):
            children.run(b"hang", seconds=1.1)

    first = threading.Thread(target=hang)
    first.start()
    begun.wait(30)
    answers = [children.run(b"echo late", seconds=1, patience=30)]
    first.join(30)
    assert answers == [b"late"]


def test_processor_time_is_limited_for_each_job() -> None:
    few = ChildProcesses(TASK, most=1, memory=512 * MIB)
    try:
        with pytest.raises(WorkEnded, match="the job takes more of the processor than it may") as failure:
            few.run(b"spin", seconds=30, processor_seconds=0.1)
        assert failure.value.ending == ExitReason.PROCESSOR_TIME
        assert few.run(b"echo next", seconds=10) == b"next"
    finally:
        few.close()


def test_closing_ends_an_idle_child_and_a_later_job_starts_another() -> None:
    few = ChildProcesses(TASK, most=1, memory=512 * MIB)
    idle = few.run(b"pid", seconds=10)
    few.close()
    assert not is_there(idle)
    assert few.run(b"pid", seconds=10) != idle
    few.close()


def test_closing_ends_a_child_at_work() -> None:
    few = ChildProcesses(TASK, most=1, memory=512 * MIB)
    few.warm()
    ended: list[WorkEnded] = []

    def hang() -> None:
        try:
            few.run(b"hang", seconds=20)
        except WorkEnded as error:
            ended.append(error)

    at_work = threading.Thread(target=hang)
    at_work.start()
    while at_work.is_alive():
        few.close()
        at_work.join(0.02)
    assert [error.code for error in ended] == ["WORK_ENDED"]


@pytest.mark.parametrize("job", ["echo x", "spin", "hang"])
async def test_children_end_with_a_parent_that_is_killed(job: str) -> None:
    program = (
        "import threading\n"
        "from openplaybook.workers.child_processes import ChildProcesses\n"
        f"children = ChildProcesses({TASK!r}, most=1, memory=512 * 2**20)\n"
        "print(children.run(b'pid', seconds=10).decode(), flush=True)\n"
        f"threading.Thread(target=children.run, args=(b{job!r},), kwargs={{'seconds': 60}}, daemon=True).start()\n"
        "print('begun', flush=True)\n"
        "threading.Event().wait()\n"
    )
    with started(program) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert parent.stdout.readline() == "begun\n"
        parent.kill()
    await wait_until(lambda: not is_there(pid))


def test_the_end_of_the_process_waits_for_no_job() -> None:
    program = (
        "import asyncio\n"
        "from openplaybook.workers.child_processes import ChildProcesses\n"
        "from openplaybook.workers.errors import WorkTimedOut\n"
        "from openplaybook.workers.lanes import Lane\n"
        f"children = ChildProcesses({TASK!r}, most=1, memory=512 * 2**20)\n"
        "lane = Lane('tests', threads=1, waiting=1, seconds=0.5)\n"
        "async def main():\n"
        "    try:\n"
        "        await lane.run(lambda: children.run(b'spin', seconds=60))\n"
        "    except WorkTimedOut as error:\n"
        "        print(error.code, flush=True)\n"
        "asyncio.run(main())\n"
    )
    with started(program) as ended:
        assert (ended.communicate(timeout=20), ended.returncode) == (("WORK_TIMED_OUT\n", ""), 0)


def test_a_job_whose_child_does_not_start_in_time_was_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_processes, "_START_S", 0.0)
    made = ChildProcesses(TASK, most=1, memory=512 * MIB)
    with pytest.raises(WorkTimedOut, match="to start") as refusal:
        made.run(b"pid", seconds=20)
    assert not refusal.value.was_begun
