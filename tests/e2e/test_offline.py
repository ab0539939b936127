"""The demo with no key and no network: the model that is always there, the demo's own API, and Google's client."""

import subprocess
import sys
from pathlib import Path

import pytest

from openplaybook.jsonvalues import loads
from tests.e2e.kit.server import clean_environment

ROOT = Path(__file__).parents[2]
ISOLATION = ["unshare", "--map-root-user", "--net"]
"""Runs a program where there is no network but a loopback device of its own."""


def may_isolate() -> bool:
    """Whether this machine lets its users make network namespaces; many containers do not."""
    try:
        return subprocess.run([*ISOLATION, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.proves("X3", "X1", "G4")
def test_the_demo_talks_with_no_key_and_no_network(tmp_path: Path) -> None:
    isolated = may_isolate()
    command = [sys.executable, "-m", "tests.e2e.offline.conversation", str(tmp_path)]
    ran = subprocess.run(
        [*ISOLATION, *command, "isolated"] if isolated else command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=clean_environment(),
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    seen = loads(ran.stdout)
    assert seen.pop("interfaces") == ["lo"] or not isolated
    assert seen == {
        "model": "offline",
        "answered": ["Pet 3 is Luna, owned by Aisha, labels: cat and indoor."],
        "asked": ["nearest_shelter", {"zip_code": "94043"}],
        "resumed": ["The nearest shelter is Paws, 1 Main St, 2.5 km away."],
    }
