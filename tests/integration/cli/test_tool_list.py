"""`openplaybook tools list`, of agents and of apps."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import JsonObject, as_object

from .conftest import Run, refusal

LOCATION = "projects/p/locations/tools"
SCHEMA = """
openapi: 3.0.0
info: {title: Echo, version: '1'}
servers: [{url: 'https://echo.example'}]
paths:
  /echo/{word}:
    get:
      operationId: echo
      summary: Says a word again.
      parameters: [{name: word, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: said}}
    delete:
      operationId: forget
      parameters: [{name: word, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: forgotten}}
"""
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
PYTHON = 'def double(number: int) -> dict:\n    """Doubles a number."""\n    return {"result": number * 2}\n'


@pytest.fixture(scope="module")
def agent(data_dir: Path) -> str:
    """Full name of an agent with an OpenAPI tool and a function tool."""
    with server_api(data_dir=data_dir) as api:
        made = {"displayName": "Tooled", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        name = str(api.post(f"v3/{LOCATION}/agents", made)["name"])
        tools = f"v3/{name}/tools"
        api.post(tools, {"displayName": "api", "description": "Echoes.", "openApiSpec": {"textSchema": SCHEMA}})
        asks = {"type": "object", "properties": {"city": {"type": "string"}}}
        ask: JsonObject = {
            "displayName": "ask",
            "description": "Asks.\nAnd waits.",
            "functionSpec": {"inputSchema": asks},
        }
        api.post(tools, ask)
        return name


@pytest.fixture(scope="module")
def app(data_dir: Path) -> str:
    """Full name of an app with tools of several kinds, and a toolset."""
    with server_api(data_dir=data_dir) as api:
        made = as_object(api.post(f"v1beta/{LOCATION}/apps?appId=tooled", {"displayName": "Tooled app"})["response"])
        name = str(made["name"])
        api.post(f"v1beta/{name}/agents?agentId=expert", {"displayName": "Expert", "instruction": "Know."})
        tools: dict[str, JsonObject] = {
            "ask-1": {"clientFunction": {"name": "ask", "description": "Asks."}},
            "double": {"pythonFunction": {"name": "double", "pythonCode": PYTHON}},
            "expert": {"agentTool": {"name": "expert", "description": "Knows.", "rootAgent": f"{name}/agents/expert"}},
        }
        for id_, tool in tools.items():
            api.post(f"v1beta/{name}/tools?toolId={id_}", tool)
        toolset = {"displayName": "words", "openApiToolset": {"openApiSchema": SCHEMA}}
        api.post(f"v1beta/{name}/toolsets?toolsetId=words", toolset)
        return name


def shown(run: Run, *words: str) -> list[str]:
    result = run("tools", "list", *words)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_each_tool_is_shown_with_its_actions(run: Run, agent: str) -> None:
    lines = shown(run, "Tooled")
    assert [line.split("  ")[0] for line in lines if not line.startswith(" ")] == [
        "api (OpenAPI)",
        "ask (function)",
        "code-interpreter (built in)",
    ]
    at = next(index for index, line in enumerate(lines) if line.startswith("api "))
    assert lines[at].startswith(f"api (OpenAPI)  {agent}/tools/")
    assert lines[at + 1 : at + 3] == ["  echo    Says a word again.", "  forget  DELETE /echo/{word}"]
    assert "  ask  Asks. (run by the client)" in lines


def test_schemas_are_shown_where_they_are_asked_for(run: Run, agent: str) -> None:
    head, first, *rest = shown(run, agent, "api", "--schemas")
    assert (head.split("  ")[0], first) == ("api (OpenAPI)", "  echo    Says a word again.")
    second = rest.index("  forget  DELETE /echo/{word}")
    assert json.loads("\n".join(rest[:second])) == WORD
    assert json.loads("\n".join(rest[second + 1 :])) == WORD


def test_programs_get_the_whole(run: Run, agent: str) -> None:
    tools = {tool["displayName"]: tool for tool in json.loads("\n".join(shown(run, agent, "--json")))["tools"]}
    assert set(tools) == {"api", "ask", "code-interpreter"}
    echo, forget = tools["api"]["actions"]
    assert (echo["action"], echo["runBy"], echo["readOnly"], echo["inputSchema"]) == ("echo", "server", True, WORD)
    assert (forget["action"], forget["readOnly"]) == ("forget", False)
    [ask] = tools["ask"]["actions"]
    assert (ask["runBy"], ask["inputSchema"]["properties"]) == ("client", {"city": {"type": "string"}})


def test_tools_and_toolsets_of_an_app_are_listed(run: Run, app: str) -> None:
    lines = shown(run, app)
    heads = [line.split("  ")[0] for line in lines if not line.startswith(" ")]
    assert sorted(heads) == [
        "ask (client function)",
        "double (Python function)",
        "expert (agent as a tool)",
        "words (OpenAPI toolset)",
    ]
    assert "  double  Doubles a number." in lines
    assert lines[lines.index(f"expert (agent as a tool)  {app}/tools/expert") + 1] == "  done by the server"
    assert [line.split()[0] for line in shown(run, app, "words")[1:]] == ["echo", "forget"]


def test_a_tool_that_cannot_be_used_is_told_with_the_reason(run: Run, data_dir: Path, tmp_path: Path) -> None:
    tool = tmp_path / "Broken tool" / "tools" / "api"
    tool.mkdir(parents=True)
    named = {"displayName": "Broken tool", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    (tmp_path / "Broken tool" / "agent.json").write_text(json.dumps(named))
    (tool / "api.json").write_text(json.dumps({"name": "t", "displayName": "api", "openApiSpec": {"textSchema": "{]"}}))
    name = run("agents", "import", str(tmp_path / "Broken tool")).stdout.strip()
    lines = shown(run, name, "api")
    assert lines[1].startswith("  cannot be used: ")
    [told] = json.loads("\n".join(shown(run, name, "api", "--json")))["tools"]
    assert (told["actions"], f"  cannot be used: {told['problem']}") == ([], lines[1])


def test_a_tool_that_is_not_there_is_refused(run: Run, agent: str) -> None:
    assert refusal(run("tools", "list", agent, "none")).startswith("no tool is called 'none'; there are: ")


def test_a_tool_with_a_secret_of_its_own_is_listed(run: Run, agent: str, data_dir: Path) -> None:
    key = {"keyName": "X-Key", "requestLocation": "HEADER", "apiKey": "open sesame"}
    spec: JsonObject = {"textSchema": SCHEMA, "authentication": {"apiKeyConfig": key}}
    with server_api(data_dir=data_dir) as api:
        made = api.post(f"v3/{agent}/tools", {"displayName": "locked", "description": "Echoes.", "openApiSpec": spec})
    head, *actions = shown(run, agent, "locked")
    api_json = run("tools", "list", agent, "--json").output
    with server_api(data_dir=data_dir) as api:
        api.delete(f"v3/{made['name']}")
    assert [line.split()[0] for line in actions] == ["echo", "forget"]
    assert "sesame" not in f"{head}{api_json}"
