import os
import subprocess
import sys

import pytest

from benchmarks.processes import cpu_s, peak_mb_of, ticks_of

# Fields from the third on, as in proc_pid_stat(5): utime 250, stime 60, cutime 7, cstime 3.
FIELDS = "S 1 10 10 0 -1 4194560 100 0 0 0 250 60 7 3 20 0 5 0 1000 2000000 300"


def test_ticks_are_user_and_system_time_with_those_of_children_waited_for() -> None:
    assert ticks_of(f"10 (server) {FIELDS}") == 320


def test_a_process_may_have_blanks_and_parentheses_in_its_name() -> None:
    assert ticks_of(f"10 (a b) c (d) {FIELDS}") == 320


def test_peak_memory_is_read_in_mebibytes() -> None:
    assert peak_mb_of("Name:\tserver\nVmPeak:\t  99999 kB\nVmHWM:\t   20480 kB\nThreads:\t5\n") == 20.0


def test_a_process_that_is_gone_has_used_nothing() -> None:
    pid = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(pid, 0)
    assert cpu_s(pid) == 0.0


WORKS_THEN_WAITS = "import os, sys; sum(range(2_000_000)); print(sum(os.times()[:2]), flush=True); sys.stdin.read()"


def test_the_cpu_of_a_running_process_is_what_the_system_says() -> None:
    command = [sys.executable, "-c", WORKS_THEN_WAITS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        says = float(process.stdout.readline())
        # The clock of /proc has ticks of 10 ms, for user and system time each.
        assert cpu_s(process.pid) == pytest.approx(says, abs=0.04)
        process.communicate(b"")
