"""What was changed in an app."""

import asyncio

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.services.ces import changelog
from openplaybook.storage.base import Put
from tests.integration.services.ces.studio import Studio

pytestmark = pytest.mark.proves("S1")


async def log(studio: Studio, app: str, **request: object) -> list[JsonObject]:
    return (await studio("ListChangelogs", {"parent": app, **request})).get("changelogs", [])


async def told(studio: Studio, app: str, **request: object) -> list[str]:
    """Action, type and display name of every entry."""
    return [f"{one['action']} {one['resourceType']} {one['displayName']}" for one in await log(studio, app, **request)]


async def test_an_entry_tells_what_was_changed_and_when(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app)
    studio.call.clock.advance(1)
    await studio("UpdateAgent", {"agent": {"name": agent["name"], "description": "d"}, "updateMask": "description"})
    entries = await log(studio, app)
    entry = entries[-1]
    numbers = [int(one["sequenceNumber"]) for one in entries]
    assert numbers == sorted(set(numbers))
    shown = {key: value for key, value in agent.items() if key not in ("etag", "updateTime")}
    assert entry == {
        "name": entry["name"],
        "displayName": "Greeter",
        "description": "description",
        "resource": agent["name"],
        "resourceType": "Agent",
        "action": "Update",
        "originalResource": shown,
        "newResource": {**shown, "description": "d"},
        "createTime": "2023-11-14T22:13:21Z",
        "sequenceNumber": entry["sequenceNumber"],
    }
    assert await studio("GetChangelog", {"name": entry["name"]}) == entry


async def test_every_change_has_one_and_so_has_what_a_forced_deletion_changes(studio: Studio) -> None:
    app = await studio.app()
    tool = await studio.tool(app)
    await studio.agent(app, tools=[tool["name"]])
    await studio("DeleteTool", {"name": tool["name"], "force": True})
    version = await studio.version(app)
    await studio("RestoreAppVersion", {"name": version["name"]})
    assert await told(studio, app) == [
        "Create App Zoo",
        "Create Tool weather",
        "Create Agent Greeter",
        "Update Agent Greeter",
        "Delete Tool weather",
        "Create AppVersion one",
        "Restore App Zoo",
    ]


async def test_entries_are_filtered_as_google_documents_it(studio: Studio) -> None:
    app = await studio.app()
    await studio.agent(app)
    studio.call.clock.advance(60)
    await studio.tool(app)
    for filter_, expected in {
        "action:create": ["App", "Agent", "Tool"],
        'action="create"': [],
        "resource_type:agent": ["Agent"],
        "resource_name:agents/greeter": ["Agent"],
        'create_time <= "2023-11-14T22:13:20Z" AND resource_type:a': ["App", "Agent"],
    }.items():
        assert [one["resourceType"] for one in await log(studio, app, filter=filter_)] == expected, filter_
    assert (await told(studio, app, orderBy="create_time desc"))[0] == "Create Tool weather"


async def test_old_entries_are_forgotten(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changelog, "KEPT_WRITES", 6)
    app = await studio.app()
    agent = await studio.agent(app)
    for number in range(20):
        update = {"agent": {"name": agent["name"], "description": str(number)}, "updateMask": "description"}
        await studio("UpdateAgent", update)
    kept = await log(studio, app)
    assert [one["newResource"]["description"] for one in kept] == [str(number) for number in range(20 - len(kept), 20)]
    assert 3 <= len(kept) <= 6


async def test_an_app_is_neither_read_with_its_changelog_and_versions_nor_stale_by_them(studio: Studio) -> None:
    app = await studio.app()
    await studio.version(app)
    store = studio.call.parts.store
    assert (await store.revision(app), [record.name for record in await store.scan(app)]) == (1, [app])


async def test_changes_at_the_same_time_have_an_entry_each(studio: Studio) -> None:
    app = await studio.app()
    await asyncio.gather(*(studio.agent(app, f"a{number}") for number in range(20)))
    entries = await log(studio, app)
    assert [entry["resource"] for entry in entries[1:]] == [
        f"{app}/agents/{id}" for id in await studio.names("ListAgents", app, "agents")
    ]
    numbers = [int(entry["sequenceNumber"]) for entry in entries]
    assert (len(numbers), numbers) == (21, sorted(set(numbers)))


def deep(levels: int) -> JsonObject:
    schema: JsonObject = {"type": "STRING"}
    for _ in range(levels):
        schema = {"type": "OBJECT", "properties": {"a": schema}}
    return {"name": "deep", "description": "d", "parameters": schema}


async def test_of_a_resource_that_is_too_deep_for_an_entry_only_its_name_is_shown(studio: Studio) -> None:
    app = await studio.app()
    tool = await studio("CreateTool", {"parent": app, "tool": {"clientFunction": deep(30)}})
    version = await studio.version(app)
    entry = (await log(studio, app))[1]

    assert entry["newResource"] == {"name": tool["name"], "displayName": "deep"}
    (kept,) = (await studio("GetAppVersion", {"name": version["name"]}))["snapshot"]["tools"]
    assert kept["clientFunction"] == tool["clientFunction"]


async def test_an_entry_that_cannot_be_read_keeps_no_app_from_being_changed(studio: Studio) -> None:
    app = await studio.app()
    first = (await log(studio, app))[0]
    record = await studio.call.parts.store.get(first["name"])
    assert record is not None
    entry = {**loads(record.body), "newResource": deep(30)}
    await studio.call.parts.store.apply([Put(record.name, record.kind, record.parent, record.root, dumps(entry))])

    assert (await studio.agent(app))["displayName"] == "Greeter"
