"""Every kind of secret is planted in a real server, used, and then looked for in every byte that it left behind."""

import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.conftest import EGRESS
from tests.e2e.kit.echo import OAUTH_TOKEN, Echo, echoing
from tests.e2e.kit.rest import LOCATION, Answer, Rest
from tests.e2e.kit.server import running

API_KEY = "planted-api/key+1"
CLIENT_SECRET = "planted-client/secret+1"
PASSWORD = "planted-pass/word+1"
SECRET_VALUE = "planted-secret/value+1"
SESSION_TOKEN = "planted-session/token+1"
NEW_TOKEN = "planted-session/token+2"
MASTER_KEY = b64encode(bytes(range(32))).decode()
PLANTED = (API_KEY, CLIENT_SECRET, PASSWORD, SECRET_VALUE, SESSION_TOKEN, NEW_TOKEN, OAUTH_TOKEN, MASTER_KEY)

VISIBLE = "planted-in-the-open"
"""What is no secret, and has to be found: else the search is blind."""

SECRET = "projects/p/secrets/token"
TOOLS = ("Key", "Query", "Client", "Basic", "Kept", "Session")


def authentications(echo: Echo) -> Mapping[str, JsonObject]:
    """How each tool proves who it is."""
    key = {"keyName": "X-Key", "apiKey": API_KEY}
    client = {"clientId": "c", "clientSecret": CLIENT_SECRET, "tokenEndpoint": echo.token_endpoint}
    return {
        "Key": {"apiKeyConfig": {**key, "requestLocation": "HEADER"}},
        "Query": {"apiKeyConfig": {**key, "requestLocation": "QUERY_STRING"}},
        "Client": {"oauthConfig": {**client, "oauthGrantType": "CLIENT_CREDENTIAL"}},
        "Basic": {"basicAuthConfig": {"username": "user", "password": PASSWORD}},
        "Kept": {"bearerTokenConfig": {"secretVersionForToken": f"{SECRET}/versions/latest"}},
        "Session": {"bearerTokenConfig": {"token": "$session.params.token"}},
    }


def script() -> str:
    """Does what it is told: the words name the function; the result of any call ends the turn."""
    rules = ["rules:", "  - when: {after: '*'}", "    reply: {text: Done.}"]
    for function in ["ask", *(f"{tool}{call}" for tool in TOOLS for call in ("Ok", "Refuse", "Large"))]:
        rules += [f"  - when: {{user: {{equals: {function}}}}}"]
        rules += [f"    reply: {{calls: [{{name: {function}, arguments: {{}}}}]}}"]
    return "\n".join(rules)


class Scene:
    """A client that keeps every answer."""

    def __init__(self, http: str) -> None:
        self._rest = Rest(http)
        self.answers: list[Answer] = []

    def __call__(self, method: str, path: str, body: JsonObject | None = None) -> Answer:
        """The answer, which has to be a good one."""
        answer = self._rest.send(method, path, None if body is None else dumps(body))
        self.answers.append(answer)
        assert answer.status == 200, answer.body
        return answer

    def say(self, session: str, text: str, *, streamed: bool = False, **parameters: str) -> Answer:
        """One turn, with everything that a client can ask to see."""
        body = {
            "queryInput": {"text": {"text": text}, "languageCode": "en"},
            "queryParams": {"parameters": parameters, "populateDataStoreConnectionSignals": True},
            "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL",
        }
        method = "serverStreamingDetectIntent" if streamed else "detectIntent"
        return self("POST", f"/v3beta1/{session}:{method}", body)

    def made(self, path: str, body: JsonObject) -> JsonObject:
        """The resource that a POST made."""
        return self("POST", path, body).json


