"""Real exports of many hands can be restored, validated and exported again."""

import base64
import io
import os
import zipfile
from pathlib import Path

import pytest

from tests.integration.services.peers import Caller

_CORPUS = "OPENPLAYBOOK_CORPUS"
_ID = "df-code-interpreter-tool"


@pytest.fixture
def folders() -> list[Path]:
    root = os.environ.get(_CORPUS)
    if not root:
        pytest.skip(f"{_CORPUS} does not name a folder of exported agents")
    return sorted(path.parent for path in Path(root).glob("agents/*/agent.json"))


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
async def test_every_real_export_survives_a_restore_and_two_exports(call: Caller, folders: list[Path]) -> None:
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


@pytest.mark.proves("B1")
async def test_the_code_interpreter_that_exports_refer_to_is_there(call: Caller, folders: list[Path]) -> None:
    using = [folder for folder in folders if any(_ID in path.read_text() for path in folder.glob("playbooks/*/*.json"))]
    assert len(using) >= 5
    for folder in using:
        agent = await call.agent(displayName=folder.name)
        restored = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _zipped(folder)})
        told = str(restored.get("metadata")) + str(await call("Agents.ValidateAgent", {"name": agent}))
        assert _ID not in told, folder.name
        playbooks = (await call("Playbooks.ListPlaybooks", {"parent": agent}))["playbooks"]
        named = {name for playbook in playbooks for name in playbook.get("referencedTools", [])}
        assert f"{agent}/tools/{_ID}" in named, folder.name
