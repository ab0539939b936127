"""What an execution is on any remote executor."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.sandbox.base import (
    DEFAULT_LIMITS,
    CodeFile,
    Ended,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    Skipped,
)
from tests.kit.http_peer import answer, http_peer
from tests.kit.remote_executors import Remote


async def test_code_reads_files_and_its_output_and_files_come_back(remote: Remote) -> None:
    code = "import os\nos.mkdir('out')\nopen('out/b.txt', 'w').write(open('in/a.txt').read() * 2)\nprint('done')"
    done = await remote.executor.execute(Request(code=code, files=[CodeFile("in/a.txt", b"ab")]))
    assert (done.ended, done.exit_code, done.stdout, done.stderr) == (Ended.EXIT, 0, "done\n", "")
    assert done.files == (CodeFile("out/b.txt", b"abab"),)
    assert done.fresh


async def test_the_value_of_the_last_expression_is_the_output(remote: Remote) -> None:
    assert (await remote.executor.execute(Request(code="4 + 4"))).stdout == "8"


async def test_a_traceback_has_no_frames_of_ours(remote: Remote) -> None:
    failed = await remote.executor.execute(Request(code="def f():\n    return 1 / 0\nf()"))
    assert failed.exit_code == 1
    assert [line for line in failed.stderr.splitlines() if "File" in line] == [
        '  File "<code>", line 3, in <module>',
        '  File "<code>", line 2, in f',
    ]
    assert failed.error().endswith("ZeroDivisionError: division by zero\nexit code 1")


async def test_context_is_there_where_it_is_given(remote: Remote) -> None:
    done = await remote.executor.execute(Request(code="print(context['who'])", context={"who": "you"}))
    assert done.stdout == "you\n"


async def test_the_machine_tells_code_nothing_of_its_services(remote: Remote) -> None:
    done = await remote.executor.execute(Request(code="import os\nprint('KUBERNETES_SERVICE_HOST' in os.environ)"))
    assert done.stdout == "False\n"


@pytest.mark.proves("B5")
@pytest.mark.parametrize(
    ("code", "limit", "ended"),
    [
        ("print('said', flush=True)\nwhile True: pass", {"wall_s": 0.5}, Ended.TIME),
        ("print('said', flush=True)\nwhile True: pass", {"cpu_s": 0.5}, Ended.CPU),
        (
            "print('said', flush=True)\nkept = [bytearray(8 << 20) for _ in range(40)]\nimport time\ntime.sleep(20)",
            {"memory_bytes": 200 << 20},
            Ended.MEMORY,
        ),
    ],
)
async def test_a_limit_ends_code(remote: Remote, code: str, limit: dict[str, int], ended: Ended) -> None:
    done = await remote.executor.execute(Request(code=code, limits=replace(DEFAULT_LIMITS, **limit)))
    assert (done.ended, done.exit_code, done.stdout) == (ended, None, "said\n")


async def test_output_beyond_its_limit_is_dropped_and_counted(remote: Remote) -> None:
    limits = replace(DEFAULT_LIMITS, stdout_bytes=1000, stderr_bytes=10)
    code = "import sys\nprint('x' * 4999)\nsys.stderr.write('y' * 30)"
    done = await remote.executor.execute(Request(code=code, limits=limits))
    assert (done.stdout, done.stderr, done.dropped) == ("x" * 1000, "y" * 10, 4000 + 20)


async def test_files_beyond_their_limits_are_left_out_with_the_reason(remote: Remote) -> None:
    limits = replace(DEFAULT_LIMITS, files=1, file_bytes=10)
    code = (
        "import os\nfor name in 'abc': open(name, 'w').write(name)\n"
        "open('big', 'w').write('x' * 11)\nos.symlink('/etc/passwd', 'link')"
    )
    done = await remote.executor.execute(Request(code=code, limits=limits))
    assert done.files == (CodeFile("a", b"a"),)
    assert done.skipped == (
        Skipped("b", "too many files"),
        Skipped("big", "too many files"),
        Skipped("c", "too many files"),
        Skipped("link", "not a regular file"),
    )


@pytest.mark.parametrize(("code", "status"), [("import os\nos._exit(7)", 7), ("import sys\nsys.exit(3)", 3)])
async def test_code_may_end_its_process(remote: Remote, code: str, status: int) -> None:
    done = await remote.executor.execute(Request(code=code))
    assert (done.ended, done.exit_code) == (Ended.EXIT, status)


@pytest.mark.proves("B5")
async def test_each_execution_has_a_machine_of_its_own_that_is_given_back(remote: Remote) -> None:
    first = await remote.executor.execute(
        Request(code="x = 1\nopen('/tmp/../' + __import__('os').getcwd() + '/f', 'w')")
    )
    second = await remote.executor.execute(Request(code="import os\nprint(os.listdir(), 'x' in globals())"))
    assert (first.exit_code, second.stdout) == (0, "[] False\n")
    await remote.executor.aclose()
    assert (len(remote.lent), remote.machines) == (2, {})


async def test_a_session_keeps_variables_and_files(remote: Remote) -> None:
    session = Request(code="x = 41\nopen('kept.txt', 'w').write('k')", tenant="t", session="s")
    first = await remote.executor.execute(session)
    second = await remote.executor.execute(replace(session, code="print(x + 1, open('kept.txt').read())"))
    assert (first.fresh, [file.name for file in first.files]) == (True, ["kept.txt"])
    assert (second.fresh, second.stdout, second.files) == (False, "42 k\n", ())
    assert len(remote.lent) == 1


async def test_sessions_of_two_tenants_never_meet(remote: Remote) -> None:
    await remote.executor.execute(Request(code="x = 1", tenant="a", session="s"))
    other = await remote.executor.execute(Request(code="print('x' in globals())", tenant="b", session="s"))
    assert (other.fresh, other.stdout) == (True, "False\n")


async def test_a_session_whose_code_was_ended_starts_afresh(remote: Remote) -> None:
    session = Request(code="x = 1", tenant="t", session="s")
    await remote.executor.execute(session)
    limits = replace(DEFAULT_LIMITS, wall_s=0.3)
    ended = await remote.executor.execute(replace(session, code="while True: pass", limits=limits))
    after = await remote.executor.execute(replace(session, code="print('x' in globals())"))
    assert (ended.ended, ended.fresh, after.fresh, after.stdout) == (Ended.TIME, False, True, "False\n")


async def test_a_session_whose_machine_is_gone_starts_afresh(remote: Remote) -> None:
    session = Request(code="x = 1", tenant="t", session="s")
    await remote.executor.execute(session)
    for machine in remote.machines.values():
        machine.end()
    remote.machines.clear()
    after = await remote.executor.execute(replace(session, code="print('x' in globals())"))
    assert (after.fresh, after.stdout) == (True, "False\n")


async def test_code_that_is_cancelled_ends_and_its_machine_is_given_back(remote: Remote, tmp_path: Path) -> None:
    # Opening a pipe for reading waits for who opens it for writing.
    os.mkfifo(tmp_path / "started")
    code = f"open({str(tmp_path / 'started')!r}, 'w').close()\nimport time\ntime.sleep(60)"
    task = asyncio.create_task(remote.executor.execute(Request(code=code)))
    await asyncio.to_thread((tmp_path / "started").read_bytes)
    (machine,) = remote.machines.values()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await remote.executor.aclose()
    assert (remote.machines, machine.processes()) == ({}, [])


async def test_tools_are_refused_with_words(remote: Remote) -> None:
    with pytest.raises(InvalidRequest, match="code cannot call tools where it runs"):
        await remote.executor.execute(Request(code="tools.f()", tools=["f"]))
    assert remote.lent == []


async def test_what_no_sandbox_takes_costs_no_machine(remote: Remote) -> None:
    with pytest.raises(InvalidRequest, match=r"\.\./up"):
        await remote.executor.execute(Request(code="1", files=[CodeFile("../up", b"")]))
    assert remote.lent == []


async def test_a_connection_that_breaks_while_code_runs_is_told_and_code_never_runs_twice(remote: Remote) -> None:
    remote.faults.add("POST", remote.execute, None)
    with pytest.raises(SandboxFailed, match="is lost: "):
        await remote.executor.execute(Request(code="print(1)"))
    assert (await remote.executor.execute(Request(code="print(2)"))).stdout == "2\n"
    assert remote.faults.waiting == []
    assert len(remote.lent) == 2


@pytest.mark.parametrize("status", ["500 Internal Server Error", "502 Bad Gateway", "504 Gateway Timeout"])
async def test_an_error_while_code_runs_is_told_and_not_tried_again(remote: Remote, status: str) -> None:
    remote.faults.add("POST", remote.execute, answer(b"{}", status))
    with pytest.raises(SandboxFailed, match=f"it answered {status[:3]} to POST /execute"):
        await remote.executor.execute(Request(code="print(1)"))
    assert remote.faults.waiting == []


@pytest.mark.parametrize("body", [b"", b"garbage", b"[]", b"{}", b'{"type":"stdout","text":"[0"}', b"\xff\xfe"])
async def test_garbage_in_place_of_an_answer_is_told(remote: Remote, body: bytes) -> None:
    remote.faults.add("POST", remote.execute, answer(body))
    with pytest.raises(SandboxFailed, match="is lost: "):
        await remote.executor.execute(Request(code="print(1)"))


async def test_a_file_that_could_not_be_brought_is_sent_again(remote: Remote) -> None:
    remote.faults.add("POST", remote.upload, answer(b"{}", "503 Service Unavailable", Retry_After="0"), times=2)
    assert (await remote.executor.execute(Request(code="print(1)"))).stdout == "1\n"


async def test_a_machine_that_dies_before_anything_ran_is_replaced_once(remote: Remote) -> None:
    broken = answer(b"{}", "500 Internal Server Error")
    remote.faults.add("POST", remote.upload, broken)
    assert (await remote.executor.execute(Request(code="print(1)"))).stdout == "1\n"
    remote.faults.add("POST", remote.upload, broken, times=2)
    with pytest.raises(SandboxFailed, match="it answered 500 to POST"):
        await remote.executor.execute(Request(code="print(1)"))
    assert len(remote.lent) == 4


async def test_a_result_larger_than_any_can_be_is_not_read(remote: Remote) -> None:
    limits = replace(DEFAULT_LIMITS, files_bytes=1000, stdout_bytes=1000, stderr_bytes=1000)
    remote.faults.add("GET", "result", answer(b"x" * (2 << 20)))
    with pytest.raises(SandboxFailed, match="answered more than 1051576 bytes"):
        await remote.executor.execute(Request(code="print(1)", limits=limits))


async def test_what_code_puts_in_place_of_its_result_is_not_believed(remote: Remote) -> None:
    forged = b'{"ended":"exit","exit_code":0,"stdout":0,"stderr":0,"files":[["../../etc/passwd",1]]}\nx'
    remote.faults.add("GET", "result", answer(forged))
    with pytest.raises(SandboxFailed, match="something that is not a result"):
        await remote.executor.execute(Request(code="print(1)"))


@pytest.mark.parametrize("status", ["302 Found", "303 See Other", "307 Temporary Redirect"])
async def test_a_machine_that_is_in_other_hands_sends_the_server_nowhere(remote: Remote, status: str) -> None:
    async with http_peer(lambda _: answer(b"secrets")) as internal:
        remote.faults.add("GET", "result", answer(b"", status, Location=f"{internal.url}/admin/delete?all=1"))
        with pytest.raises(SandboxFailed, match=f"it answered {status[:3]} to GET"):
            await remote.executor.execute(Request(code="print(1)"))
    assert internal.requests == []


async def test_neither_code_nor_keys_are_logged(remote: Remote, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "openplaybook")
    remote.faults.add("POST", remote.execute, None)
    with pytest.raises(SandboxFailed) as failed:
        await remote.executor.execute(Request(code="print('the secret code')"))
    said = caplog.text + str(failed.value) + repr(remote.executor) + repr(failed.value.__cause__)
    assert [word for word in ("secret code", "token-1", "e2b_0123", "envd-", "traffic-") if word in said] == []


async def test_a_service_without_machines_says_so(remote: Remote) -> None:
    remote.faults.add("POST", "sandbox", answer(b'{"message":"exceeded quota: pods"}', "403 Forbidden"))
    with pytest.raises(SandboxUnavailable, match="exceeded quota: pods"):
        await remote.executor.execute(Request(code="print(1)"))


async def test_a_service_that_has_too_much_to_do_is_asked_again_when_it_says(remote: Remote) -> None:
    busy = answer(b'{"message":"slow down"}', "429 Too Many Requests", Retry_After="0")
    remote.faults.add("POST", "sandbox", busy, times=2)
    assert (await remote.executor.execute(Request(code="print(1)"))).stdout == "1\n"
    assert len(remote.lent) == 1


async def test_a_service_that_stays_busy_is_told(remote: Remote) -> None:
    busy = answer(b'{"message":"slow down"}', "429 Too Many Requests", Retry_After="0")
    remote.faults.add("POST", "sandbox", busy, times=3)
    with pytest.raises(SandboxUnavailable, match="slow down"):
        await remote.executor.execute(Request(code="print(1)"))


async def test_an_answer_to_the_lending_that_is_lost_leaves_no_machine(remote: Remote) -> None:
    remote.faults.add("POST", "sandbox", answer(b"<html>", "201 Created"))
    with pytest.raises(SandboxUnavailable, match="something that is not"):
        await remote.executor.execute(Request(code="print(1)"))
    await remote.executor.aclose()
    assert remote.machines == {}
