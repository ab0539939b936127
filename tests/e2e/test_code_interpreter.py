"""The built-in code interpreter with Google's clients: on every agent, as documented, with files both ways."""

from base64 import b64decode, b64encode

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.shop import new_agent, said, to_json

ID = "df-code-interpreter-tool"
INPUT, OUTPUT = "generate_and_execute input", "generate_and_execute output"
CSV = b"city,days\nBonn,3\nRome,5\n"
PNG = b"\x89PNG\r\n\x1a\nrest"
NOTHING = {"name": "", "contents": ""}
FULL = 1
"""Value of `response_view`."""


@pytest.fixture(scope="module")
def desk(google: Google) -> str:
    """Name of an agent whose playbook computes. It has no tool of its own."""
    agent = new_agent(google, "Desk").name
    step = google.Playbook.Step(text="Compute with ${TOOL: code-interpreter}.")
    instruction = google.Playbook.Instruction(steps=[step])
    playbook = google.Playbook(display_name="Desk", goal="Compute.", instruction=instruction)
    made = google("Playbooks").create_playbook(parent=agent, playbook=playbook)
    assert list(made.referenced_tools) == [f"{agent}/tools/{ID}"]
    google("Agents").update_agent(
        agent=google.Agent(name=agent, start_playbook=made.name), update_mask={"paths": ["start_playbook"]}
    )
    return agent


def ask(google: Google, agent: str, text: str, **params: object) -> ApiMessage:
    query = {"text": {"text": text}, "language_code": "en"}
    request = {"session": f"{agent}/sessions/s", "query_input": query, "query_params": params, "response_view": FULL}
    return google("Sessions").detect_intent(request=request)


def use_in(response: ApiMessage) -> JsonObject:
    """The call of the tool in the trace."""
    blocks = to_json(response)["queryResult"]["traceBlocks"]
    [use] = [action["toolUse"] for block in blocks for action in block["actions"] if "toolUse" in action]
    return use


@pytest.mark.proves("B1")
def test_it_is_among_the_tools_of_an_agent_that_nobody_configured(google: Google) -> None:
    agent = new_agent(google, "Empty").name
    [tool] = google("Tools").list_tools(parent=agent)
    assert (tool.name, tool.display_name) == (f"{agent}/tools/{ID}", "code-interpreter")
    assert tool.tool_type == google.Tool.ToolType.BUILTIN_TOOL
    assert google("Tools").get_tool(name=tool.name) == tool


@pytest.mark.proves("B2", "B4")
@pytest.mark.usefixtures("sandbox")
def test_a_task_in_words_becomes_code_and_its_result(google: Google, desk: str) -> None:
    response = ask(google, desk, "compute 4 + 4")
    assert said(response) == ["It is 8."]
    use = use_in(response)
    assert (use["tool"], use["action"]) == (f"{desk}/tools/{ID}", "generate_and_execute")
    assert use["inputActionParameters"] == {INPUT: "4 + 4"}
    assert use["outputActionParameters"] == {
        OUTPUT: {
            "generated_code": "print(4 + 4)",
            "execution_result": "8",
            "execution_error": "",
            "output_files": [NOTHING],
        }
    }


@pytest.mark.proves("B2")
@pytest.mark.usefixtures("sandbox")
def test_files_go_in_and_files_and_images_come_out(google: Google, desk: str) -> None:
    files = [{"name": "trips.csv", "contents": b64encode(CSV).decode()}]
    response = ask(google, desk, "compute the rows of the file", payload={"files": files})
    assert said(response) == ["It is 3."]
    output = use_in(response)["outputActionParameters"][OUTPUT]
    assert {file["name"]: b64decode(file["contents"]) for file in output["output_files"]} == {
        "dot.png": PNG,
        "last.txt": b"Rome,5",
    }
    rich = [to_json(each)["payload"] for each in response.query_result.response_messages if "payload" in each]
    url = f"data:image/png;base64,{b64encode(PNG).decode()}"
    assert rich == [{"richContent": [[{"type": "image", "rawUrl": url, "accessibilityText": "dot.png"}]]}]


@pytest.mark.proves("B1", "B2")
@pytest.mark.usefixtures("sandbox")
def test_it_is_executed_on_its_own(google: Google, rest: Rest, desk: str) -> None:
    if google.transport != "rest":
        return  # the call is not one of Google's: once for each version is enough
    request = {"action": "generate_and_execute", "inputParameters": {INPUT: "4 + 4"}}
    answer = rest("POST", f"v3/{desk}/tools/{ID}:execute", request)
    assert answer["outputParameters"][OUTPUT]["execution_result"] == "8"
    files = [{"name": "trips.csv", "contents": b64encode(CSV).decode()}]
    request = {**request, "inputParameters": {INPUT: "the rows of the file"}, "payload": {"files": files}}
    output = rest("POST", f"v3/{desk}/tools/{ID}:execute", request)["outputParameters"][OUTPUT]
    assert output["execution_result"] == "3"
    assert [b64decode(file["contents"]) for file in output["output_files"]] == [PNG, b"Rome,5"]
