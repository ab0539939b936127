"""What all resources of apps have in common."""

import asyncio

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import LOCATION

APP = f"{LOCATION}/apps/zoo"

pytestmark = pytest.mark.proves("S1")


async def test_a_resource_has_the_id_that_was_asked_for_and_is_read_back(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app)
    assert agent == {
        "name": f"{APP}/agents/greeter",
        "displayName": "Greeter",
        "instruction": "Greet.",
        "createTime": "2023-11-14T22:13:20Z",
        "updateTime": "2023-11-14T22:13:20Z",
        "etag": agent["etag"],
    }
    assert await studio("GetAgent", {"name": agent["name"]}) == agent
    assert (await studio("ListAgents", {"parent": app}))["agents"] == [agent]


async def test_without_one_it_gets_a_fresh_id(studio: Studio) -> None:
    app = await studio.app("")
    assert len(app.rsplit("/", 1)[1]) == 36


async def test_an_id_that_is_taken_or_cannot_be_one_is_refused(studio: Studio) -> None:
    app = await studio.app()
    await studio.agent(app)
    asked = {"parent": app, "agent": {"displayName": "Other"}}
    code, message = await studio.refusal("CreateAgent", {**asked, "agentId": "greeter"})
    assert (code, message) == (Code.ALREADY_EXISTS, f"{APP}/agents/greeter exists")
    for wrong in ("-", "a/b", "a b", "ä", "a" * 129):
        code, message = await studio.refusal("CreateAgent", {**asked, "agentId": wrong})
        assert code is Code.INVALID_ARGUMENT
        assert message.startswith(f"agent_id: {wrong!r} cannot be an id")


@pytest.mark.parametrize(
    ("rpc", "field", "parent", "expected"),
    [
        ("CreateApp", "app", "projects/demo", "projects/{project}/locations/{location}"),
        ("CreateAgent", "agent", "apps/zoo", "projects/{project}/locations/{location}/apps/{app}"),
        ("ListTools", "", LOCATION, "projects/{project}/locations/{location}/apps/{app}"),
    ],
)
async def test_a_parent_that_can_be_none_is_named(
    studio: Studio, rpc: str, field: str, parent: str, expected: str
) -> None:
    request = {"parent": parent, **({field: {"displayName": "Zoo"}} if field else {})}
    code, message = await studio.refusal(rpc, request)
    assert (code, message) == (
        Code.INVALID_ARGUMENT,
        f"{parent!r} is not a valid resource name here; expected {expected}",
    )


async def test_two_of_a_kind_cannot_be_called_the_same(studio: Studio) -> None:
    app = await studio.app()
    await studio.agent(app)
    code, message = await studio.refusal("CreateAgent", {"parent": app, "agent": {"displayName": "Greeter"}})
    assert (code, message) == (Code.ALREADY_EXISTS, f"display_name 'Greeter' is already used by {APP}/agents/greeter")


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("Toolset", {"openApiToolset": {"openApiSchema": "t"}}),
        ("Agent", {"instruction": "Greet."}),
        ("Guardrail", {"contentFilter": {"bannedContents": ["darn"], "matchType": "WORD_BOUNDARY_STRING_MATCH"}}),
    ],
)
async def test_of_creations_of_one_display_name_at_the_same_time_one_succeeds(
    studio: Studio, kind: str, more: JsonObject
) -> None:
    app = await studio.app()
    request = {"parent": app, kind.lower(): {"displayName": "Same", **more}}
    answers = await asyncio.gather(*(studio(f"Create{kind}", request) for _ in range(8)), return_exceptions=True)
    [made] = [each for each in answers if isinstance(each, dict)]
    refused = [(each.code, each.message) for each in answers if isinstance(each, RpcError)]
    assert refused == [(Code.ALREADY_EXISTS, f"display_name 'Same' is already used by {made['name']}")] * 7


async def test_toolsets_without_a_display_name_stand_side_by_side(studio: Studio) -> None:
    app = await studio.app()
    for id in ("one", "two"):
        await studio.toolset(app, id, displayName="")
    assert await studio.names("ListToolsets", app, "toolsets") == ["one", "two"]


async def test_an_app_that_is_not_there_has_nothing(studio: Studio) -> None:
    missing = (Code.NOT_FOUND, f"App {APP} does not exist")
    assert await studio.refusal("CreateAgent", {"parent": APP, "agent": {"displayName": "A"}}) == missing
    assert await studio.refusal("ListAgents", {"parent": APP}) == missing


