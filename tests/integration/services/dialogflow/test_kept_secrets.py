"""Secrets that stand in tools stay when a package replaces the tools, and never go elsewhere by that."""

import base64
import dataclasses
import io
import zipfile
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from typing import cast

import pytest

from openplaybook.credentials.sealer import is_sealed
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.services.dialogflow.whole_agent import replace
from openplaybook.storage.base import Change, Record, Store
from tests.integration.services.peers import Caller
from tests.kit.sealing import SEALER

KEY: JsonObject = {"apiKeyConfig": {"keyName": "X-Key", "apiKey": "planted-key", "requestLocation": "HEADER"}}
OAUTH: JsonObject = {
    "oauthConfig": {
        "oauthGrantType": "CLIENT_CREDENTIAL",
        "clientId": "c",
        "clientSecret": "planted-secret",
        "tokenEndpoint": "https://login.example/token",
    }
}
DOCUMENT: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://api.example/v1"}],
    "paths": {"/pets": {"get": {"operationId": "pets", "security": [{"login": []}], "responses": {}}}},
    "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {}}}},
}
Files = dict[str, bytes]
TOOL, SCHEMA = "tools/Pets/Pets.json", "tools/Pets/schema.yaml"


async def made(call: Caller, authentication: JsonObject = KEY, **more: object) -> JsonObject:
    """A tool that holds a secret, in an agent of its own."""
    spec = {"textSchema": dumps(DOCUMENT).decode(), "authentication": authentication, **more}
    return await call.tool(await call.agent(), "Pets", functionSpec=None, openApiSpec=spec)


def agent_of(name: str) -> str:
    return name.partition("/tools/")[0]


async def exported(call: Caller, agent: str) -> Files:
    operation = await call.operation("Agents.ExportAgent", {"name": agent})
    content = base64.b64decode(operation["response"]["agentContent"])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert b"planted" not in b"".join(map(archive.read, archive.namelist()))
        return {path: archive.read(path) for path in archive.namelist()}


def content_of(files: Files) -> str:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return base64.b64encode(buffer.getvalue()).decode()


async def restored(call: Caller, agent: str, files: Files, **how: object) -> list[JsonObject]:
    """The notes on secrets of a restore."""
    request = {"name": agent, "agentContent": content_of(files), **how}
    operation = await call.operation("Agents.RestoreAgent", request)
    assert "error" not in operation, operation
    assert "planted" not in str(operation)
    assert "sealed:" not in str(operation)
    notes: list[JsonObject] = operation["metadata"].get("value", operation["metadata"]).get("notes", [])
    return [note for note in notes if note["kind"] == "MISSING_SECRET"]


async def secret(call: Caller, name: str, *path: str) -> str:
    """What the store has at a place of a resource, opened; empty where nothing is."""
    record = await call.parts.store.get(name)
    assert record is not None
    value = as_object(loads(record.body))
    for step in path[:-1]:
        value = value[step] if isinstance(value, dict) else value[int(step)]
    text = value.get(path[-1], "")
    assert not text or is_sealed(text)
    return SEALER.unseal(text, name)


async def api_key(call: Caller, name: str) -> str:
    return await secret(call, name, "openApiSpec", "authentication", "apiKeyConfig", "apiKey")


def edited(files: Files, path: str, change: Callable[[JsonObject], object]) -> Files:
    document = as_object(loads(files[path]))
    change(document)
    return {**files, path: dumps(document)}


async def test_a_secret_stays_where_the_package_leaves_its_place_blank(call: Caller) -> None:
    name = (await made(call))["name"]
    files = await exported(call, agent_of(name))
    assert await restored(call, agent_of(name), files) == []
    assert await api_key(call, name) == "planted-key"


async def test_a_secret_stays_while_operations_scopes_and_texts_change(call: Caller) -> None:
    schemes = [{"scheme": "login", "authentication": OAUTH}]
    name = (await made(call, {}, securitySchemeAuthentications=schemes))["name"]
    files = await exported(call, agent_of(name))

    def changed(tool: JsonObject) -> None:
        tool["description"] = "New"
        config = tool["openApiSpec"]["securitySchemeAuthentications"][0]["authentication"]["oauthConfig"]
        config["scopes"] = ["more"]

    def grown(document: JsonObject) -> None:
        document["paths"]["/more"] = document["paths"]["/pets"]
        document["info"]["version"] = "2"

    files = edited(edited(files, TOOL, changed), SCHEMA, grown)
    assert await restored(call, agent_of(name), files) == []
    place = ("openApiSpec", "securitySchemeAuthentications", "0", "authentication", "oauthConfig", "clientSecret")
    assert await secret(call, name, *place) == "planted-secret"


async def test_a_tool_of_the_same_display_name_takes_the_secret_over(call: Caller) -> None:
    name = (await made(call))["name"]
    files = edited(await exported(call, agent_of(name)), TOOL, lambda tool: tool.update(name="other"))
    assert await restored(call, agent_of(name), files) == []
    assert await api_key(call, f"{agent_of(name)}/tools/other") == "planted-key"


