"""Secrets that stand in tools and agents: sealed in the store, masked in answers, kept when masks come back."""

import base64
import io
import zipfile

import pytest

from openplaybook.credentials.sealer import is_sealed
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.storage.base import Put, Record
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller
from tests.kit.sealing import SEALER

KEY = {"apiKeyConfig": {"keyName": "X-Key", "apiKey": "planted-key", "requestLocation": "HEADER"}}
MASKED_KEY = {"apiKeyConfig": {**KEY["apiKeyConfig"], "apiKey": "[redacted]"}}
OAUTH = {"oauthConfig": {"clientId": "c", "clientSecret": "planted-secret", "tokenEndpoint": "https://t.example"}}
BASIC = {"basicAuthConfig": {"username": "u", "password": "planted-password"}}
SCHEMES = [{"scheme": "oauth", "authentication": OAUTH}, {"scheme": "basic", "authentication": BASIC}]


def spec(authentication: JsonObject, **more: object) -> JsonObject:
    return {"textSchema": "t", "authentication": authentication, **more}


async def made(call: Caller, **fields: object) -> JsonObject:
    return await call.tool(await call.agent(), functionSpec=None, openApiSpec=spec(KEY, **fields))


async def kept(call: Caller, name: str) -> JsonObject:
    """The tool as it lies in the store."""
    record = await call.parts.store.get(name)
    assert record is not None
    assert b"planted" not in record.body
    return as_object(loads(record.body))


async def opened_key(call: Caller, name: str) -> str:
    """The API key that a call of the tool would use."""
    stored = (await kept(call, name))["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"]
    assert is_sealed(stored)
    return SEALER.unseal(stored, name)


@pytest.mark.proves("A9")
async def test_an_api_key_is_masked_in_every_answer_and_sealed_in_the_store(call: Caller) -> None:
    tool = await made(call)
    assert tool["openApiSpec"]["authentication"] == MASKED_KEY
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool
    parent = tool["name"].rsplit("/tools/", 1)[0]
    assert (await call("Tools.ListTools", {"parent": parent}))["tools"][0] == tool
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_a_client_that_writes_back_what_it_read_changes_no_secret(call: Caller) -> None:
    tool = await made(call)
    patched = await call("Tools.UpdateTool", {"tool": {**tool, "description": "New"}})
    assert patched == {**tool, "description": "New"}
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_a_client_of_the_stable_version_writes_back_masks_too(call: Caller) -> None:
    tool = await made(call, securitySchemeAuthentications=SCHEMES)
    call.version = "v3"
    seen = await call("Tools.GetTool", {"name": tool["name"]})
    await call("Tools.UpdateTool", {"tool": seen})
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_a_new_key_takes_the_place_of_the_old_one(call: Caller) -> None:
    tool = await made(call)
    other = {"apiKeyConfig": {**KEY["apiKeyConfig"], "apiKey": "planted-anew"}}
    patched = await call(
        "Tools.UpdateTool",
        {"tool": {"name": tool["name"], "openApiSpec": spec(other)}, "updateMask": "openApiSpec.authentication"},
    )
    assert patched == tool
    assert await opened_key(call, tool["name"]) == "planted-anew"


async def test_a_list_of_credentials_keeps_each_by_its_scheme(call: Caller) -> None:
    tool = await made(call, securitySchemeAuthentications=SCHEMES)
    schemes = tool["openApiSpec"]["securitySchemeAuthentications"]
    assert [scheme["scheme"] for scheme in schemes] == ["oauth", "basic"]
    turned = {**tool, "openApiSpec": {**tool["openApiSpec"], "securitySchemeAuthentications": schemes[::-1]}}
    assert await call("Tools.UpdateTool", {"tool": turned}) == turned
    basic, oauth = (await kept(call, tool["name"]))["openApiSpec"]["securitySchemeAuthentications"]
    opened = SEALER.at(tool["name"])
    assert opened.unseal(basic["authentication"]["basicAuthConfig"]["password"]) == "planted-password"
    assert opened.unseal(oauth["authentication"]["oauthConfig"]["clientSecret"]) == "planted-secret"


async def test_a_mask_without_anything_behind_it_is_refused(call: Caller) -> None:
    request = {"displayName": "t", "description": "d", "openApiSpec": spec(MASKED_KEY)}
    assert await call.refusal("Tools.CreateTool", {"parent": await call.agent(), "tool": request}) == (
        Code.INVALID_ARGUMENT,
        "tool.open_api_spec.authentication.api_key_config.api_key: is a placeholder for a secret; send the secret "
        "itself",
    )


