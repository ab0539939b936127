"""What code writes and reads on its standard streams."""

from pathlib import Path

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


def test_text_that_has_no_bytes_is_escaped(tmp_path: Path) -> None:
    assert run(r"print('é \ud800')", tmp_path) == Ran(0, "é \\ud800\n", "")


def test_there_is_nothing_to_read(tmp_path: Path) -> None:
    ran = run("input('name? ')", tmp_path)
    assert (ran.status, ran.stdout) == (1, "name? ")
    assert ran.stderr.endswith("EOFError: EOF when reading a line\n")


def test_each_stream_keeps_its_order_whoever_writes(tmp_path: Path) -> None:
    code = """
import os, sys
for number in range(3):
    print(number)
    print(number, file=sys.stderr)
print("out", flush=True)
os.write(1, b"past the streams\\n")
sys.stdout.buffer.write(b"bytes\\n")
"""
    assert run(code, tmp_path) == Ran(0, "0\n1\n2\nout\npast the streams\nbytes\n", "0\n1\n2\n")


def test_a_closed_stderr_is_nobodys_end(tmp_path: Path) -> None:
    assert run("import os, sys; sys.stderr.close(); os.close(2); print(1); 1 / 0", tmp_path) == Ran(1, "1\n", "")
