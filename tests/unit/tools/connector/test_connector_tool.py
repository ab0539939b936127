"""What a connector tool takes, does and gives back, over a system in memory."""

import logging
from collections.abc import Sequence

import pytest

from openplaybook.connectors.base import EntityQuery, SqlQuery
from openplaybook.connectors.errors import CredentialAbsent, EntityConflict, SystemUnavailable, WriteInDoubt
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, UserPassword
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.sandbox.base import CodeFile
from openplaybook.tools.base import Action, Call, Failure, InDoubt, Outcome, Success, Tool, ToolContext
from openplaybook.tools.connector import kind
from openplaybook.tools.connector.reply_budget import REPLY_BYTES
from openplaybook.tools.tool_kind import ToolParts
from openplaybook.tools.toolbox import Toolbox
from tests.kit.code import PlayedExecutor, ran
from tests.kit.memory_system import CONNECTION, MemoryConnections
from tests.kit.openapi import PARTS

VERBS = ("LIST", "GET", "CREATE", "UPDATE", "DELETE")
SHOWN = ["id", "name", "city"]


def entity(operation: str, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> JsonObject:
    shape: JsonObject = {"entityOperation": {"entityId": "Customer", "operation": operation}}
    return {**shape, "inputFields": list(inputs), "outputFields": list(outputs)}


def own(action: str, outputs: Sequence[str] = ()) -> JsonObject:
    return {"connectionActionId": action, "outputFields": list(outputs)}


def built(system: MemoryConnections, *actions: JsonObject, **more: JsonValue) -> Tool:
    resource: JsonObject = {"name": "tools/t", "displayName": "Shop"}
    spec: JsonObject = {"name": CONNECTION, "actions": list(actions), **more}
    parts = ToolParts(PARTS.transport, PARTS.credentials, connections=system.access)
    return kind.build(resource, spec, parts)


@pytest.fixture
def system() -> MemoryConnections:
    filled = MemoryConnections()
    filled.fill("Ann", "Bob", "Cid")
    return filled


async def take(tool: Tool, name: str, context: ToolContext | None = None, /, **arguments: JsonValue) -> Outcome:
    (action,) = [each for each in tool.actions() if each.action == name]
    return await tool.invoke(Call("c", action, arguments), context or ToolContext("s", session="sessions/s"))


async def described(tool: Tool, context: ToolContext | None = None) -> Action:
    (action,) = await tool.described(context or ToolContext("s"))
    return action


async def output(tool: Tool, name: str, /, **arguments: JsonValue) -> JsonObject:
    outcome = await take(tool, name, **arguments)
    assert isinstance(outcome, Success), outcome
    return outcome.output


async def failed(tool: Tool, name: str, context: ToolContext | None = None, /, **arguments: JsonValue) -> Failure:
    outcome = await take(tool, name, context, **arguments)
    assert isinstance(outcome, Failure), outcome
    return outcome


@pytest.mark.proves("K3")
async def test_entities_are_created_listed_got_changed_and_deleted(system: MemoryConnections) -> None:
    tool = built(system, *(entity(verb, outputs=SHOWN) for verb in VERBS))
    assert await output(tool, "create_Customer", name="Dan", city="Ulm") == {
        "entity": {"id": 4, "name": "Dan", "city": "Ulm"},
        "entityId": "4",
    }
    assert await output(tool, "list_Customer", filter="name LIKE 'D%' OR id = 1") == {
        "entities": [{"id": 1, "name": "Ann", "city": "Bern"}, {"id": 4, "name": "Dan", "city": "Ulm"}]
    }
    assert (await output(tool, "get_Customer", entityId=4))["entity"] == {"id": 4, "name": "Dan", "city": "Ulm"}
    assert await output(tool, "update_Customer", filter="city = 'Bern'", city="Basel") == {
        "updated": 3,
        "entityIds": ["1", "2", "3"],
    }
    assert (await output(tool, "update_Customer", entityId="4", city="Köln"))["entity"] == {
        "id": 4,
        "name": "Dan",
        "city": "Köln",
    }
    assert await output(tool, "delete_Customer", filter="city = 'Basel' AND id > 1") == {
        "deleted": 2,
        "entityIds": ["2", "3"],
    }
    assert await output(tool, "delete_Customer", entityId="4") == {"deleted": 1, "entityIds": ["4"]}
    assert list(system.rows) == ["1"]


@pytest.mark.proves("K4")
async def test_actions_of_the_system_are_taken_and_queries_run(system: MemoryConnections) -> None:
    tool = built(system, own("Report"), own("ExecuteCustomQuery", outputs=["name"]))
    assert await output(tool, "Report", city="Bern") == {"results": [{"count": 3}]}
    given: JsonObject = {
        "query": "SELECT * FROM Customer WHERE id < ?",
        "queryParameters": [{"value": 3}],
        "maxRows": 2,
    }
    assert await output(tool, "ExecuteCustomQuery", **given) == {"results": [{"name": "Ann"}, {"name": "Bob"}]}
    (asked,) = system.opened[0].asked
    assert isinstance(asked, SqlQuery)
    assert (asked.text, asked.parameters[0].value, asked.most_rows) == (given["query"], 3, 2)
    assert "there is no parameter 'town'; there are: city" in (await failed(tool, "Report", town="x")).message


@pytest.mark.proves("K5")
async def test_chosen_fields_bound_what_is_set_asked_by_told_and_given_back(system: MemoryConnections) -> None:
    tool = built(
        system,
        entity("LIST", ["name"], SHOWN),
        entity("CREATE", ["name"], ["id"]),
        entity("UPDATE", ["city"], ["city"]),
    )
    listing, creation, update = await tool.described(ToolContext("s"))
    assert list(creation.input_schema["properties"]) == ["name"]
    assert list(update.input_schema["properties"]) == ["entityId", "filter", "city"]
    told = dumps([[each.input_schema, each.output_schema, each.description] for each in (listing, creation, update)])
    assert b"pin" not in told
    assert b"Columns: name (string)." in told
    assert (await failed(tool, "list_Customer", filter="pin = '0001'")).message == (
        "there is no column 'pin'; there are: name (at character 1 of the condition)"
    )
    assert "there is no column 'pin'; there are: name" in (await failed(tool, "list_Customer", sortBy=["pin"])).message
    told = (await failed(tool, "list_Customer", sortBy=["city"])).message
    assert told == "the column 'city' cannot be ordered by; these can be: name"
    assert (
        await failed(tool, "create_Customer", name="x", pin="1")
    ).message == "there is no field 'pin'; there are: name"
    assert await output(tool, "create_Customer", name="x") == {"entity": {"id": 4}, "entityId": "4"}
    await output(tool, "list_Customer")
    asked = [each for each in system.opened[0].asked if isinstance(each, EntityQuery)]
    assert asked[-1].fields == tuple(SHOWN)


async def test_no_error_of_the_system_names_a_hidden_field(system: MemoryConnections) -> None:
    tool = built(system, entity("CREATE", ["name"], ["id"]))
    system.fault = EntityConflict("pin: must not be empty (Customer.pin)")
    assert (await failed(tool, "create_Customer", name="x")).message == "…: must not be empty (Customer.…)"


async def test_the_model_is_told_what_conditions_may_name(system: MemoryConnections) -> None:
    action = await described(built(system, entity("LIST")))
    text = action.input_schema["properties"]["filter"]["description"]
    assert "a condition such as `name = 'x'`" in text
    assert "Columns: id (integer), name (string), city (string), level (gold | basic), pin (string)." in text
    assert action.description == "Lists entities of Customer, by a filter where one is given. People who buy."


async def test_what_is_needed_and_allowed_is_in_the_schema(system: MemoryConnections) -> None:
    action = await described(built(system, entity("CREATE")))
    assert action.input_schema == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "city": {"type": ["string", "null"]},
            "level": {"type": "string", "enum": ["gold", "basic"]},
            "pin": {"type": ["string", "null"]},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


async def test_a_tool_of_a_system_that_is_away_is_offered_as_far_as_it_is_known(system: MemoryConnections) -> None:
    tool = built(system, entity("GET"))
    del system.settings_by_name[CONNECTION]
    assert await tool.described(ToolContext("s")) == tool.actions()
    assert list(tool.actions()[0].input_schema["properties"]) == ["entityId"]


async def test_pages_follow_each_other(system: MemoryConnections) -> None:
    tool = built(system, entity("LIST", outputs=["id"]))
    first = await output(tool, "list_Customer", pageSize=2)
    assert first["entities"] == [{"id": 1}, {"id": 2}]
    assert await output(tool, "list_Customer", pageSize=2, pageToken=first["nextPageToken"]) == {
        "entities": [{"id": 3}]
    }
    assert (
        "is not the nextPageToken of an earlier answer"
        in (await failed(tool, "list_Customer", pageToken="made up")).message
    )


async def test_what_does_not_fit_into_an_answer_comes_with_the_next(system: MemoryConnections) -> None:
    system.fill(*(f"{number} {'x' * 8_000}" for number in range(10)))
    tool = built(system, entity("LIST", outputs=["id", "name"]))
    seen: list[JsonValue] = []
    token = ""
    while True:
        outcome = await take(tool, "list_Customer", pageSize=8, pageToken=token)
        assert isinstance(outcome, Success)
        assert len(dumps(outcome.output)) < REPLY_BYTES + 200
        seen += [each["id"] for each in outcome.output["entities"]]
        token = outcome.output.get("nextPageToken", "")
        if not token:
            break
        assert outcome.note == ("5 more of this page come with nextPageToken" if len(seen) == 3 else outcome.note)
    assert seen == list(range(1, 11))


async def test_one_entity_that_is_too_large_is_shortened_and_said_to_be(system: MemoryConnections) -> None:
    system.fill("y" * 50_000)
    outcome = await take(built(system, entity("GET", outputs=["name"])), "get_Customer", entityId="1")
    assert isinstance(outcome, Success)
    assert outcome.output["entity"]["name"] == "y" * 200 + "… (50,000 characters)"
    assert outcome.note == "long values were shortened"


@pytest.mark.parametrize("verb", ["UPDATE", "DELETE"])
@pytest.mark.parametrize("condition", [{}, {"filter": "  "}])
async def test_nothing_is_written_without_a_condition(
    system: MemoryConnections, verb: str, condition: JsonObject
) -> None:
    tool = built(system, entity(verb))
    values: JsonObject = {"city": "x"} if verb == "UPDATE" else {}
    refused = await failed(tool, f"{verb.lower()}_Customer", **condition, **values)
    assert refused.message == "entityId or filter is needed: not all entities are written at once"
    assert len(system.rows) == 3


async def test_a_write_leaves_a_line_without_values(
    system: MemoryConnections, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "openplaybook.audit"):
        context = ToolContext("s", session="sessions/s", playbook="Desk")
        await take(built(system, entity("UPDATE")), "update_Customer", context, filter="id < 3", city="Secretville")
    (line,) = caplog.records
    told = [line.__dict__[name] for name in ("connection", "session", "caller", "operation", "rows")]
    assert told == [CONNECTION, "sessions/s", "Desk", "update_Customer", 2]
    assert "Secretville" not in str(line.__dict__)


async def test_a_write_without_an_answer_leaves_a_line(
    system: MemoryConnections, caplog: pytest.LogCaptureFixture
) -> None:
    system.fault = WriteInDoubt("no answer came")
    with caplog.at_level(logging.INFO, "openplaybook.audit"):
        await take(built(system, entity("UPDATE")), "update_Customer", entityId="1", city="Secretville")
    (line,) = caplog.records
    assert (line.getMessage(), line.__dict__["operation"]) == ("connection write in doubt", "update_Customer")


async def test_a_rehearsal_tells_what_would_be_sent_and_sends_nothing(system: MemoryConnections) -> None:
    tool = built(system, entity("DELETE"))
    context = ToolContext("s")
    assert await tool.rehearse(Call("c", tool.actions()[0], {"entityId": "1"}), context) is None
    assert [each.request_body for each in context.exchanges] == ["get 1"]
    assert len(system.rows) == 3
    refused = await tool.rehearse(Call("c", tool.actions()[0], {}), context)
    assert refused == Failure(
        "FAILED_PRECONDITION", "entityId or filter is needed: not all entities are written at once"
    )


@pytest.mark.parametrize(
    ("verb", "arguments", "known"),
    [
        ("LIST", {"city": "Ulm"}, "filter, pageSize, pageToken, sortBy"),
        ("GET", {"entityId": "1", "filter": "id = 1"}, "entityId"),
        ("DELETE", {"filter": "id = 1", "city": "Ulm"}, "entityId, filter"),
    ],
)
async def test_an_argument_that_an_operation_does_not_have_is_not_passed_over(
    system: MemoryConnections, verb: str, arguments: JsonObject, known: str
) -> None:
    refused = await failed(built(system, entity(verb)), f"{verb.lower()}_Customer", **arguments)
    assert refused.message.startswith("there is no argument '")
    assert refused.message.endswith(f"; there are: {known}")
    assert len(system.rows) == 3


async def test_arguments_may_be_null_and_spelled_as_on_googles_other_surfaces(system: MemoryConnections) -> None:
    tool = built(system, entity("LIST", outputs=["id"]), entity("GET", outputs=["id"]))
    listed = await output(tool, "list_Customer", conditions="id > 1", page_size=1, city=None)
    assert listed["entities"] == [{"id": 2}]
    assert (await output(tool, "get_Customer", entity_id="3"))["entity"] == {"id": 3}


async def test_an_authors_description_of_an_action_stays(system: MemoryConnections) -> None:
    resource: JsonObject = {"name": "tools/t", "displayName": "Report", "description": "Counts our customers."}
    spec: JsonObject = {"name": CONNECTION, "actions": [own("Report"), own("ExecuteCustomQuery")]}
    parts = ToolParts(PARTS.transport, PARTS.credentials, connections=system.access)
    report, query = await kind.build(resource, spec, parts).described(ToolContext("s"))
    assert (report.description, query.description) == ("Counts our customers.", "Runs SQL.")


async def test_secrets_of_the_session_are_in_no_exchange_and_no_error(system: MemoryConnections) -> None:
    tool = built(system, entity("CREATE"))
    context = ToolContext("s", secrets=("hush-4711", "cu"))
    system.fault = EntityConflict("there is a customer hush-4711")
    refused = await failed(tool, "create_Customer", context, name="hush-4711")
    assert refused.message == "there is a customer [redacted]"
    assert len(context.exchanges) == 1
    assert "hush" not in context.exchanges[0].request_body


async def test_a_fake_answers_in_place_of_the_system(system: MemoryConnections) -> None:
    answer: JsonObject = {"entity": {"name": "Fay"}}
    executor = PlayedExecutor([ran(files=[CodeFile("!result.json", dumps({"result": answer, "state": {}}))])])
    fake = {"codeBlock": {"pythonCode": "def fake_tool_call(tool, input, callback_context): ..."}}
    spec: JsonObject = {"name": CONNECTION, "actions": [entity("GET", outputs=["name"])]}
    resource: JsonObject = {"name": "tools/t", "displayName": "Shop", "connectorSpec": spec, "toolFakeConfig": fake}
    tool = Toolbox(PARTS.transport, executor=executor, connections=system.access).build(resource)
    assert (await described(tool)).description.endswith("People who buy.")
    call = Call("c", tool.actions()[0], {"entityId": "1"})
    assert await tool.invoke(call, ToolContext("s", use_fakes=True)) == Success(answer)
    outcome = await tool.invoke(call, ToolContext("s"))
    assert isinstance(outcome, Success)
    assert outcome.output["entity"] == {"name": "Ann"}


async def test_an_unknown_connection_is_named(system: MemoryConnections) -> None:
    tool = built(system, entity("GET"))
    del system.settings_by_name[CONNECTION]
    refused = await failed(tool, "get_Customer", entityId="1")
    assert refused.code == "NO_SUCH_CONNECTION"
    assert refused.message.startswith(f"there is no connection {CONNECTION} on this server")


async def test_faults_keep_their_code_and_a_lost_write_is_in_doubt(system: MemoryConnections) -> None:
    tool = built(system, entity("GET"), entity("DELETE"))
    system.fault = SystemUnavailable("the database does not answer")
    assert await failed(tool, "get_Customer", entityId="1") == Failure("UNAVAILABLE", "the database does not answer")
    system.opened[0].fault = WriteInDoubt("the connection was lost")
    assert await take(tool, "delete_Customer", entityId="1") == InDoubt("the connection was lost")


TOKEN: JsonObject = {"endUserAuthConfig": {"oauth2AuthCodeConfig": {"oauthToken": "$session.params.token"}}}


@pytest.fixture
def open_to_users() -> MemoryConnections:
    admin = UserPassword("admin", "secret")
    system = MemoryConnections(ConnectionSettings(CONNECTION, "memory", authentication=admin, allows_override=True))
    system.fill("Ann")
    return system


@pytest.mark.proves("K6")
async def test_the_users_credential_is_the_one_that_is_used_also_to_describe(open_to_users: MemoryConnections) -> None:
    tool = built(open_to_users, entity("GET"), **TOKEN)
    for user in ("ann", "bob", "ann"):
        context = ToolContext("s", parameters={"token": user})
        await tool.described(context)
        assert isinstance(await take(tool, "get_Customer", context, entityId="1"), Success)
    assert [each.settings.authentication for each in open_to_users.opened] == [AccessToken("ann"), AccessToken("bob")]


async def test_one_user_without_a_credential_does_not_take_the_descriptions_from_another(
    open_to_users: MemoryConnections,
) -> None:
    tool = built(open_to_users, entity("GET", outputs=["id"]), **TOKEN)
    assert await tool.described(ToolContext("s")) == tool.actions()
    [action] = await tool.described(ToolContext("t", parameters={"token": "ann"}))
    assert action.description.endswith("People who buy.")


async def test_a_users_credential_works_where_the_connection_has_none(open_to_users: MemoryConnections) -> None:
    open_to_users.own_credential_fault = CredentialAbsent("no user has consented")
    context = ToolContext("s", parameters={"token": "ann"})
    assert isinstance(
        await take(built(open_to_users, entity("GET"), **TOKEN), "get_Customer", context, entityId="1"), Success
    )
    assert await failed(built(open_to_users, entity("GET")), "get_Customer", context, entityId="1") == Failure(
        "UNAUTHENTICATED", "no user has consented"
    )


async def test_without_the_parameter_no_call_is_made(open_to_users: MemoryConnections) -> None:
    tool = built(open_to_users, entity("GET"), **TOKEN)
    refused = await failed(tool, "get_Customer", entityId="1")
    assert refused.code == "UNAUTHENTICATED"
    assert "the session parameter token contains no token" in refused.message
    assert await tool.described(ToolContext("s")) == tool.actions()
    assert open_to_users.opened == []


async def test_a_user_and_a_password_may_come_from_the_session(open_to_users: MemoryConnections) -> None:
    form: JsonObject = {"userPasswordConfig": {"username": "$session.params.user", "password": "$session.params.word"}}
    tool = built(open_to_users, entity("GET"), endUserAuthConfig=form)
    await take(tool, "get_Customer", ToolContext("s", parameters={"user": "u", "word": "w"}), entityId="1")
    assert open_to_users.opened[0].settings.authentication == UserPassword("u", "w")


async def test_a_connection_that_takes_no_other_credential_is_not_called(system: MemoryConnections) -> None:
    tool = built(system, entity("GET"), **TOKEN)
    refused = await failed(tool, "get_Customer", ToolContext("s", parameters={"token": "t"}), entityId="1")
    assert refused.message == (
        f"the connection {CONNECTION} takes no credential of end users: authOverrideEnabled is not set"
    )
    assert system.opened == []
