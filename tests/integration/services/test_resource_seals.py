"""Secrets in resources after the master key was exchanged."""

import pytest

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.services.resource_seals import reseal_resources
from tests.integration.services.peers import Caller
from tests.kit.sealing import KEY

NEW_KEY = bytes(32)
AUTHENTICATION = {"apiKeyConfig": {"keyName": "k", "apiKey": "planted-key", "requestLocation": "HEADER"}}


async def made(call: Caller) -> JsonObject:
    spec = {"textSchema": "t", "authentication": AUTHENTICATION}
    github = {"githubSettings": {"accessToken": "planted-token"}}
    agent = await call.agent(gitIntegrationSettings=github)
    tool = await call.tool(agent, functionSpec=None, openApiSpec=spec)
    await call.tool(agent, "Clock")
    await call("Tools.CreateToolVersion", {"parent": tool["name"], "toolVersion": {"displayName": "one"}})
    return tool


async def key_in(call: Caller, name: str, sealer: Sealer) -> str:
    record = await call.parts.store.get(name)
    assert record is not None
    tool = as_object(loads(record.body))
    return sealer.unseal(tool["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"], name)


async def test_agents_tools_and_versions_open_with_the_new_key_alone(call: Caller) -> None:
    tool = await made(call)
    both, new = Sealer([NEW_KEY, KEY]), Sealer([NEW_KEY])
    assert [await reseal_resources(call.parts.store, both), await reseal_resources(call.parts.store, both)] == [3, 0]
    assert await key_in(call, tool["name"], new) == "planted-key"
    [version] = (await call("Tools.ListToolVersions", {"parent": tool["name"]}))["toolVersions"]
    await call("Tools.RestoreToolVersion", {"name": version["name"]})
    assert await key_in(call, tool["name"], new) == "planted-key"
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool


async def test_without_the_old_key_nothing_is_changed(call: Caller) -> None:
    tool = await made(call)
    before = await call.parts.store.get(tool["name"])
    with pytest.raises(SealedValueUnreadable):
        await reseal_resources(call.parts.store, Sealer([NEW_KEY]))
    assert await call.parts.store.get(tool["name"]) == before