async def test_a_sealed_text_of_another_tool_is_refused(call: Caller) -> None:
    first = await made(call)
    sealed = (await kept(call, first["name"]))["openApiSpec"]["authentication"]
    request = {"displayName": "t", "description": "d", "openApiSpec": spec(sealed)}
    code, _ = await call.refusal("Tools.CreateTool", {"parent": await call.agent(), "tool": request})
    assert code is Code.INVALID_ARGUMENT


async def test_a_reference_to_a_session_parameter_is_no_secret(call: Caller) -> None:
    reference = {"bearerTokenConfig": {"token": "$session.params.token"}}
    tool = await call.tool(await call.agent(), functionSpec=None, openApiSpec=spec(reference))
    assert tool["openApiSpec"]["authentication"] == reference
    assert (await kept(call, tool["name"]))["openApiSpec"]["authentication"] == reference


async def test_a_tool_version_keeps_the_secret_and_brings_it_back(call: Caller) -> None:
    tool = await made(call)
    version = await call("Tools.CreateToolVersion", {"parent": tool["name"], "toolVersion": {"displayName": "one"}})
    assert version["tool"] == tool
    assert await call("Tools.GetToolVersion", {"name": version["name"]}) == version
    await kept(call, version["name"])
    other = {"bearerTokenConfig": {"token": "planted-token"}}
    await call("Tools.UpdateTool", {"tool": {**tool, "openApiSpec": spec(other)}})
    assert await call("Tools.RestoreToolVersion", {"name": version["name"]}) == {"tool": tool}
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_a_tool_version_made_from_what_was_read_keeps_the_secret(call: Caller) -> None:
    tool = await made(call)
    request = {"parent": tool["name"], "toolVersion": {"displayName": "one", "tool": tool}}
    version = await call("Tools.CreateToolVersion", request)
    await call("Tools.RestoreToolVersion", {"name": version["name"]})
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_a_tool_stored_with_a_plain_key_is_masked_and_sealed_by_its_next_update(call: Caller) -> None:
    tool = await made(call)
    record = await call.parts.store.get(tool["name"])
    assert record is not None
    sealed = (await kept(call, tool["name"]))["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"]
    collection_put = record.body.replace(sealed.encode(), b"planted-key")
    await call.parts.store.apply([_with_body(record, collection_put)])
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool
    await call("Tools.UpdateTool", {"tool": {**tool, "description": "New"}})
    assert await opened_key(call, tool["name"]) == "planted-key"


async def test_the_access_token_of_an_agents_repository_is_sealed_too(call: Caller) -> None:
    settings = {"githubSettings": {"repositoryUri": "https://g.example", "accessToken": "planted-token"}}
    name = await call.agent(gitIntegrationSettings=settings)
    agent = await call("Agents.GetAgent", {"name": name})
    assert agent["gitIntegrationSettings"]["githubSettings"]["accessToken"] == "[redacted]"
    assert await call("Agents.UpdateAgent", {"agent": agent}) == agent
    stored = (await kept(call, name))["gitIntegrationSettings"]["githubSettings"]["accessToken"]
    assert SEALER.unseal(stored, name) == "planted-token"


async def test_keys_in_an_older_package_are_sealed_by_its_import_and_missing_in_its_export(call: Caller) -> None:
    agent = await call.agent()
    tool = {"displayName": "Pets", "name": "t1", "description": "d", "openApiSpec": {"authentication": KEY}}
    content = package(
        {
            "agent.json": dumps({"displayName": "Zoo", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}),
            "tools/Pets/Pets.json": dumps(tool),
            "tools/Pets/schema.yaml": b"t",
        }
    )
    await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    name = f"{agent}/tools/t1"
    assert (await call("Tools.GetTool", {"name": name}))["openApiSpec"]["authentication"] == MASKED_KEY
    assert await opened_key(call, name) == "planted-key"
    exported = await call.operation("Agents.ExportAgent", {"name": agent})
    files = zipfile.ZipFile(io.BytesIO(base64.b64decode(exported["response"]["agentContent"])))
    written = loads(files.read("tools/Pets/Pets.json"))["openApiSpec"]["authentication"]
    assert written == {"apiKeyConfig": {"keyName": "X-Key", "requestLocation": "HEADER"}}


def package(files: dict[str, bytes]) -> str:
    """A JSON package as `agentContent` takes it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return base64.b64encode(buffer.getvalue()).decode()


def _with_body(record: Record, body: bytes) -> Put:
    return Put(record.name, record.kind, record.parent, record.root, body, unique_key="Weather")