async def test_a_tool_of_another_name_gets_no_secret(call: Caller) -> None:
    name = (await made(call))["name"]
    files = edited(
        await exported(call, agent_of(name)), TOOL, lambda tool: tool.update(name="other", displayName="Others")
    )
    [note] = await restored(call, agent_of(name), files)
    assert note["message"].startswith("the tool needs apiKey; store it as a secret, and set ")
    assert await api_key(call, f"{agent_of(name)}/tools/other") == ""


async def test_a_secret_that_the_package_brings_takes_the_place_of_the_stored_one(call: Caller) -> None:
    name = (await made(call))["name"]
    files = edited(
        await exported(call, agent_of(name)),
        TOOL,
        lambda tool: tool["openApiSpec"]["authentication"]["apiKeyConfig"].update(apiKey="planted-other"),
    )
    await restored(call, agent_of(name), files)
    assert await api_key(call, name) == "planted-other"


async def test_a_secret_version_that_the_package_names_takes_the_place_of_the_stored_secret(call: Caller) -> None:
    name = (await made(call))["name"]
    version = {"secretVersionForApiKey": "projects/p/secrets/s/versions/1"}
    files = edited(
        await exported(call, agent_of(name)),
        TOOL,
        lambda tool: tool["openApiSpec"]["authentication"]["apiKeyConfig"].update(version),
    )
    assert await restored(call, agent_of(name), files) == []
    assert await api_key(call, name) == ""


SERVICE = "projects/p/locations/l/namespaces/n/services/s"
EVIL = {"servers": [{"url": "https://evil.example"}]}
AUTHENTICATION = "the package changes the authentication that it belongs to"
CONNECTION = "the package changes where requests go, or whom they trust"
SERVERS = "the package changes the servers that it is sent to, or its security scheme"


def config(**changes: object) -> Callable[[JsonObject], object]:
    return lambda tool: tool["openApiSpec"]["authentication"]["apiKeyConfig"].update(changes)


def specification(**changes: object) -> Callable[[JsonObject], object]:
    return lambda tool: tool["openApiSpec"].update(changes)


@pytest.mark.parametrize(
    ("path", "change", "why"),
    [
        (TOOL, config(keyName="X-Other"), AUTHENTICATION),
        (TOOL, config(requestLocation="QUERY_STRING"), AUTHENTICATION),
        (TOOL, config(inCookie=True), AUTHENTICATION),
        (
            TOOL,
            specification(serviceDirectoryConfig={"service": SERVICE}),
            CONNECTION,
        ),
        (TOOL, specification(tlsConfig={"caCerts": [{"displayName": "evil", "cert": "AAAA"}]}), CONNECTION),
        (TOOL, specification(settings={"serverUrl": "https://evil.example"}), SERVERS),
        (SCHEMA, lambda document: document.update(servers=[{"url": "https://evil.example/v1"}]), SERVERS),
        (SCHEMA, lambda document: document.update(servers=[{"url": "http://api.example/v1"}]), SERVERS),
        (SCHEMA, lambda document: document.update(servers=[{"url": "https://api.example.evil.example/v1"}]), SERVERS),
        (SCHEMA, lambda document: document.update(servers=[{"url": "https://api.example/other"}]), SERVERS),
        (
            SCHEMA,
            lambda document: document["paths"]["/pets"].update(EVIL),
            SERVERS,
        ),
        (
            SCHEMA,
            lambda document: document["paths"].update(
                {"/x": {"post": {"responses": {}, "servers": [{"url": "//evil.example"}]}}}
            ),
            SERVERS,
        ),
        (SCHEMA, lambda document: document.clear(), "the old or the new description cannot be read"),
    ],
)
async def test_a_package_cannot_send_a_kept_secret_elsewhere(
    call: Caller, path: str, change: Callable[[JsonObject], object], why: str
) -> None:
    name = (await made(call))["name"]
    files = edited(await exported(call, agent_of(name)), path, change)
    [note] = await restored(call, agent_of(name), files)
    assert note["place"] == f"{TOOL} $.openApiSpec.authentication.apiKeyConfig.apiKey"
    assert note["message"].startswith(f"the stored secret is not kept, because {why}; the tool needs apiKey; ")
    assert note["remedy"].startswith("openplaybook secrets set ")
    assert await api_key(call, name) == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda config: config.update(tokenEndpoint="https://evil.example/token"), AUTHENTICATION),
        (lambda config: config.update(clientId="other"), AUTHENTICATION),
    ],
)
async def test_a_client_secret_goes_to_no_other_token_endpoint(
    call: Caller, change: Callable[[JsonObject], object], why: str
) -> None:
    name = (await made(call, OAUTH))["name"]
    files = edited(
        await exported(call, agent_of(name)),
        TOOL,
        lambda tool: change(tool["openApiSpec"]["authentication"]["oauthConfig"]),
    )
    [note] = await restored(call, agent_of(name), files)
    assert note["message"].startswith(f"the stored secret is not kept, because {why}; ")
    assert await secret(call, name, "openApiSpec", "authentication", "oauthConfig", "clientSecret") == ""


