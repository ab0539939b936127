"""`openplaybook tools test` against a real API."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.access import server_api
from openplaybook.cli.errors import CommandError
from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.server.settings import Settings

SCHEMA = """
openapi: 3.0.0
info: {title: Echo, version: '1'}
servers: [{url: 'http://127.0.0.1:%d'}]
paths:
  /echo/{word}:
    get:
      operationId: echo
      parameters:
        - {name: word, in: path, required: true, schema: {type: string}}
        - {name: X-User, in: header, schema: {type: string, x-agent-input-parameter: user}}
      responses: {'200': {description: said}}
"""

APP = "projects/p/locations/global/apps/sky"


class Echo(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = self.path == "/echo/hello"
        body = json.dumps({"user": self.headers.get("X-User")} if known else {"message": "no such word"}).encode()
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The tests' output is no place for an access log."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A running server with an agent `Echoing` that has a tool `api` and a function tool `ask`, and an app `Sky` with a
    toolset `words` and a client function `ask`."""
    folder = tmp_path_factory.mktemp("tools")
    peer = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=peer.serve_forever)
    thread.start()
    with LocalServer(Settings(data_dir=folder, egress_allow="127.0.0.1")).running():
        with server_api(data_dir=folder) as api:
            made = {"displayName": "Echoing", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
            agent = api.post("v3/projects/p/locations/global/agents", made)
            schema = {"textSchema": SCHEMA % peer.server_port}
            tools = f"v3/{agent['name']}/tools"
            api.post(tools, {"displayName": "api", "description": "Echoes.", "openApiSpec": schema})
            api.post(tools, {"displayName": "ask", "description": "Asks.", "functionSpec": {}})
            api.post("v1beta/projects/p/locations/global/apps?appId=sky", {"displayName": "Sky"})
            toolset = {"displayName": "words", "openApiToolset": {"openApiSchema": SCHEMA % peer.server_port}}
            api.post(f"v1beta/{APP}/toolsets?toolsetId=words", toolset)
            api.post(f"v1beta/{APP}/tools?toolId=ask", {"clientFunction": {"name": "ask", "description": "Asks."}})
        yield folder
    peer.shutdown()
    peer.server_close()
    thread.join()


def tried(data_dir: Path, *words: str, agent: str = "Echoing") -> Result:
    return CliRunner().invoke(app, ["tools", "test", agent, *words, "--data-dir", str(data_dir)])


def refusal(result: Result) -> tuple[str, int]:
    assert isinstance(result.exception, CommandError), result.output
    return str(result.exception), result.exception.exit_code


@pytest.mark.proves("G2")
def test_the_request_the_answer_and_the_output_are_shown(data_dir: Path) -> None:
    result = tried(data_dir, "api", "echo", "--input", '{"word": "hello"}', "--session-param", "user=kim")
    assert result.exit_code == 0
    sent, answered, *output = result.output.splitlines()
    assert sent.startswith("→ GET http://127.0.0.1:")
    assert sent.endswith("/echo/hello")
    assert answered.startswith("← 200  ")
    assert json.loads("\n".join(output)) == {"200": {"user": "kim"}}


def test_a_failed_call_says_why_and_gives_exit_code_1(data_dir: Path) -> None:
    result = tried(data_dir, "api", "echo", "--input", '{"word": "bye"}')
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith("HTTP_ERROR: ")
    assert "no such word" in result.output


def test_arguments_that_do_not_fit_are_an_answer_and_nothing_is_sent(data_dir: Path) -> None:
    result = tried(data_dir, "api", "echo", "--input", '{"word": 3}', "--json")
    execution = json.loads(result.output)
    assert result.exit_code == 1
    assert execution["error"]["code"] == "INVALID_ARGUMENTS"
    assert execution["trace"] == {"exchanges": []}


def test_the_trace_as_json_holds_the_exchange(data_dir: Path) -> None:
    execution = json.loads(tried(data_dir, "api", "echo", "--input", '{"word": "hello"}', "--json").output)
    (exchange,) = execution["trace"]["exchanges"]
    assert (exchange["method"], exchange["status"]) == ("GET", 200)
    assert json.loads(exchange["responseBody"]) == {"user": None}


@pytest.mark.parametrize(
    ("words", "message", "exit_code"),
    [
        (["api", "shout"], "INVALID_ARGUMENT: action: 'shout' is not an action of the tool; there are: echo", 1),
        (["ask", "ask"], "FAILED_PRECONDITION: ask is a function tool: only clients run it", 1),
        (["none", "echo"], "no tool is called 'none'; there are: api, ask", 1),
        (["api"], "name an action: an operationId, or the tool's name", 2),
        (["api", "echo", "--input", "{"], "--input is not JSON", 2),
        (["api", "echo", "--input", "[]"], "--input must be a JSON object", 2),
        (["api", "echo", "--session-param", "user"], "--session-param must be NAME=VALUE, not 'user'", 2),
    ],
)
def test_what_cannot_be_tried_is_refused(data_dir: Path, words: list[str], message: str, exit_code: int) -> None:
    said, code = refusal(tried(data_dir, *words))
    assert said.startswith(message)
    assert code == exit_code


def test_a_built_in_tool_is_known_by_its_id(data_dir: Path) -> None:
    result = tried(data_dir, "df-code-interpreter-tool", "generate_and_execute", "--input", '{"query": "4 + 4"}')
    assert result.exit_code == 0
    assert '"execution_result": "8"' in result.output


@pytest.mark.proves("S1")
def test_a_tool_of_an_apps_toolset_is_tried_by_its_operation(data_dir: Path) -> None:
    words = ("words", "echo", "--input", '{"word": "hello"}', "--session-param", "user=kim")
    result = tried(data_dir, *words, agent="Sky")
    assert (result.exit_code, json.loads(result.output)) == (0, {"user": "kim"})
    failed = tried(data_dir, "words", "echo", "--input", '{"word": "bye"}', agent="Sky")
    assert (failed.exit_code, "no such word" in failed.output) == (1, True)


@pytest.mark.proves("S1")
@pytest.mark.parametrize(
    ("words", "message", "exit_code"),
    [
        (["words"], "name a tool of the toolset: an operationId", 2),
        (["none"], "no tool is called 'none'; there are: ask, words", 1),
        (["ask"], "FAILED_PRECONDITION: ask is a function tool: only clients run it", 1),
    ],
)
def test_what_of_an_app_cannot_be_tried_is_refused(
    data_dir: Path, words: list[str], message: str, exit_code: int
) -> None:
    assert refusal(tried(data_dir, *words, agent="Sky")) == (message, exit_code)


def test_a_dry_run_shows_the_request_and_sends_nothing(data_dir: Path) -> None:
    words = ("api", "echo", "--input", '{"word": "unheard"}', "--session-param", "user=Ann", "--dry-run")
    shown = tried(data_dir, *words)
    assert shown.exit_code == 0
    [request, note] = shown.stdout.splitlines()
    assert request.startswith("→ GET http://127.0.0.1:")
    assert request.endswith("/echo/unheard")
    assert note == "  Nothing was sent."
    told = json.loads(tried(data_dir, *words, "--json").stdout)
    [exchange] = told["trace"]["exchanges"]
    assert (exchange["method"], exchange["status"], exchange["error"]) == ("GET", 0, "not sent")
    assert exchange["requestHeaders"]["X-User"] == "Ann"
    assert told["outputParameters"] == {}


def test_a_dry_run_refuses_what_a_call_would_be_refused_for(data_dir: Path) -> None:
    refused = tried(data_dir, "api", "echo", "--dry-run")
    assert refused.exit_code == 1
    assert "INVALID_ARGUMENTS" in refused.stdout
    assert refusal(tried(data_dir, "ask", "ask", "--dry-run")) == (
        "FAILED_PRECONDITION: ask is a function tool: only clients run it",
        1,
    )


def test_a_dry_run_of_an_apps_tool_shows_the_request_and_sends_nothing(data_dir: Path) -> None:
    words = ("words", "echo", "--input", '{"word": "unheard"}', "--dry-run")
    shown = tried(data_dir, *words, agent=APP)
    assert shown.exit_code == 0, shown.output
    [request, note] = shown.stdout.splitlines()
    assert request.startswith("→ GET http://127.0.0.1:")
    assert request.endswith("/echo/unheard")
    assert note == "  Nothing was sent."
    refused = tried(data_dir, "words", "echo", "--dry-run", agent=APP)
    assert refused.exit_code == 1
    assert "INVALID_ARGUMENTS" in refused.stdout