def plant(scene: Scene, echo: Echo) -> str:
    """An agent whose tools hold every kind of secret; its name."""
    scene("POST", f"/v1/{SECRET}:addVersion", {"payload": {"data": b64encode(SECRET_VALUE.encode()).decode()}})
    settings = {"displayName": "Planted", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    github = {"githubSettings": {"repositoryUri": "https://g.example", "accessToken": API_KEY}}
    agent = scene.made(f"/v3beta1/{LOCATION}/agents", {**settings, "gitIntegrationSettings": github})["name"]
    scene.made(f"/v3beta1/{agent}/tools", {"displayName": "ask", "description": "Asks.", "functionSpec": {}})
    for name, authentication in authentications(echo).items():
        spec = {"textSchema": echo.schema(name), "authentication": authentication}
        tool = scene.made(f"/v3beta1/{agent}/tools", {"displayName": name, "description": "d", "openApiSpec": spec})
        scene.made(f"/v3beta1/{tool['name']}/versions", {"displayName": "one"})
        scene("PATCH", f"/v3beta1/{tool['name']}", {**tool, "description": "Echoes."})
    step = " ".join(f"${{TOOL: {name}}}" for name in ("ask", *TOOLS))
    playbook = {"displayName": "Start", "goal": "Do it.", "instruction": {"steps": [{"text": step}]}}
    start = scene.made(f"/v3beta1/{agent}/playbooks", playbook)["name"]
    scene.made(f"/v3beta1/{start}/versions", {"description": "one"})
    scene("PATCH", f"/v3beta1/{agent}?updateMask=startPlaybook", {"name": agent, "startPlaybook": start})
    return agent


def use(scene: Scene, agent: str, session: str) -> None:
    """Every tool in every way: in a turn, a stream, and on its own."""
    for tool in TOOLS:
        for call in ("Ok", "Refuse", "Large"):
            scene.say(session, f"{tool}{call}", token=SESSION_TOKEN)
        scene.say(session, f"{tool}Ok", streamed=True)
    for tool in scene("GET", f"/v3beta1/{agent}/tools").json["tools"]:
        if "openApiSpec" in tool:
            for call in ("Ok", "Refuse", "Large"):
                request = {"action": f"{tool['displayName']}{call}", "sessionParameters": {"token": SESSION_TOKEN}}
                scene("POST", f"/v3beta1/{tool['name']}:execute", request)


def look_around(scene: Scene, agent: str) -> None:
    """Everything that shows what is stored."""
    for path in (agent, f"{agent}/tools", f"{agent}/playbooks", f"{agent}/validationResult"):
        scene("GET", f"/v3beta1/{path}")
    for tool in scene("GET", f"/v3/{agent}/tools").json["tools"]:
        scene("GET", f"/v3/{tool['name']}/versions")
    scene("GET", "/v1/projects/-/secrets")
    scene("GET", "/v1/openplaybook:doctor")
    scene("GET", "/metrics")
    operation = scene("POST", f"/v3beta1/{agent}:export", {"dataFormat": "JSON_PACKAGE"}).json
    while not operation.get("done"):
        operation = scene("GET", f"/v3beta1/{operation['name']}").json


def spellings() -> Iterator[bytes]:
    """The planted secrets, and what they look like in URLs, JSON of PHP, base64 and HTTP basic."""
    for secret in PLANTED:
        yield secret.encode()
        yield quote(secret, safe="").encode()
        yield secret.replace("/", "\\/").encode()
        yield b64encode(secret.encode()).rstrip(b"=")
    yield b64encode(f"user:{PASSWORD}".encode())


def found(content: bytes) -> list[bytes]:
    """The planted secrets in some bytes."""
    return [spelling for spelling in spellings() if spelling in content]


def windows(content: bytes) -> list[bytes]:
    """What stands around each secret that was found, for whoever has to mend it."""
    ends = [(content.index(spelling), len(spelling)) for spelling in found(content)]
    return [content[max(0, at - 200) : at + length + 50] for at, length in ends]


@pytest.mark.proves("A9", "A6", "A3", "A4")
def test_no_byte_that_a_server_leaves_or_says_holds_a_planted_secret(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(script())
    flags = ["--model", f"scripted:{tmp_path / 'script.yaml'}", "--log-level", "debug"]
    settings = {"OPENPLAYBOOK_EGRESS_ALLOW": EGRESS, "OPENPLAYBOOK_MASTER_KEY": MASTER_KEY}
    with echoing() as echo:
        with running(tmp_path / "server", *flags, **settings) as server:
            scene = Scene(server.http)
            agent = plant(scene, echo)
            session = f"{agent}/sessions/s"
            use(scene, agent, session)
            scene.say(session, "ask", token=NEW_TOKEN, colour=VISIBLE)
            look_around(scene, agent)
            left = contents(tmp_path / "server")
            assert {name: windows(content) for name, content in left.items() if found(content)} == {}
        before = len(echo.headers)
        with running(tmp_path / "server", *flags, **settings) as server:
            again = Scene(server.http)
            again.say(session, "SessionOk")
            again.say(session, "KeyOk")
            look_around(again, agent)
    assert used(echo, 0) == {
        "x-key": {API_KEY},
        "authorization": {
            f"Bearer {SESSION_TOKEN}",
            f"Bearer {SECRET_VALUE}",
            f"Bearer {OAUTH_TOKEN}",
            *(basic(text) for text in (f"user:{PASSWORD}", f"c:{quote(CLIENT_SECRET, safe='')}")),
        },
    }, "the credentials were not used, so that they are not found proves nothing"
    assert used(echo, before) == {"x-key": {API_KEY}, "authorization": {f"Bearer {NEW_TOKEN}"}}
    assert set(echo.sent("x-injected")) == {SESSION_TOKEN, NEW_TOKEN}
    assert any(VISIBLE.encode() in whole(answer) for answer in scene.answers)
    assert any(VISIBLE.encode() in content for content in contents(tmp_path / "server").values())
    said = [answer for answer in (*scene.answers, *again.answers) if found(whole(answer))]
    assert [(answer.status, answer.body[:2000]) for answer in said] == []
    assert {name: windows(content) for name, content in contents(tmp_path / "server").items() if found(content)} == {}


def basic(text: str) -> str:
    return f"Basic {b64encode(text.encode()).decode()}"


def used(echo: Echo, since: int) -> dict[str, set[str]]:
    """The credentials that came since a request, those of a later server left out when `since` is 0."""
    headers = echo.headers[since:] if since else echo.headers[:-2]
    return {name: {one[name] for one in headers if name in one} for name in ("x-key", "authorization")}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def whole(answer: Answer) -> bytes:
    """An answer with everything in it: headers, body, and the files in an exported package."""
    parts = [answer.body, repr(dict(answer.headers)).encode()]
    if b"agentContent" in answer.body:
        package = zipfile.ZipFile(BytesIO(b64decode(answer.json["response"]["agentContent"])))
        parts += [package.read(name) for name in package.namelist()]
    return b"\n".join(parts)
