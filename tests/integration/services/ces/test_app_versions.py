"""Versions of apps, and deployments, which serve them."""

from collections.abc import Sequence

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.services import collection
from openplaybook.services.collection import Collection
from openplaybook.storage.base import Put, Record
from openplaybook.wire.errors import Code
from openplaybook.workers.lanes import AT_ONCE
from tests.integration.services.ces.studio import Studio
from tests.kit.threads_seen import LOOP, threads_of

pytestmark = pytest.mark.proves("S1")

LISTS = {
    "agents": "ListAgents",
    "tools": "ListTools",
    "toolsets": "ListToolsets",
    "guardrails": "ListGuardrails",
    "examples": "ListExamples",
}


async def everything(studio: Studio, app: str) -> JsonObject:
    """What a snapshot of the app holds; neither etags, which tell states apart, nor what is counted."""
    whole: JsonObject = {"app": bare(await studio("GetApp", {"name": app}))}
    for field, rpc in LISTS.items():
        whole[field] = [bare(one) for one in (await studio(rpc, {"parent": app})).get(field, [])]
    return whole


def bare(resource: JsonObject) -> JsonObject:
    return {key: value for key, value in resource.items() if key not in ("etag", "deploymentCount")}


async def full_app(studio: Studio) -> str:
    """An app with one resource of each kind that a snapshot holds."""
    app = await studio.app()
    tool, toolset, guardrail = await studio.tool(app), await studio.toolset(app), await studio.guardrail(app)
    agent = await studio.agent(
        app,
        tools=[tool["name"]],
        toolsets=[{"toolset": toolset["name"]}],
        guardrails=[guardrail["name"]],
    )
    await studio.example(app, "first", {"toolCall": {"tool": tool["name"], "id": "1", "args": {"n": 1}}})
    await studio("UpdateApp", {"app": {"name": app, "rootAgent": agent["name"]}, "updateMask": "rootAgent"})
    return app


async def test_a_version_holds_the_app_with_all_that_is_in_it(studio: Studio) -> None:
    app = await full_app(studio)
    version = await studio.version(app)
    assert version["snapshot"] == await everything(studio, app)
    assert await studio("GetAppVersion", {"name": version["name"]}) == version
    assert (await studio("ListAppVersions", {"parent": app}))["appVersions"] == [version]


async def test_restoring_one_brings_everything_back_and_leaves_versions_and_deployments(studio: Studio) -> None:
    app = await full_app(studio)
    before, version = await everything(studio, app), await studio.version(app)
    deployment = await studio.deployment(app, appVersion=version["name"])
    agent = {"name": f"{app}/agents/greeter", "displayName": "Renamed", "instruction": "Shout."}
    await studio("UpdateAgent", {"agent": agent})
    await studio.agent(app, "new", displayName="Greeter")
    await studio("DeleteTool", {"name": f"{app}/tools/weather", "force": True})
    await studio("UpdateApp", {"app": {"name": app, "displayName": "Ark"}, "updateMask": "displayName"})
    later = await studio.version(app, "two")
    operation = await studio("RestoreAppVersion", {"name": version["name"]})
    package = f"type.googleapis.com/google.cloud.ces.{studio.call.version}"
    assert (operation["done"], operation["response"]) == (True, {"@type": f"{package}.RestoreAppVersionResponse"})
    assert await everything(studio, app) == before
    assert (await studio("ListAppVersions", {"parent": app}))["appVersions"] == [version, later]
    assert await studio("GetDeployment", {"name": deployment["name"]}) == deployment


async def test_a_version_that_a_deployment_serves_is_not_deleted(studio: Studio) -> None:
    app = await studio.app()
    version = (await studio.version(app))["name"]
    deployment = await studio.deployment(app, appVersion=version)
    assert await studio.refusal("DeleteAppVersion", {"name": version}) == (
        Code.FAILED_PRECONDITION,
        f"{version} is used by deployment 'web' ({deployment['name']}); let them refer to another first",
    )
    await studio("DeleteDeployment", {"name": deployment["name"]})
    assert await studio("DeleteAppVersion", {"name": version}) == {}


