"""What happened in a turn, as the last output of it tells."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import Store
from openplaybook.tools.base import Failure
from tests.integration.services.ces.app_server import (
    SetUp,
    app_path,
    plain,
    serving,
)
from tests.kit.agents import calls, says
from tests.kit.apps import AppDraft, declares, tool_name


async def test_what_happened_stands_in_the_last_output(set_up: SetUp) -> None:
    server = await set_up(calls(("add", {"a": 2})), says("4"), variableDeclarations=declares(name=None, total=None))
    [answered] = await server.run({"variables": {"name": "Ann"}}, {"text": "2 + 2?"})
    messages = answered["diagnosticInfo"]["messages"]
    assert all("eventTime" in message for message in messages)
    id = messages[2]["chunks"][0]["toolCall"]["id"]
    identity = {"id": id, "tool": tool_name("add"), "displayName": "add"}
    assert [(each["role"], *each["chunks"]) for each in messages] == [
        ("user", {"updatedVariables": {"name": "Ann"}}),
        ("user", {"text": "2 + 2?"}),
        ("root", {"toolCall": {**identity, "args": {"a": 2}}}),
        ("root", {"toolResponse": {**identity, "response": {"sum": 4}}}),
        ("root", {"updatedVariables": {"total": 4}}),
        ("root", {"text": "4"}),
    ]
    root = answered["diagnosticInfo"]["rootSpan"]
    assert (root["name"], root["attributes"]["agent"], root["attributes"]["turn index"]) == ("Turn", "root", 1)
    spans = root["childSpans"]
    assert [(span["name"], span["attributes"]["agent"]) for span in spans] == [
        ("LLM", "root"),
        ("Tool", "root"),
        ("LLM", "root"),
    ]
    assert spans[1]["attributes"] == {
        "agent": "root",
        "name": "add",
        "id": id,
        "args": {"a": 2},
        "response": {"sum": 4},
    }
    assert spans[0]["attributes"]["model"] == "played"
    assert all({"startTime", "endTime", "duration"} <= set(span) for span in (root, *spans))


async def test_a_tool_that_fails_is_shown_with_its_error(store: Store) -> None:
    made = AppDraft()
    made.agent("root", tools=[tool_name("broken")])
    made.tool("broken", answer=lambda call, context: Failure("TIMEOUT", "It took too long.", {"504": {"a": 1}}))
    server = await serving(store, made, calls(("broken", {})), says("Sorry."))
    [answered] = await server.run({"text": "go"})
    told = answered["diagnosticInfo"]["messages"][2]["chunks"][0]["toolResponse"]["response"]
    assert told == {"error": "TIMEOUT: It took too long.", "output": {"a": 1}}


async def test_a_transfer_is_told_and_the_other_agent_goes_on(set_up: SetUp) -> None:
    server = await set_up(calls(("billing", {})), says("Bills here."), says("Yes?"))
    [answered] = await server.run({"text": "my bill"})
    assert plain(answered)["text"] == "Bills here."
    transfers = [
        (message["role"], chunk["agentTransfer"])
        for message in answered["diagnosticInfo"]["messages"]
        for chunk in message["chunks"]
        if "agentTransfer" in chunk
    ]
    assert transfers == [("root", {"targetAgent": app_path("agents/billing"), "displayName": "billing"})]
    [later] = await server.run({"text": "well"})
    assert later["diagnosticInfo"]["messages"][-1]["role"] == "billing"


async def test_an_agent_called_as_a_tool_is_shown_as_a_tool(store: Store) -> None:
    made = AppDraft()
    made.agent("root", tools=[tool_name("expert")])
    made.agent_tool("expert", made.agent("sage"))
    asked = calls(("expert", {"request": "Why?"}))
    server = await serving(store, made, asked, says("Because."), says("It says: because."))
    [answered] = await server.run({"text": "why?"})
    messages = answered["diagnosticInfo"]["messages"]
    id = messages[1]["chunks"][0]["toolCall"]["id"]
    identity = {"id": id, "tool": tool_name("expert"), "displayName": "expert"}
    shown = [(each["role"], *each["chunks"]) for each in messages]
    assert shown == [
        ("user", {"text": "why?"}),
        ("root", {"toolCall": {**identity, "args": {"request": "Why?"}}}),
        ("root", {"toolResponse": {**identity, "response": {"result": "Because."}}}),
        ("root", {"text": "It says: because."}),
    ]
    [agent] = [each for each in answered["diagnosticInfo"]["rootSpan"]["childSpans"] if each["name"] == "Agent"]
    assert agent["attributes"] == {"agent": "sage", "args": {"request": "Why?"}, "response": {"result": "Because."}}
    assert [each["name"] for each in agent["childSpans"]] == ["LLM"]


async def test_a_guardrail_that_held_words_back_is_a_span_without_them(store: Store) -> None:
    made = AppDraft()
    made.agent("root")
    answer: JsonObject = {"respondImmediately": {"responses": [{"text": "Let us stay polite."}]}}
    made.guardrail("polite", answer, bannedContents=["blockhead"])
    server = await serving(store, made)
    [answered] = await server.run({"text": "You blockhead!"})
    assert plain(answered)["text"] == "Let us stay polite."
    [span] = [each for each in answered["diagnosticInfo"]["rootSpan"]["childSpans"] if each["name"] == "Guardrail"]
    assert {name: span["attributes"][name] for name in ("agent", "name", "type")} == {
        "agent": "root",
        "name": "polite",
        "type": "ContentFilter",
    }
    assert "blockhead" not in str(span)
