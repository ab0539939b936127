"""Apps, whose creation and deletion take an operation."""

import pytest

from openplaybook.storage.base import BeginTurn, Started, TurnState
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import LOCATION

pytestmark = pytest.mark.proves("S1")


async def test_creating_one_is_an_operation_of_the_callers_version_that_is_done(studio: Studio) -> None:
    app = {"displayName": "Zoo", "variableDeclarations": [variable("user")], "globalInstruction": "Be kind."}
    operation = await studio("CreateApp", {"parent": LOCATION, "appId": "zoo", "app": app})
    package = f"type.googleapis.com/google.cloud.ces.{studio.call.version}"
    made = dict(operation["response"])
    assert (operation["done"], made.pop("@type")) == (True, f"{package}.App")
    assert operation["metadata"] == {
        "@type": f"{package}.OperationMetadata",
        "createTime": "2023-11-14T22:13:20Z",
        "endTime": "2023-11-14T22:13:20Z",
    }
    assert made == {
        "name": f"{LOCATION}/apps/zoo",
        **app,
        "createTime": "2023-11-14T22:13:20Z",
        "updateTime": "2023-11-14T22:13:20Z",
        "etag": made["etag"],
        "validationErrors": ["rootAgent: is not set: conversations can begin only where an entry agent is given"],
    }
    assert await studio("GetApp", {"name": made["name"]}) == made
    known = await studio.call("google.longrunning.Operations.GetOperation", {"name": operation["name"]})
    assert known == operation


def variable(name: str) -> dict[str, object]:
    return {"name": name, "description": "d", "schema": {"type": "STRING"}}


async def test_a_second_one_of_the_same_id_is_refused_at_once(studio: Studio) -> None:
    app = await studio.app()
    request = {"parent": LOCATION, "appId": "zoo", "app": {"displayName": "Other"}}
    assert await studio.refusal("CreateApp", request) == (Code.ALREADY_EXISTS, f"{app} exists")


async def test_variables_that_cannot_be_told_apart_or_named_are_refused(studio: Studio) -> None:
    async def refusal(*names: str) -> tuple[Code, str]:
        app = {"displayName": "Zoo", "variableDeclarations": [variable(name) for name in names]}
        return await studio.refusal("CreateApp", {"parent": LOCATION, "app": app})

    where = "app.variable_declarations[1].name"
    assert await refusal("a", "a") == (Code.INVALID_ARGUMENT, f"{where}: 'a' is declared twice")
    assert await refusal("a", "1st") == (
        Code.INVALID_ARGUMENT,
        f"{where}: '1st' cannot be a name: use letters, digits and '_', not starting with a digit",
    )


async def test_a_variable_needs_no_description(studio: Studio) -> None:
    declared = [{"name": "user", "schema": {"type": "STRING"}}]
    app = await studio.app(variableDeclarations=declared)
    assert (await studio("GetApp", {"name": app}))["variableDeclarations"] == declared


async def test_apps_are_listed_across_projects_and_locations_beside_agents(studio: Studio) -> None:
    await studio.call.message("google.cloud.dialogflow.cx.v3.Agents.CreateAgent", DIALOGFLOW_AGENT)
    for parent, id in (("projects/p/locations/eu", "a"), ("projects/q/locations/eu", "b"), (LOCATION, "c")):
        await studio("CreateApp", {"parent": parent, "appId": id, "app": {"displayName": id}})
    assert await studio.names("ListApps", "projects/-/locations/-", "apps") == ["a", "b", "c"]
    assert await studio.names("ListApps", "projects/-/locations/eu", "apps", orderBy="name desc") == ["b", "a"]
    assert await studio.names("ListApps", "projects/p/locations/-", "apps", pageSize=1) == ["a"]
    assert await studio.names("ListApps", LOCATION, "apps") == ["c"]


DIALOGFLOW_AGENT = {
    "parent": LOCATION,
    "agent": {"displayName": "Old", "defaultLanguageCode": "en", "timeZone": "UTC"},
}


async def test_an_app_tells_how_many_deployments_it_has(studio: Studio) -> None:
    app = await studio.app()
    for id in ("web", "phone"):
        await studio.deployment(app, id)
    assert (await studio("GetApp", {"name": app}))["deploymentCount"] == 2
    assert [each["deploymentCount"] for each in (await studio("ListApps", {"parent": LOCATION}))["apps"]] == [2]


async def test_a_deleted_app_takes_all_that_is_in_it_along(studio: Studio) -> None:
    app, store = await studio.app(), studio.call.parts.store
    await studio.agent(app)
    await studio.version(app)
    session = f"{app}/sessions/s"
    turn = BeginTurn(session, app, "t", None, "f", "me", 1_000_000, studio.call.clock() + 10_000_000_000)
    begun = await store.begin_turn(turn)
    assert isinstance(begun, Started)
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"{}", session_state=b"{}")
    operation = await studio("DeleteApp", {"name": app})
    assert (operation["done"], operation["response"]) == (True, {"@type": "type.googleapis.com/google.protobuf.Empty"})
    assert await studio.refusal("GetApp", {"name": app}) == (Code.NOT_FOUND, f"App {app} does not exist")
    assert (await store.scan(app), await store.list(app, "app_changelog"), await store.session(session)) == (
        [],
        [],
        None,
    )


async def test_an_app_whose_etag_has_changed_is_not_deleted(studio: Studio) -> None:
    app = await studio.app()
    code, message = await studio.refusal("DeleteApp", {"name": app, "etag": "old"})
    assert (code, message.split(";")[0]) == (Code.ABORTED, f"{app} has changed since it was read")
