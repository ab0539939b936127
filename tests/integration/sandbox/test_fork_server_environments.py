"""Interpreters of other environments, and what lies around them."""

import sys
import venv
from pathlib import Path

from openplaybook.sandbox.base import ExecutionLimits, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig


async def test_code_sees_the_libraries_of_the_environment_that_is_named_and_nothing_around_it(tmp_path: Path) -> None:
    venv.create(tmp_path, symlinks=True)
    (tmp_path / ".env").write_text("PASSWORD=secret")
    (tmp_path / "data").mkdir()
    packages = tmp_path / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (packages / "own_library.py").write_text("ANSWER = 42")
    server = await ForkServer.start(ForkServerConfig(python=str(tmp_path / "bin" / "python"), preload=()))
    code = f"""
import importlib.util, os, own_library, sys
print(own_library.ANSWER, importlib.util.find_spec("numpy"), sys.prefix)
print([os.path.exists(f"{{sys.prefix}}/{{name}}") for name in (".env", "data", "lib", "pyvenv.cfg")])
print([os.path.exists(path) for path in {[str(tmp_path), __file__, str(Path.cwd())]}])
"""

    execution = await server.execute(Request(code=code))
    await server.aclose()

    assert execution.stdout.splitlines() == [
        "42 None /rt/environment",
        "[False, False, True, True]",
        "[False, False, False]",
    ]


async def test_a_child_interpreter_finds_the_same_libraries() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=()))
    code = "import sys, subprocess; print(subprocess.check_output([sys.executable, '-c', 'import pytest; print(1)']))"

    execution = await server.execute(Request(code=code, limits=ExecutionLimits(processes=4)))
    await server.aclose()

    assert (execution.stdout, execution.stderr) == ("b'1\\n'\n", "")
