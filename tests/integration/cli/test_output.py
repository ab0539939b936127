"""How far long work is, on a terminal and elsewhere."""

import os
import pty
import subprocess
import sys

PROGRAM = """
from openplaybook.cli.output import progress
with progress() as tell:
    tell("1 of 2")
    tell("2 of 2" + 80 * ".")
print("done")
"""


def test_on_a_terminal_each_line_takes_the_place_of_the_one_before_and_none_stays() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=True
    )
    os.close(theirs)
    assert os.read(ours, 1000) == b"\r\x1b[K1 of 2\r\x1b[K2 of 2" + 73 * b"." + b"\r\x1b[K"
    os.close(ours)
    assert done.stdout == b"done\n"


def test_elsewhere_nothing_is_shown() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"done\n", b"")