async def test_a_deployment_serves_a_version_that_is_there_or_the_app_as_it_stands(studio: Studio) -> None:
    app = await studio.app()
    assert (await studio.deployment(app, appVersion=f"{app}/versions/-"))["appVersion"] == f"{app}/versions/-"
    missing = {"displayName": "d", "channelProfile": {}, "appVersion": f"{app}/versions/no"}
    assert await studio.refusal("CreateDeployment", {"parent": app, "deployment": missing}) == (
        Code.NOT_FOUND,
        f"deployment.app_version: {app}/versions/no does not exist",
    )


async def test_credentials_of_channels_are_never_stored(studio: Studio) -> None:
    if studio.call.version == "v1":
        return
    app = await studio.app()
    words = ("authCode", "pin", "phoneNumber", "businessAccountId", "wabaId", "conversationProfileId")
    credentials = dict.fromkeys(words, "planted")
    made = await studio.deployment(app, whatsappCredentials=credentials)
    record = await studio.call.parts.store.get(made["name"])
    assert record is not None
    assert (b"planted" in record.body, "whatsappCredentials" in made) == (False, False)
    assert studio.warnings == [
        "deployment.whatsapp_credentials is not stored: this server does not connect to such channels"
    ]


async def test_a_version_and_what_it_brings_back_are_spelled_as_the_app_was(studio: Studio) -> None:
    app, store = await studio.app(), studio.call.parts.store
    name = f"{app}/tools/weather"
    properties = {key: {"type": "STRING"} for key in "zxya"}
    function = {"name": "weather", "parameters": {"type": "OBJECT", "properties": properties}}
    body = dumps({"name": name, "displayName": "weather", "clientFunction": function})
    await store.apply([Put(name, "app_tool", app, app, body, "weather")])
    version = (await studio.version(app))["name"]
    await studio("DeleteTool", {"name": name})
    await studio("RestoreAppVersion", {"name": version})
    kept, restored = await store.get(version), await store.get(name)
    assert kept is not None
    assert restored is not None
    assert (body[:-1] in kept.body, restored.body) == (True, body)


async def test_versions_of_large_apps_are_made_read_and_brought_back_beside_the_event_loop(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = await full_app(studio)
    text = "x" * AT_ONCE
    for id in ("b", "a"):
        await studio.tool(app, id, clientFunction={"name": id, "description": text})
    before = await everything(studio, app)
    read = threads_of(monkeypatch, collection, "from_body", when=lambda body, *_: len(body) > AT_ONCE)
    written = threads_of(monkeypatch, Collection, "put", when=lambda _, message: message.ByteSize() > AT_ONCE)
    version = await studio.version(app)
    assert await studio("GetAppVersion", {"name": version["name"]}) == version
    assert (await studio("ListAppVersions", {"parent": app}))["appVersions"] == [version]
    assert (len(read), len(written)) == (5, 1)
    await studio("DeleteTool", {"name": f"{app}/tools/b"})
    operation = await studio("RestoreAppVersion", {"name": version["name"]})
    assert operation["done"]
    # The tool that was deleted, and the version; the two tools that are brought back.
    assert (len(read), len(written)) == (7, 3)
    assert LOOP not in read + written
    assert await everything(studio, app) == before
    assert version["snapshot"] == before


async def test_a_version_reads_only_kinds_that_it_holds(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    app, store = await full_app(studio), studio.call.parts.store
    kinds: list[set[str]] = []
    scan = store.scan

    async def noted(root: str, wanted: Sequence[str] = ()) -> Sequence[Record]:
        kinds.append(set(wanted))
        return await scan(root, wanted)

    monkeypatch.setattr(store, "scan", noted)
    version = (await studio.version(app))["name"]
    await studio("RestoreAppVersion", {"name": version})
    held = {"app_agent", "app_tool", "app_toolset", "app_guardrail", "app_example"}
    assert kinds == [held, held]
