"""Exports into a bucket, and imports from one."""

from pathlib import Path
from typing import cast

import pytest

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.jsonvalues import JsonObject
from tests.integration.services.peers import Caller


@pytest.fixture
def bucket(call: Caller, tmp_path: Path) -> str:
    cast("dict[str, Bucket]", call.parts.buckets.known)["exports"] = FolderBucket("exports", tmp_path)
    return "gs://exports"


async def done(call: Caller, rpc: str, request: JsonObject) -> JsonObject:
    response: JsonObject = (await call.operation(rpc, request))["response"]
    return {name: value for name, value in response.items() if name != "@type"}


async def test_an_agent_goes_there_and_back(call: Caller, bucket: str) -> None:
    agent = await call.agent()
    playbook = (await call.playbook(agent, "Greeter"))["name"]
    uri = f"{bucket}/agents/zoo.zip"
    assert await done(call, "Agents.ExportAgent", {"name": agent, "agentUri": uri}) == {"agentUri": uri}
    await call("Playbooks.DeletePlaybook", {"name": playbook})
    await done(call, "Agents.RestoreAgent", {"name": agent, "agentUri": uri})
    assert (await call("Playbooks.GetPlaybook", {"name": playbook}))["displayName"] == "Greeter"


async def test_a_playbook_goes_there_and_back(call: Caller, bucket: str) -> None:
    agent = await call.agent()
    playbook = (await call.playbook(agent, "Greeter"))["name"]
    uri = f"{bucket}/greeter"
    assert await done(call, "Playbooks.ExportPlaybook", {"name": playbook, "playbookUri": uri}) == {"playbookUri": uri}
    other = await call.agent(displayName="Other")
    imported = await done(call, "Playbooks.ImportPlaybook", {"parent": other, "playbookUri": uri})
    assert imported["playbook"].startswith(f"{other}/playbooks/")


async def test_tools_go_there(call: Caller, bucket: str, tmp_path: Path) -> None:
    agent = await call.agent()
    tool = (await call.tool(agent, "search"))["name"]
    uri = f"{bucket}/tools.zip"
    asked = {"parent": agent, "tools": [tool], "toolsUri": uri}
    assert await done(call, "Tools.ExportTools", asked) == {"toolsUri": uri}
    assert (tmp_path / "tools.zip").read_bytes().startswith(b"PK")
