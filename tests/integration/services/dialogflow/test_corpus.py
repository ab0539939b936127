"""Real exports of many hands can be restored, validated and exported again."""

import asyncio
import base64
import io
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import pytest

from openplaybook.jsonvalues import as_list, as_object
from openplaybook.sync.comparable_files import read_contents
from openplaybook.sync.file_comparison import compare
from tests.integration.services.peers import Caller
from tests.kit.authored import texts_of
from tests.kit.thoroughness import sample

pytestmark = pytest.mark.sweep

_CORPUS = "OPENPLAYBOOK_CORPUS"
_ID = "df-code-interpreter-tool"


@pytest.fixture
def every_folder() -> Sequence[Path]:
    root = os.environ.get(_CORPUS)
    if not root:
        pytest.skip(f"{_CORPUS} does not name a folder of exported agents")
    return sorted(path.parent for path in Path(root).glob("agents/*/agent.json"))


@pytest.fixture
def folders(every_folder: Sequence[Path]) -> Sequence[Path]:
    return sample(every_folder, 3)


def _zipped(folder: Path) -> str:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return base64.b64encode(buffer.getvalue()).decode()


def _files(content: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(content))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.proves("X2")
async def test_every_real_export_survives_a_restore_and_two_exports(call: Caller, folders: Sequence[Path]) -> None:
    assert folders
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        restored = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        assert "error" not in restored, (folder.name, restored["error"])
        await call("Agents.ValidateAgent", {"name": agent})
        first = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
        again = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": first})
        assert "error" not in again, (folder.name, again["error"])
        second = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
        assert _files(first) == _files(second), folder.name


@pytest.mark.proves("X2")
async def test_no_text_of_a_real_export_is_lost(call: Caller, folders: Sequence[Path]) -> None:
    """But for the words of an older form of examples' values, and for full names of what it calls by display name."""
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        content = _zipped(folder)
        await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
        exported = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
        lost = texts_of(_files(content)) - texts_of(_files(exported)) - {"parameters", "value"}
        assert [text for text in lost if not text.startswith("projects/")] == [], folder.name


@pytest.mark.proves("X2")
async def test_a_real_export_differs_from_what_it_became_by_nothing_but_a_name_it_lacked(
    call: Caller, folders: Sequence[Path]
) -> None:
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        exported = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
        before, after = read_contents(folder), read_contents(base64.b64decode(exported))
        given = f"displayName: {json.dumps(folder.name)}"
        lines = {path: tuple(line for line in found if line != given) for path, found in after.lines.items()}
        assert compare(before.lines, lines) == [], folder.name


@pytest.mark.proves("X2")
async def test_what_is_kept_of_a_real_export_and_not_run_is_counted_and_named(
    call: Caller, folders: Sequence[Path]
) -> None:
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        restored = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        notes = as_list(as_object(restored.get("metadata", {}).get("value")).get("notes"))
        elsewhere = ("tools", "agent.json $.startFlow")
        told = {note["place"]: note for note in notes if note["kind"] == "KEPT" and note["place"] not in elsewhere}
        tops = {path.name: path for path in folder.iterdir() if path.is_dir()}
        assert told.keys() == tops.keys() - {"playbooks", "tools", "generativeSettings"}, folder.name
        for top, note in told.items():
            resources = [path.name.removesuffix(".json") for path in tops[top].iterdir()]
            assert note["count"] == len(resources)
            assert all(unquote(name) in note["message"] for name in resources[:1])


@pytest.mark.proves("X2")
async def test_a_change_of_a_line_is_a_line_in_the_export(
    call: Caller, folders: Sequence[Path], tmp_path: Path
) -> None:
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        for side in ("before", "after"):
            exported = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
            for path, content in _files(exported).items():
                file = tmp_path / folder.name / side / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            [playbook, *_] = (await call("Playbooks.ListPlaybooks", {"parent": agent}))["playbooks"]
            changed = {"name": playbook["name"], "goal": "Another goal."}
            await call("Playbooks.UpdatePlaybook", {"playbook": changed, "updateMask": "goal"})
        diff = await asyncio.create_subprocess_exec(
            "diff", "-r", "before", "after", cwd=tmp_path / folder.name, stdout=asyncio.subprocess.PIPE
        )
        lines = (await diff.communicate())[0].decode().splitlines()
        [gone, new] = [line for line in lines if line.startswith(("<", ">"))]
        assert gone.startswith('<   "goal": "'), folder.name
        assert new == '>   "goal": "Another goal.",'


@pytest.mark.proves("B1")
async def test_the_code_interpreter_that_exports_refer_to_is_there(call: Caller, every_folder: Sequence[Path]) -> None:
    using = [
        folder for folder in every_folder if any(_ID in path.read_text() for path in folder.glob("playbooks/*/*.json"))
    ]
    assert len(using) >= 5
    for folder in sample(using, 3):
        agent = await call.agent(displayName=folder.name)
        restored = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        told = str(restored.get("metadata")) + str(await call("Agents.ValidateAgent", {"name": agent}))
        assert _ID not in told, folder.name
        playbooks = (await call("Playbooks.ListPlaybooks", {"parent": agent}))["playbooks"]
        named = {name for playbook in playbooks for name in playbook.get("referencedTools", [])}
        assert f"{agent}/tools/{_ID}" in named, folder.name


_MISFITS = {
    ("aaronblythe__aaron_banking__root", "getUserById", "telephoneNumber must be string, got 8161234567"): 2,
    (
        "ggen-matayuuu__agent-builder-retail-demo__root",
        "add_to_shopping_cart",
        "requestBody.product is required (string)",
    ): 1,
}
"""Calls in examples of the exports that do not fit their tools, as anybody can see in their files, and how often."""


@pytest.mark.proves("X2")
async def test_of_calls_in_real_examples_only_those_are_reported_that_do_not_fit(
    call: Caller, folders: Sequence[Path]
) -> None:
    found: Counter[tuple[str, str, str]] = Counter()
    for folder in folders:
        agent = await call.agent(displayName=folder.name)
        await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        result = await call("Agents.ValidateAgent", {"name": agent})
        for entry in result.get("flowValidationResults", []):
            for message in entry["validationMessages"]:
                if match := re.search(r": does not fit the action '(.*?)': (.*)", message["detail"]):
                    found[folder.name, match[1], match[2]] += 1
                assert "has no action" not in message["detail"]
    assert found == {
        misfit: times for misfit, times in _MISFITS.items() if misfit[0] in {each.name for each in folders}
    }
