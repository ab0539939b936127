"""Every generated sample as it stands, in processes that dial `*.googleapis.com` and find the server there.

OPENPLAYBOOK_SAMPLES may name a folder of further ones, such as the `samples/generated_samples` of a client library's
repository.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.kit.googleapis import TOKENS, googleapis
from tests.e2e.kit.server import clean_environment, running
from tests.kit.background import Background

pytestmark = pytest.mark.proof

ROOT = Path(__file__).parents[2]
SAMPLES = os.environ.get("OPENPLAYBOOK_SAMPLES", "")

ANSWERS = {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION", "UNIMPLEMENTED"}
"""What a sample whose names are placeholders may come to."""

_DEFECTS = (
    "'async for' requires an object with __aiter__ method, got coroutine",
    "'RepeatedComposite' object has no attribute",
    "Argument for field",
)
"""What the generator does wrong: it forgets to await lists, and gives one thing where a field takes many."""


def outcomes(background: Background, folder: Path, *samples: str) -> Mapping[str, str]:
    """What each sample came to."""
    with running(folder) as server, background.entered(googleapis(server, folder)) as apis:
        ran = subprocess.run(
            [sys.executable, "-m", "tests.e2e.samples.verbatim", *samples],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**clean_environment(), **apis.environment},
            timeout=900,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr[-3000:]
        assert set(apis.dialled) <= {TOKENS, "dialogflow.googleapis.com", "ces.googleapis.com"}
    return json.loads(ran.stdout)


def check(found: Mapping[str, str]) -> None:
    """Nobody broke; whose own code failed is known."""
    print(f"\n{len(found)} samples: {dict(Counter(found.values()))}")
    defects = {name: told for name, told in found.items() if told.startswith("DEFECT")}
    assert {told for told in defects.values() if not any(known in told for known in _DEFECTS)} == set()
    assert {name: told for name, told in found.items() if name not in defects and told not in ANSWERS} == {}


@pytest.mark.proves("X1")
def test_the_samples_of_the_installed_libraries_run_as_they_are(background: Background, tmp_path: Path) -> None:
    found = outcomes(background, tmp_path)
    assert len(found) == 852
    check(found)


@pytest.mark.proves("X1")
@pytest.mark.skipif(not SAMPLES, reason="OPENPLAYBOOK_SAMPLES names no folder of generated samples")
def test_the_samples_of_a_repository_run_as_they_are(background: Background, tmp_path: Path) -> None:
    found = outcomes(background, tmp_path, SAMPLES)
    assert found != {}
    check(found)
