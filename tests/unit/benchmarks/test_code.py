import os
import subprocess
import sys
from pathlib import Path

from benchmarks.code.memory import descendants, pss_mb
from benchmarks.code.programs import EXPECTED, PROGRAMS
from tests.kit.plain_runtime import run


def test_every_program_prints_what_is_expected_of_it(tmp_path: Path) -> None:
    for name, code in PROGRAMS.items():
        assert run(code, tmp_path, bare=False).stdout.startswith(EXPECTED[name]), name


def test_descendants_are_children_and_their_children() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        found = descendants(child.pid)
        assert len(found) == 1
        assert {child.pid, *found} <= descendants(os.getpid())
        assert 1 < pss_mb(found) < 100
        child.communicate(b"\n")
    assert pss_mb(found) == 0
