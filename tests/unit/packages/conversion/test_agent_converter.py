from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.ces.app_writer import write_app
from openplaybook.packages.conversion.agent_converter import convert_agent
from openplaybook.packages.errors import NotAPackage
from openplaybook.packages.report import NoteKind
from tests.unit.packages.conversion.building import AGENT, APP, agent, converted, playbook, told, tool

FUNCTION = {"functionSpec": {"inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}}


def test_a_playbook_becomes_an_agent_with_goal_steps_and_tools() -> None:
    app = converted(
        playbook("Weather Desk", "Ask for the city.\nWait.", "Use ${TOOL: get weather} for $session.params.city."),
        tools=(tool("get weather", **FUNCTION),),
        defaultLanguageCode="en",
        supportedLanguageCodes=["de"],
        timeZone="Europe/Paris",
        description="Tells.",
    )
    assert app.app == {
        "name": APP,
        "displayName": "A",
        "description": "Tells.",
        "languageSettings": {"defaultLanguageCode": "en", "supportedLanguageCodes": ["de"]},
        "timeZoneSettings": {"timeZone": "Europe/Paris"},
        "rootAgent": f"{APP}/agents/Weather_Desk",
        "variableDeclarations": [{"name": "city", "description": "", "schema": {"type": "STRING"}}],
    }
    assert app.agents == (
        {
            "name": f"{APP}/agents/Weather_Desk",
            "displayName": "Weather Desk",
            "instruction": ("Be Weather Desk.\n\n- Ask for the city.\n  Wait.\n- Use {@TOOL: get_weather} for {city}."),
            "description": "Be Weather Desk.",
            "tools": [f"{APP}/tools/get_weather", "end_session"],
        },
    )
    assert app.tools == (
        {
            "name": f"{APP}/tools/get_weather",
            "displayName": "get_weather",
            "clientFunction": {
                "name": "get_weather",
                "description": "The get weather.",
                "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
            },
        },
    )


def test_playbooks_that_are_named_become_children_and_tasks_hand_back() -> None:
    app, report = convert_agent(
        agent(
            playbook("Main", "Call ${PLAYBOOK: Task} or ${AGENT: Routine}.", playbookType="ROUTINE"),
            playbook("Task"),
            playbook("Routine", playbookType="ROUTINE"),
            playbook("Lost"),
        )
    )
    main, task, routine, lost = app.agents
    assert main["childAgents"] == [task["name"], routine["name"]]
    assert main["instruction"].endswith("- Call {@AGENT: Task} or {@AGENT: Routine}.")
    assert task["instruction"] == "Be Task.\n\nWhen all of this is done, hand over to {@AGENT: Main}."
    assert routine["instruction"] == "Be Routine."
    assert "childAgents" not in lost
    assert told(report, NoteKind.CHANGED) == [
        ("playbooks/Lost", "nothing leads to it from the root agent; nobody can reach it"),
        ("playbooks/Task", "gave its result back to 'Main'; now it is handed the conversation, and hands it back"),
    ]


def test_a_playbook_that_is_called_from_afar_is_a_tool_there() -> None:
    app = converted(
        playbook("Main", "${PLAYBOOK: A} ${PLAYBOOK: B}"),
        playbook("A", "${PLAYBOOK: Shared}"),
        playbook("B", "${PLAYBOOK: Shared}, ${PLAYBOOK: A}, ${PLAYBOOK: Main}"),
        playbook("Shared"),
    )
    shared = f"{APP}/agents/Shared"
    assert app.agents[1]["childAgents"] == [shared]
    assert app.agents[2]["tools"] == [f"{APP}/tools/ask_Shared", "end_session"]
    assert "childAgents" not in app.agents[2]
    assert app.tools == (
        {
            "name": f"{APP}/tools/ask_Shared",
            "displayName": "ask_Shared",
            "agentTool": {"name": "ask_Shared", "description": "Be Shared.", "agent": shared},
        },
    )


def test_inputs_are_variables_and_what_is_yet_to_be_found_stays_text() -> None:
    definition = {"name": "user", "description": "Who.", "typeSchema": {"inlineSchema": {"type": "STRING"}}}
    count = {"name": "count", "typeSchema": {"inlineSchema": {"type": "ARRAY", "items": {"type": "NUMBER"}}}}
    app = converted(
        playbook(
            "P",
            "Greet $user, ask for $count, pay $5.",
            inputParameterDefinitions=[definition],
            outputParameterDefinitions=[count],
        )
    )
    assert app.agents[0]["instruction"].endswith("- Greet {user}, ask for $count, pay $5.")
    assert app.app["variableDeclarations"] == [
        {"name": "user", "description": "Who.", "schema": {"type": "STRING"}},
        {"name": "count", "description": "", "schema": {"type": "ARRAY", "items": {"type": "NUMBER"}}},
    ]


def test_names_that_no_variable_can_have_are_changed_wherever_they_stand() -> None:
    definition = {"name": "last-four", "typeSchema": {"inlineSchema": {"type": "STRING"}}}
    example = {
        "name": f"{AGENT}/playbooks/P/examples/e",
        "displayName": "e",
        "playbookInput": {"actionParameters": {"last-four": "1234"}},
    }
    text = "Check $last-four and $session.params.zip-code."
    app, report = convert_agent(agent(playbook("P", text, examples=(example,), inputParameterDefinitions=[definition])))
    assert app.agents[0]["instruction"].endswith("- Check {last_four} and {zip_code}.")
    assert [each["name"] for each in app.app["variableDeclarations"]] == ["last_four", "zip_code"]
    assert app.examples[0]["messages"][0]["chunks"] == [{"updatedVariables": {"last_four": "1234"}}]
    assert told(report, NoteKind.CHANGED) == [("playbooks/P", "the parameter last-four is the variable last_four now")]


def test_parameters_of_one_name_and_several_types_are_one_variable_and_that_is_told() -> None:
    text, number = ({"name": "n", "typeSchema": {"inlineSchema": {"type": kind}}} for kind in ("STRING", "NUMBER"))
    one = playbook("One", "Ask ${PLAYBOOK: Two}.", inputParameterDefinitions=[text])
    app, report = convert_agent(agent(one, playbook("Two", "Help.", inputParameterDefinitions=[number])))
    assert app.app["variableDeclarations"] == [{"name": "n", "description": "", "schema": {"type": "STRING"}}]
    changed = [each for each in told(report, NoteKind.CHANGED) if "parameter" in each[1]]
    assert changed == [
        ("playbooks/Two", "the parameter n is of another type elsewhere; there is one variable for both")
    ]


def test_references_by_id_mean_the_same() -> None:
    app = converted(
        playbook("Main", "${PLAYBOOK: Other} and ${TOOL: id-get}"), playbook("Other"), tools=(tool("get", **FUNCTION),)
    )
    assert "{@AGENT: Other} and {@TOOL: get}" in app.agents[0]["instruction"]


def test_what_is_not_carried_over_is_told() -> None:
    package = agent(
        playbook(
            "P",
            "Use ${TOOL: code-interpreter}, ${FLOW: F} and ${TOOL: gone}.",
            handlers=[{"eventHandler": {}}],
            codeBlock={"code": "x"},
            llmModelSettings={"model": "m", "promptText": "t"},
        ),
        advancedSettings={"x": 1},
    )
    _, report = convert_agent(replace(package, other_files={"flows/a/a.json": b"", "flows/b.json": b"", "x": b""}))
    lost = "is not part of the app; the instruction has its name as plain text"
    assert told(report, NoteKind.LEFT_OUT) == [
        ("playbooks/P", f"the built-in tool 'code-interpreter' {lost}"),
        ("playbooks/P", f"the flow 'F' {lost}"),
        ("playbooks/P", f"the tool 'gone' {lost}"),
        ("playbooks/P", "settings of the model: promptText"),
        ("playbooks/P", "its handlers (handlers)"),
        ("playbooks/P", "its code block (codeBlock)"),
        ("agent.json", "settings of the agent: advancedSettings"),
        ("flows", "2 files"),
        ("x", "1 file"),
    ]


@pytest.mark.parametrize(
    ("tool", "called"),
    [
        ("code-interpreter", "the code interpreter"),
        ("projects/p/locations/l/agents/other/tools/df-code-interpreter-tool", "the code interpreter"),
        ("projects/p/locations/l/agents/other/tools/gone", "the tool gone"),
    ],
)
def test_a_tool_that_an_app_does_not_have_is_told_by_what_it_is(tool: str, called: str) -> None:
    _, report = convert_agent(agent(playbook("P", referencedTools=[tool])))
    assert told(report, NoteKind.LEFT_OUT) == [("playbooks/P", f"{called} is not part of an app")]


def test_an_agent_that_starts_with_a_flow_starts_with_its_first_playbook_and_one_without_any_is_refused() -> None:
    app, report = convert_agent(agent(playbook("P"), startPlaybook="", startFlow="f"))
    assert app.app["rootAgent"] == f"{APP}/agents/P"
    assert told(report, NoteKind.CHANGED) == [
        ("agent.json", "the agent starts with a flow; the root agent is 'P'"),
    ]
    with pytest.raises(NotAPackage, match="has no playbooks"):
        convert_agent(agent())


def test_banned_phrases_become_a_guardrail_and_the_model_that_of_the_app() -> None:
    safety = {
        "bannedPhrases": [{"text": "darn", "languageCode": "en"}, {"text": "darn"}, {"text": "heck"}],
        "defaultBannedPhraseMatchStrategy": "WORD_MATCH",
        "raiSettings": {"x": 1},
    }
    settings = {"llmModelSettings": {"model": "m"}, "generativeSafetySettings": safety, "fallbackSettings": {"a": 1}}
    package = replace(agent(playbook("P")), generative_settings={"en": settings})
    app, report = convert_agent(package)
    assert app.app["modelSettings"] == {"model": "m"}
    assert app.app["guardrails"] == [f"{APP}/guardrails/banned_phrases"]
    assert app.guardrails == (
        {
            "name": f"{APP}/guardrails/banned_phrases",
            "displayName": "banned_phrases",
            "enabled": True,
            "contentFilter": {"bannedContents": ["darn", "heck"], "matchType": "WORD_BOUNDARY_STRING_MATCH"},
            "action": {"respondImmediately": {"responses": [{"text": "I cannot talk about that."}]}},
        },
    )
    assert told(report, NoteKind.LEFT_OUT) == [
        ("generativeSettings/en", "generative settings: fallbackSettings, raiSettings")
    ]


def test_an_example_becomes_messages_of_the_two_sides() -> None:
    example = {
        "name": f"{AGENT}/playbooks/Main/examples/e",
        "displayName": "first",
        "playbookInput": {"actionParameters": {"user": "Ann"}},
        "actions": [
            {"userUtterance": {"text": "Weather?"}},
            {
                "toolUse": {
                    "tool": f"{AGENT}/tools/id-get",
                    "action": "get",
                    "inputActionParameters": {"city": "Rome"},
                    "outputActionParameters": {"t": 20},
                }
            },
            {"agentUtterance": {"text": "20."}},
            {"playbookInvocation": {"playbook": f"{AGENT}/playbooks/Other"}},
            {"flowInvocation": {"flow": "f"}},
        ],
        "conversationState": "OUTPUT_STATE_ESCALATED",
    }
    package = agent(playbook("Main", examples=(example,)), playbook("Other"), tools=(tool("get", **FUNCTION),))
    app, report = convert_agent(package)
    get = f"{APP}/tools/get"
    assert app.examples == (
        {
            "name": f"{APP}/examples/Main_first",
            "displayName": "first",
            "entryAgent": f"{APP}/agents/Main",
            "messages": [
                {"role": "user", "chunks": [{"updatedVariables": {"user": "Ann"}}, {"text": "Weather?"}]},
                {
                    "role": "Main",
                    "chunks": [{"toolCall": {"tool": get, "id": "call-2", "args": {"city": "Rome"}}}],
                },
                {"role": "user", "chunks": [{"toolResponse": {"tool": get, "id": "call-2", "response": {"t": 20}}}]},
                {
                    "role": "Main",
                    "chunks": [
                        {"text": "20."},
                        {"agentTransfer": {"targetAgent": f"{APP}/agents/Other"}},
                        {
                            "toolCall": {
                                "tool": "end_session",
                                "id": "end",
                                "args": {"reason": "escalated", "session_escalated": True},
                            }
                        },
                    ],
                },
            ],
        },
    )
    assert ("playbooks/Main/examples/first", "an action that examples of an app do not have: flowInvocation") in told(
        report, NoteKind.LEFT_OUT
    )


def test_the_package_reads_back_as_it_was_made() -> None:
    app = converted(playbook("Main", "${PLAYBOOK: A}"), playbook("A"), tools=(tool("get", **FUNCTION),))
    again, report = read_app(write_app(app), APP)
    assert again.app == app.app
    assert {key: by_name(each) for key, each in again.collections().items()} == {
        key: by_name(each) for key, each in app.collections().items()
    }
    assert report.notes == ()


def by_name(resources: tuple[JsonObject, ...]) -> dict[str, JsonObject]:
    return {resource["name"]: resource for resource in resources}
