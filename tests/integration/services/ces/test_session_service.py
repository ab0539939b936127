"""RunSession: what goes in, and what comes out, as CX Agent Studio prints it."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import Store
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import ASKED, SetUp, app_path, plain, refusal_of, serving
from tests.kit.agents import calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, declares, tool_name


@pytest.mark.parametrize("version", ["v1", "v1beta"])
async def test_words_are_answered_with_words(set_up: SetUp, version: str) -> None:
    server = await set_up(says("Hello."), says("Bye."))
    [first] = await server.run({"text": "hi"}, version=version)
    [second] = await server.run({"text": "bye"}, version=version)
    assert plain(first) == {"text": "Hello.", "turnIndex": 1, "turnCompleted": True}
    assert plain(second) == {"text": "Bye.", "turnIndex": 2, "turnCompleted": True}


async def test_words_before_a_call_come_first_in_an_output_of_their_own(set_up: SetUp) -> None:
    server = await set_up(calls(ASKED, text="One moment."))
    said, asked = await server.say("Where?")
    assert said == {"text": "One moment.", "turnIndex": 1}
    assert (set(asked), asked["turnCompleted"]) == ({"toolCalls", "turnIndex", "turnCompleted"}, True)


async def test_variables_come_with_the_words_or_by_themselves(set_up: SetUp) -> None:
    server = await set_up(says("Hello."), says("Again."), variableDeclarations=declares(name=None, total=0))
    assert [plain(one) for one in await server.run({"variables": {"name": "Ann"}})] == [
        {"turnIndex": 1, "turnCompleted": True}
    ]
    assert server.model.asked == []
    await server.run({"variables": {"total": 2}}, {"text": "hi"})
    assert server.model.asked[0].parameters == {"name": "Ann", "total": 2}
    await server.run({"text": "hi"}, {"variables": {"undeclared": 1}})
    assert server.model.asked[1].parameters == {"name": "Ann", "total": 2}


@pytest.mark.parametrize("given", [{"event": {"event": "WELCOME"}}, {"text": "<event>WELCOME</event>"}])
async def test_an_event_is_heard_in_the_words_by_which_agents_know_it(set_up: SetUp, given: JsonObject) -> None:
    server = await set_up(says("Welcome!"))
    [answered] = await server.run(given)
    assert plain(answered)["text"] == "Welcome!"
    assert getattr(server.model.asked[0].conversation[-1], "text", "") == "<event>WELCOME</event>"


async def test_a_file_goes_in_with_the_words(set_up: SetUp) -> None:
    server = await set_up(says("A picture."))
    await server.run({"blob": {"mimeType": "text/csv", "data": "YSxiCg=="}}, {"text": "What is this?"})
    assert server.model.asked[0].files == ("blob-1.csv",)


async def test_the_end_is_said_with_what_it_was_ended_with_and_holds(set_up: SetUp) -> None:
    ended = {"reason": "solved", "session_escalated": False}
    server = await set_up(calls(("end_session", ended), text="Goodbye."))
    said, end = await server.say("bye")
    assert said == {"text": "Goodbye.", "turnIndex": 1}
    assert end == {"endSession": {"metadata": ended}, "turnIndex": 1, "turnCompleted": True}
    assert (await server.refusal({"text": "Still there?"}))[0] is Code.FAILED_PRECONDITION


async def test_an_escalation_says_so(set_up: SetUp) -> None:
    ended = {"reason": "angry", "session_escalated": True, "params": {"queue": "vip"}}
    server = await set_up(calls(("end_session", ended)))
    assert await server.say("A human!") == [{"endSession": {"metadata": ended}, "turnIndex": 1, "turnCompleted": True}]


async def test_an_entry_agent_takes_the_first_words(set_up: SetUp) -> None:
    server = await set_up(says("Bills here."), says("Still bills."))
    await server.say("hi", entryAgent=app_path("agents/billing"))
    await server.say("hi again")
    assert [turn.playbook for turn in server.model.asked] == ["billing", "billing"]
    missing = await server.refusal({"text": "hi"}, session=app_path("sessions/t"), entryAgent=app_path("agents/no"))
    assert missing[0] is Code.NOT_FOUND


async def test_a_history_is_gone_on_from(set_up: SetUp) -> None:
    server = await set_up(says("Old."), says("As I said."), variableDeclarations=declares(name=None))
    await server.say("What was said here is set aside.")
    past = [
        {"role": "user", "chunks": [{"updatedVariables": {"name": "Ann"}}, {"text": "My bill?"}]},
        {"role": "root", "chunks": [{"toolCall": {"displayName": "add", "args": {"a": 1}}}]},
        {"role": "root", "chunks": [{"toolResponse": {"displayName": "add", "response": {"output": {"sum": 1}}}}]},
        {"role": "root", "chunks": [{"agentTransfer": {"targetAgent": app_path("agents/billing")}}]},
        {"role": "billing", "chunks": [{"text": "It is 1 Euro."}]},
    ]
    await server.say("Pardon?", historicalContexts=past)
    asked = server.model.asked[-1]
    assert (asked.playbook, asked.parameters) == ("billing", {"name": "Ann"})
    heard = [*asked.preceding_conversation, *asked.conversation]
    assert [getattr(each, "text", "") for each in heard if hasattr(each, "text")] == [
        "My bill?",
        "It is 1 Euro.",
        "Pardon?",
    ]


async def test_the_agent_that_spoke_last_in_a_history_goes_on(set_up: SetUp) -> None:
    server = await set_up(says("Still bills."))
    past = [
        {"role": "user", "chunks": [{"text": "My bill?"}]},
        {"role": "billing", "chunks": [{"text": "What of it?"}]},
    ]
    await server.say("All of it.", historicalContexts=past)
    assert server.model.asked[0].playbook == "billing"


async def test_fakes_are_asked_for_by_the_config(store: Store) -> None:
    made = AppDraft()
    made.agent("root", tools=[tool_name("add")])
    add = made.tool("add")
    server = await serving(store, made, calls(("add", {})), says("ok"), calls(("add", {})), says("ok"))
    await server.say("one", useToolFakes=True)
    await server.say("two")
    assert [context.use_fakes for context in add.contexts] == [True, False]


async def test_the_payload_and_what_is_known_of_the_user_reach_tools_and_agents(set_up: SetUp) -> None:
    server = await set_up(says("Good evening."))
    remote = {"payload": {"k": "v"}, "endUserMetadata": {"tier": "gold"}}
    await server.run({"text": "hi"}, timeZone="Europe/Berlin", remoteDialogflowQueryParameters=remote)
    assert server.model.asked[0].end_user_metadata == {"tier": "gold", "time_zone": "Europe/Berlin"}


async def test_what_is_not_heeded_of_a_config_is_warned_of(set_up: SetUp) -> None:
    server = await set_up(says("Hello."))
    audio: JsonObject = {"audioEncoding": "LINEAR16", "sampleRateHertz": 16000}
    headers: JsonObject = {"webhookHeaders": {"a": "b"}}
    await server.say("hi", outputAudioConfig=audio, remoteDialogflowQueryParameters=headers)
    assert server.warnings == [
        "config.output_audio_config: this server has no speech output; outputs are text.",
        "config.remote_dialogflow_query_parameters.webhook_headers: this server calls no webhooks.",
    ]


@pytest.mark.parametrize(
    ("inputs", "config", "code", "sentence"),
    [
        ([], {}, Code.INVALID_ARGUMENT, "inputs: is required"),
        ([{}], {}, Code.INVALID_ARGUMENT, "inputs[0]: is empty"),
        ([{"text": " "}], {}, Code.INVALID_ARGUMENT, "inputs[0].text: is empty"),
        ([{"event": {}}], {}, Code.INVALID_ARGUMENT, "inputs[0].event.event: is required"),
        ([{"audio": "AA=="}], {}, Code.UNIMPLEMENTED, "inputs[0]: input as audio is not served yet"),
        ([{"dtmf": "1#"}], {}, Code.UNIMPLEMENTED, "inputs[0]: input as DTMF digits is not served yet"),
        (
            [{"text": "hi"}, {"event": {"event": "e"}}],
            {},
            Code.INVALID_ARGUMENT,
            "inputs: text and event cannot be in one request",
        ),
        ([{"image": {"mimeType": "image/png", "data": "AA=="}}], {}, Code.INVALID_ARGUMENT, "inputs: a file requires"),
        ([{"toolResponses": {}}], {}, Code.INVALID_ARGUMENT, "inputs[0].tool_responses.tool_responses: is required"),
        (
            [{"toolResponses": {"toolResponses": [{"response": {}}]}}],
            {},
            Code.INVALID_ARGUMENT,
            "inputs[0].tool_responses.tool_responses[0].id: is required",
        ),
        (
            [{"toolResponses": {"toolResponses": [{"id": "x"}]}}],
            {},
            Code.INVALID_ARGUMENT,
            "inputs[0].tool_responses.tool_responses[0].response: is required",
        ),
        ([{"text": "hi"}], {"session": ""}, Code.INVALID_ARGUMENT, "config.session: is required"),
        ([{"text": "hi"}], {"session": "sessions/s"}, Code.INVALID_ARGUMENT, "config.session: "),
        (
            [{"text": "hi"}],
            {"session": f"{APP}/sessions/tool-executions"},
            Code.INVALID_ARGUMENT,
            "config.session: 'tool-executions' is reserved",
        ),
        ([{"text": "hi"}], {"session": f"{APP}x/sessions/s"}, Code.NOT_FOUND, ""),
        (
            [{"text": "hi"}],
            {"entryAgent": "projects/p/locations/global/apps/b/agents/x"},
            Code.INVALID_ARGUMENT,
            "config.entry_agent: ",
        ),
        ([{"text": "hi"}], {"deployment": f"{APP}/deployments/no"}, Code.NOT_FOUND, "Deployment "),
        ([{"text": "hi"}], {"timeZone": "no zone"}, Code.INVALID_ARGUMENT, "config.time_zone: 'no zone'"),
        ([{"text": "x" * 1_100_000}], {}, Code.INVALID_ARGUMENT, "The request is larger than"),
    ],
)
async def test_what_cannot_be_taken_is_refused_with_its_place(
    set_up: SetUp, inputs: list[JsonObject], config: JsonObject, code: Code, sentence: str
) -> None:
    server = await set_up()
    found, told = await server.refusal(*inputs, **config)
    assert (found, told[: len(sentence)]) == (code, sentence)


async def test_a_request_that_comes_twice_is_answered_once(set_up: SetUp, store: Store) -> None:
    server = await set_up(calls(("end_session", {"reason": "done"}), text="Bye."))
    request: JsonObject = {"config": {"session": APP_SESSION}, "inputs": [{"text": "bye"}]}
    first = await server("SessionService.RunSession", request, is_delivered=False)
    assert await server("SessionService.RunSession", request) == first
    assert await refusal_of(server("SessionService.RunSession", request)) == (
        Code.FAILED_PRECONDITION,
        "Session s has ended and accepts no more input.",
    )
