"""Test cases of real exports: each becomes a recording, and each is replayed to a report."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from openplaybook.models.offline import OfflineModel
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.recordings.junit import junit
from openplaybook.recordings.recording_yaml import parse_recording, write_recording
from openplaybook.recordings.replay import Replays
from openplaybook.recordings.replay_outcomes import ReplayOutcome, ReplayVerdict, report
from openplaybook.recordings.test_cases import recordings_of
from openplaybook.server.replay_stage import staged
from openplaybook.server.settings import Settings
from tests.kit.thoroughness import sample

VARIABLE = "OPENPLAYBOOK_CORPUS"


@pytest.fixture(scope="module")
def exports() -> Sequence[Path]:
    """Folders of exported agents that have test cases."""
    root = os.environ.get(VARIABLE)
    if not root:
        pytest.skip(f"{VARIABLE} does not name a folder of exported agents")
    folders = sample(sorted(path.parent for path in Path(root).glob("agents/*/testCases")), 3)
    assert folders, f"{root} holds no agents with test cases"
    return folders


async def outcomes(folder: Path) -> list[ReplayOutcome]:
    package, _ = read_package(folder, "projects/p/locations/l/agents/a")
    async with staged(folder, Settings(data_dir=folder), live_tools=False) as stage:
        replays = Replays(OfflineModel())
        return [
            await replays.run(name, parse_recording(write_recording(recording)), stage)
            for name, recording in recordings_of(package).items()
        ]


@pytest.mark.sweep
@pytest.mark.proves("X6")
async def test_every_test_case_is_replayed_to_a_report(exports: Sequence[Path]) -> None:
    found = [outcome for folder in exports for outcome in await outcomes(folder)]
    files = [file for folder in exports for file in (folder / "testCases").glob("*.json")]
    assert len(found) == len(files)
    assert Counter(outcome.verdict for outcome in found)[ReplayVerdict.UNREADABLE] == 0
    turns = sum(len(outcome.turns) for outcome in found)
    assert len(fromstring(junit(found)).findall("*/testcase")) == turns
    assert all(list(report(outcome)) for outcome in found)