async def test_what_is_required_is_named(studio: Studio) -> None:
    app = await studio.app()
    assert await studio.refusal("CreateAgent", {"parent": app, "agent": {}}) == (
        Code.INVALID_ARGUMENT,
        "Required but not given: agent.display_name",
    )


async def test_an_update_changes_what_its_mask_names_and_nothing_else(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app)
    other = {"name": agent["name"], "instruction": "Be brief.", "displayName": "Other"}
    changed = await studio("UpdateAgent", {"agent": other, "updateMask": "instruction"})
    assert changed == {**agent, "instruction": "Be brief.", "etag": changed["etag"]}
    assert changed["etag"] != agent["etag"]


async def test_an_etag_of_an_older_state_stops_update_and_deletion(studio: Studio) -> None:
    app = await studio.app()
    old = await studio.agent(app)
    await studio("UpdateAgent", {"agent": {"name": old["name"], "description": "d"}, "updateMask": "description"})
    sentence = f"{old['name']} has changed since it was read; read it again and repeat the change"
    assert await studio.refusal("UpdateAgent", {"agent": old}) == (Code.ABORTED, sentence)
    deletion = {"name": old["name"], "etag": old["etag"]}
    assert await studio.refusal("DeleteAgent", deletion) == (Code.ABORTED, sentence)
    now = await studio("GetAgent", {"name": old["name"]})
    assert await studio("DeleteAgent", {"name": old["name"], "etag": now["etag"]}) == {}
    assert await studio.refusal("GetAgent", {"name": old["name"]}) == (
        Code.NOT_FOUND,
        f"Agent {old['name']} does not exist",
    )


async def test_a_list_is_filtered_ordered_and_read_page_by_page(studio: Studio) -> None:
    app = await studio.app()
    for id in ("b", "c", "a", "d"):
        studio.call.clock.advance(1)
        await studio.agent(app, id)
    for order, expected in {
        "": "bcad",
        "create_time": "bcad",
        "createTime desc": "dacb",
        "name": "abcd",
        "name desc, create_time": "dcba",
    }.items():
        assert "".join(await studio.names("ListAgents", app, "agents", orderBy=order)) == expected, order
        first = await studio("ListAgents", {"parent": app, "orderBy": order, "pageSize": 3})
        token = first["nextPageToken"]
        second = await studio("ListAgents", {"parent": app, "orderBy": order, "pageSize": 3, "pageToken": token})
        paged = [each["name"][-1] for each in [*first["agents"], *second["agents"]]]
        assert ("".join(paged), "nextPageToken" in second) == (expected, False)
    late = 'create_time >= "2023-11-14T22:13:22Z"'
    for filter_, expected in {
        'display_name = "C"': "c",
        "displayName:b OR name:agents/d": "bd",
        late: "cad",
        f'{late} AND NOT display_name = "C"': "ad",
        "instruction:greet": "bcad",
        "description:*": "",
    }.items():
        assert "".join(await studio.names("ListAgents", app, "agents", filter=filter_)) == expected, filter_


async def test_a_filter_or_an_order_that_cannot_be_had_is_refused(studio: Studio) -> None:
    app = await studio.app()
    code, message = await studio.refusal("ListAgents", {"parent": app, "filter": "colour = red"})
    assert code is Code.INVALID_ARGUMENT
    assert message.startswith("filter: 'colour' at character 1 cannot be used in a filter; allowed are ")
    assert await studio.refusal("ListAgents", {"parent": app, "orderBy": "size"}) == (
        Code.INVALID_ARGUMENT,
        "order_by: 'size' is not name or create_time, optionally followed by desc",
    )


async def test_a_locked_app_takes_no_change_until_it_is_unlocked(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app)
    await studio("UpdateApp", {"app": {"name": app, "locked": True}, "updateMask": "locked"})
    locked = (Code.FAILED_PRECONDITION, f"{app} is locked for changes; set its `locked` to false first")
    renamed = {"displayName": "New"}
    assert await studio.refusal("CreateAgent", {"parent": app, "agent": renamed}) == locked
    assert await studio.refusal("UpdateAgent", {"agent": {**agent, **renamed, "etag": ""}}) == locked
    assert await studio.refusal("DeleteAgent", {"name": agent["name"]}) == locked
    assert await studio.refusal("DeleteApp", {"name": app}) == locked
    assert await studio.refusal("UpdateApp", {"app": {"name": app, **renamed}, "updateMask": "displayName"}) == locked
    await studio("UpdateApp", {"app": {"name": app, "locked": False}, "updateMask": "locked"})
    assert await studio("DeleteAgent", {"name": agent["name"]}) == {}
