"""Which fields of an app's resources name others, and how they are made to stop."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import APP_AGENTS, APP_TOOLS, APP_TOOLSETS, APP_VERSIONS
from openplaybook.services.ces.app_references import AppReference, detach, references_of
from openplaybook.services.resource_kinds import CES
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import ApiMessage

API = load_api()
APP = "projects/p/locations/l/apps/a"
GONE, KEPT = f"{APP}/agents/gone", f"{APP}/agents/kept"


def message(kind: str, value: JsonObject) -> ApiMessage:
    return API.codec.from_json(value, API.message(CES + kind)())


def rule(child: str) -> JsonObject:
    return {"childAgent": child, "direction": "PARENT_TO_CHILD"}


def test_every_reference_is_found_with_its_path() -> None:
    agent = message(
        "Agent",
        {
            "tools": ["t", "end_session"],
            "toolsets": [{"toolset": "s", "toolIds": ["x"]}],
            "transferRules": [rule(KEPT)],
        },
    )
    assert references_of(agent) == [
        AppReference("tools[0]", "t", APP_TOOLS),
        AppReference("tools[1]", "end_session", APP_TOOLS),
        AppReference("toolsets[0].toolset", "s", APP_TOOLSETS),
        AppReference("transfer_rules[0].child_agent", KEPT, APP_AGENTS),
    ]


def test_examples_name_what_they_call_and_where_they_go() -> None:
    calls = [
        {"text": "Hi"},
        {"toolCall": {"tool": "t"}},
        {"toolResponse": {"toolsetTool": {"toolset": "s", "toolId": "x"}}},
        {"agentTransfer": {"targetAgent": KEPT}},
    ]
    example = message("Example", {"entryAgent": GONE, "messages": [{"chunks": calls[:2]}, {"chunks": calls[2:]}]})
    assert references_of(example) == [
        AppReference("entry_agent", GONE, APP_AGENTS),
        AppReference("messages[0].chunks[1].tool_call.tool", "t", APP_TOOLS),
        AppReference("messages[1].chunks[0].tool_response.toolset_tool.toolset", "s", APP_TOOLSETS),
        AppReference("messages[1].chunks[1].agent_transfer.target_agent", KEPT, APP_AGENTS),
    ]


def test_empty_fields_and_kinds_without_references_name_nothing() -> None:
    assert [references_of(message(kind, {})) for kind in ("App", "Agent", "Toolset", "Deployment")] == [[]] * 4


def test_system_tools_and_the_app_as_it_stands_are_stored_nowhere() -> None:
    names = {
        "end_session": APP_TOOLS,
        f"{APP}/tools/transfer_to_agent": APP_TOOLS,
        f"{APP}/tools/weather": APP_TOOLS,
        f"{APP}/versions/-": APP_VERSIONS,
        f"{APP}/versions/1": APP_VERSIONS,
        "versions/-": APP_VERSIONS,
    }
    needless = [name for name, to in names.items() if AppReference("f", name, to).needs_no_record]
    assert needless == ["end_session", f"{APP}/tools/transfer_to_agent", f"{APP}/versions/-"]


def test_what_is_detached_goes_from_lists_and_fields_and_nothing_else_does() -> None:
    agent = message("Agent", {"childAgents": [GONE, KEPT], "transferRules": [rule(GONE), rule(KEPT)]})
    detach(agent, GONE)
    assert agent == message("Agent", {"childAgents": [KEPT], "transferRules": [rule(KEPT)]})
    app = message("App", {"rootAgent": GONE, "displayName": GONE})
    detach(app, GONE)
    assert app == message("App", {"displayName": GONE})
    guardrail = message("Guardrail", {"action": {"transferAgent": {"agent": GONE}}})
    detach(guardrail, GONE)
    assert guardrail == message("Guardrail", {"action": {"transferAgent": {}}})


def test_an_example_is_told_invalid_and_left_as_it_is() -> None:
    example = message("Example", {"entryAgent": GONE})
    detach(example, GONE)
    assert example == message("Example", {"entryAgent": GONE, "invalid": True})