async def test_a_credential_of_a_scheme_goes_to_no_other_token_endpoint_or_operation(call: Caller) -> None:
    schemes = [{"scheme": "login", "authentication": OAUTH}]
    flows = {"clientCredentials": {"tokenUrl": "https://evil.example/token", "scopes": {}}}
    elsewhere = {"servers": [{"url": "https://evil.example"}], "get": {"security": [{"login": []}], "responses": {}}}
    for change in (
        lambda document: document["components"]["securitySchemes"]["login"].update(flows=flows),
        lambda document: document["paths"].update({"/x": elsewhere}),
    ):
        name = (await made(call, {}, securitySchemeAuthentications=deepcopy(schemes)))["name"]
        files = edited(await exported(call, agent_of(name)), SCHEMA, change)
        [note] = await restored(call, agent_of(name), files)
        assert note["message"].startswith(f"the stored secret is not kept, because {SERVERS}; ")


async def test_of_several_secrets_those_stay_that_go_nowhere_else(call: Caller) -> None:
    document = deepcopy(DOCUMENT)
    document["components"]["securitySchemes"]["key"] = {"type": "apiKey", "in": "header", "name": "X-Key"}
    document["paths"]["/keys"] = {"get": {"operationId": "keys", "security": [{"key": []}], "responses": {}}}
    key: JsonObject = {"apiKeyConfig": {"apiKey": "planted-key"}}
    schemes = [{"scheme": "login", "authentication": OAUTH}, {"scheme": "key", "authentication": key}]
    more = {"textSchema": dumps(document).decode(), "securitySchemeAuthentications": schemes}
    name = (await made(call, {}, **more))["name"]
    files = edited(
        await exported(call, agent_of(name)), SCHEMA, lambda document: document["paths"]["/keys"].update(EVIL)
    )
    [note] = await restored(call, agent_of(name), files)
    assert note["place"].endswith("securitySchemeAuthentications[1].authentication.apiKeyConfig.apiKey")
    entries = ("openApiSpec", "securitySchemeAuthentications")
    assert await secret(call, name, *entries, "0", "authentication", "oauthConfig", "clientSecret") == "planted-secret"
    assert await secret(call, name, *entries, "1", "authentication", "apiKeyConfig", "apiKey") == ""


async def test_the_token_of_a_repository_stays_for_this_repository_alone(call: Caller) -> None:
    settings = {"githubSettings": {"repositoryUri": "https://g.example", "accessToken": "planted-token"}}
    agent = await call.agent(gitIntegrationSettings=settings)
    files = await exported(call, agent)
    assert await restored(call, agent, files) == []
    place = ("gitIntegrationSettings", "githubSettings", "accessToken")
    assert await secret(call, agent, *place) == "planted-token"
    moved = edited(
        files,
        "agent.json",
        lambda resource: resource["gitIntegrationSettings"]["githubSettings"].update(
            repositoryUri="https://evil.example"
        ),
    )
    assert await restored(call, agent, moved) == [
        {
            "kind": "MISSING_SECRET",
            "place": "agent.json $.gitIntegrationSettings.githubSettings.accessToken",
            "message": f"the stored secret is not kept, because {AUTHENTICATION}",
        }
    ]
    assert await secret(call, agent, *place) == ""


class Overtaken:
    """A store into which another request writes before the first write of this one."""

    def __init__(self, store: Store, other: Callable[[], Awaitable[object]]) -> None:
        self._store = store
        self._others = [other]

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def apply(self, changes: Sequence[Change]) -> Sequence[Record]:
        while self._others:
            await self._others.pop()()
        return await self._store.apply(changes)


async def test_a_secret_that_is_set_during_the_import_stays(call: Caller) -> None:
    tool = await made(call)
    name = tool["name"]
    content = base64.b64decode(content_of(await exported(call, agent_of(name))))
    newer = deepcopy(tool)
    newer["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"] = "planted-newer"
    store = Overtaken(call.parts.store, lambda: call("Tools.UpdateTool", {"tool": newer}))
    await replace(dataclasses.replace(call.parts, store=cast(Store, store)), agent_of(name), content)
    assert await api_key(call, name) == "planted-newer"


async def test_a_playbook_that_replaces_one_keeps_the_secrets_of_its_tools(call: Caller) -> None:
    name = (await made(call))["name"]
    agent = agent_of(name)
    playbook = await call.playbook(agent, "Desk", text="Use ${TOOL: Pets}.", referencedTools=[name])
    exported = await call.operation("Playbooks.ExportPlaybook", {"name": playbook["name"]})
    strategies = ("mainPlaybookImportStrategy", "nestedResourceImportStrategy", "toolImportStrategy")
    request = {
        "parent": agent,
        "playbookContent": exported["response"]["playbookContent"],
        "importStrategy": dict.fromkeys(strategies, "IMPORT_STRATEGY_REPLACE"),
    }
    imported = await call.operation("Playbooks.ImportPlaybook", request)
    assert "MISSING_SECRET" not in str(imported)
    assert await api_key(call, name) == "planted-key"
