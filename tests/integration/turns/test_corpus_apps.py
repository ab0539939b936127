"""Exported apps compile, and their prompts hold what was authored.

OPENPLAYBOOK_CORPUS names a folder with `agents/*/app.json`; without it nothing is said of real apps.
"""

import os
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import ModelTurn
from openplaybook.models.prompt.prompt_head import playbook_text
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.resources.ces.app_directory import directory_of
from openplaybook.resources.ces.resource_checks import problems
from openplaybook.resources.findings import Severity
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.agent.ces_apps import SNAPSHOT_FIELDS
from openplaybook.turns.agent.snapshot import PlaybookView
from openplaybook.turns.agent.snapshot_store import compile_snapshot
from tests.kit.openapi import Remembering

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LEFT_OUT = "OPENPLAYBOOK_CORPUS names no folder of exported apps: what is true of them is not tested"
APP = "projects/p/locations/l/apps/a"

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
FOLDERS = sorted(path.parent for path in Path(CORPUS or "/nowhere").glob("agents/*/app.json"))


def bundle(folder: Path) -> list[list[JsonValue]]:
    package, _ = read_app(folder, APP)
    of_app: list[list[JsonValue]] = [["app", APP, package.app]]
    collections = package.collections()
    return of_app + [
        [kind, resource["name"], resource] for field, kind in SNAPSHOT_FIELDS.items() for resource in collections[field]
    ]


def shown(view: PlaybookView) -> str:
    playbook = view.playbook
    return playbook_text(
        ModelTurn(playbook.display_name, view.declarations, playbook.goal, playbook.steps, (), (), "en")
    )


@pytest.mark.proves("X1")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_real_app_compiles_to_the_same_agents_each_time(folder: Path) -> None:
    toolbox = Toolbox(Remembering())
    first, again = (compile_snapshot(APP, "d", bundle(folder), toolbox) for _ in range(2))
    assert first.start_playbook in first.playbooks
    assert {name: view.playbook for name, view in first.playbooks.items()} == {
        name: view.playbook for name, view in again.playbooks.items()
    }
    assert {name: view.declarations for name, view in first.playbooks.items()} == {
        name: view.declarations for name, view in again.playbooks.items()
    }
    assert all(view.close_name == "end_session" for view in first.playbooks.values())


@pytest.mark.proves("G5")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_instructions_of_a_real_app_reach_the_prompt_whole(folder: Path) -> None:
    snapshot = compile_snapshot(APP, "d", bundle(folder), Toolbox(Remembering()))
    for view in snapshot.playbooks.values():
        (step,) = view.playbook.steps
        expected, position = "", 0
        for each in step.references:
            expected += step.text[position : each.start] + f"`{each.name}`"
            position = each.end
        expected += step.text[position:]
        assert step.references
        assert shown(view).endswith("## Instructions\n" + expected)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_real_app_has_no_errors(folder: Path) -> None:
    stored = bundle(folder)
    directory = directory_of([(str(kind), str(name), document) for kind, name, document in stored])
    found = [each for kind, _, document in stored for each in problems(str(kind), document, directory, stored[0][2])]
    assert [each for each in found if each.severity is Severity.ERROR] == []
