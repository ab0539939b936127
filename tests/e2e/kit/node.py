"""Where Google's Node client is, and a mark for tests that need it."""

import shutil
from pathlib import Path

import pytest

NODE = Path(__file__).parents[1] / "node"
"""`npm ci` installs the client here; programs that are run here find it."""

needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE / "node_modules").is_dir(),
    reason="Node, or what `npm ci` installs in tests/e2e/node, is not here; `make test` installs both",
)
