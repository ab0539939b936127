"""An agent whose tools hold every kind of secret, and a client that uses them in every way and keeps every answer."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256

import trustme

from openplaybook.egress.base import ClientCertificate
from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.echo import OAUTH_TOKEN, Echo
from tests.e2e.kit.rest import LOCATION, Answer, Rest
from tests.kit.certificates import client_certificate
from tests.kit.postgres import PASSWORD as DATABASE_PASSWORD
from tests.kit.secrets_search import PlantedSecrets

ACCESS_KEY = "planted-access/key+1"
"""Opens the server itself."""
WRONG_KEY = "planted-wrong/key+1"
"""Opens nothing; who mistypes a key does not want to read it in a log either."""
MODEL_KEY = "planted-model/key+1"
API_KEY = "planted-api/key+1"
CLIENT_SECRET = "planted-client/secret+1"
PASSWORD = "planted-pass/word+1"
PASSPHRASE = "planted-pass/phrase+1"
SECRET_VALUE = "planted-secret/value+1"
SESSION_TOKEN = "planted-session/token+1"
NEW_TOKEN = "planted-session/token+2"
MASTER_KEY = sha256(b"planted").digest()

VISIBLE = "planted-in-the-open"
"""What is no secret, and has to be found: else the search is blind."""

SECRET = "projects/p/secrets/token"
TOOLS = ("Key", "Query", "Client", "Basic", "Kept", "Session")
CALLS = ("Ok", "Refuse", "Large", "Busy")
ALWAYS_CLIENT = {"x-playbook-execution-mode": "ALWAYS_CLIENT_EXECUTION"}


@cache
def certificate() -> ClientCertificate:
    """A client certificate whose key is encrypted."""
    return client_certificate(trustme.CA(), passphrase=PASSPHRASE.encode())


@cache
def planted() -> PlantedSecrets:
    """Everything that must be nowhere."""
    key = certificate().private_key.decode()
    texts = (ACCESS_KEY, WRONG_KEY, MODEL_KEY, API_KEY, CLIENT_SECRET, PASSWORD, PASSPHRASE, SECRET_VALUE)
    keys = (key, key.splitlines()[3], b64encode(MASTER_KEY).decode())
    return PlantedSecrets(*texts, SESSION_TOKEN, NEW_TOKEN, OAUTH_TOKEN, DATABASE_PASSWORD, *keys, MASTER_KEY)


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


class Scene:
    """A client that keeps every answer."""

    def __init__(self, http: str) -> None:
        self._rest = Rest(http)
        self.answers: list[Answer] = []

    def send(self, method: str, path: str, body: JsonObject | None = None, **headers: str) -> Answer:
        """Any answer."""
        sent = {"x-goog-api-key": ACCESS_KEY, **headers}
        answer = self._rest.send(method, path, None if body is None else dumps(body), sent)
        self.answers.append(answer)
        return answer

    def __call__(self, method: str, path: str, body: JsonObject | None = None, **headers: str) -> Answer:
        """The answer, which has to be a good one."""
        answer = self.send(method, path, body, **headers)
        assert answer.status == 200, answer.body
        return answer

    def say(
        self, session: str, text: str, *, streamed: bool = False, by_client: bool = False, **parameters: str
    ) -> Answer:
        """One turn, with everything that a client can ask to see."""
        body = {
            "queryInput": {"text": {"text": text}, "languageCode": "en"},
            "queryParams": {"parameters": parameters, "populateDataStoreConnectionSignals": True},
            "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL",
        }
        method = "serverStreamingDetectIntent" if streamed else "detectIntent"
        return self("POST", f"/v3beta1/{session}:{method}", body, **(ALWAYS_CLIENT if by_client else {}))

    def give(self, session: str, asked: Answer) -> Answer:
        """The turn that brings the result of the call which an answer asks for."""
        call = asked.json["queryResult"]["responseMessages"][-1]["toolCall"]
        result = {"tool": call["tool"], "action": call["action"], "outputParameters": {"200": {"said": VISIBLE}}}
        body = {"queryInput": {"toolCallResult": result, "languageCode": "en"}}
        return self("POST", f"/v3beta1/{session}:detectIntent", body)

    def made(self, path: str, body: JsonObject) -> JsonObject:
        """The resource that a POST made."""
        return self("POST", path, body).json


def plant(scene: Scene, echo: Echo) -> str:
    """The agent; its name."""
    key = certificate()
    for secret, value in (("token", SECRET_VALUE.encode()), ("pem", key.private_key), ("phrase", key.passphrase)):
        payload = {"data": b64encode(value).decode()}
        scene("POST", f"/v1/projects/p/secrets/{secret}:addVersion", {"payload": payload})
    agent = scene.made(f"/v3beta1/{LOCATION}/agents", _agent(key))["name"]
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


def _agent(key: ClientCertificate) -> JsonObject:
    return {
        "displayName": "Planted",
        "defaultLanguageCode": "en",
        "timeZone": "Etc/UTC",
        "gitIntegrationSettings": {
            "githubSettings": {"repositoryUri": "https://g.example", "accessToken": API_KEY},
        },
        "clientCertificateSettings": {
            "sslCertificate": key.certificate.decode(),
            "privateKey": "projects/p/secrets/pem/versions/1",
            "passphrase": "projects/p/secrets/phrase/versions/1",
        },
    }


def be_refused(scene: Scene, agent: str) -> None:
    """Requests that are wrong, with secrets in them."""
    path = f"/v3beta1/{agent}/tools"
    keys: list[JsonObject] = [{"apiKey": [API_KEY]}, {"apiKey": {"key": API_KEY}}, {"api_kee": API_KEY}]
    for key in keys:
        spec = {"textSchema": "openapi: 3.0.0", "authentication": {"apiKeyConfig": {"keyName": "k", **key}}}
        tool = {"displayName": "Wrong", "description": "d", "openApiSpec": spec}
        assert scene.send("POST", path, tool).status == 400
    wrong = {"payload": {"data": SECRET_VALUE}}
    assert scene.send("POST", f"/v1/{SECRET}:addVersion", wrong).status == 400
    wrong_key = {"x-goog-api-key": WRONG_KEY}
    assert scene.send("GET", path, None, **wrong_key).status == 401
    assert scene.send("GET", f"{path}?key={ACCESS_KEY}").status == 200


def use(scene: Scene, agent: str, session: str) -> None:
    """Every tool in every way: in a turn, a stream, and on its own."""
    for tool in TOOLS:
        for call in CALLS:
            scene.say(session, f"{tool}{call}", token=SESSION_TOKEN)
        scene.say(session, f"{tool}Ok", streamed=True)
    for tool in scene("GET", f"/v3beta1/{agent}/tools").json["tools"]:
        if "openApiSpec" in tool:
            for call in CALLS:
                request = {"action": f"{tool['displayName']}{call}", "sessionParameters": {"token": SESSION_TOKEN}}
                scene("POST", f"/v3beta1/{tool['name']}:execute", request)


def look_around(scene: Scene, agent: str) -> None:
    """Everything that shows what is stored."""
    for path in (agent, f"{agent}/tools", f"{agent}/playbooks", f"{agent}/validationResult"):
        scene("GET", f"/v3beta1/{path}")
    for tool in scene("GET", f"/v3/{agent}/tools").json["tools"]:
        if tool["toolType"] != "BUILTIN_TOOL":  # those have no versions
            scene("GET", f"/v3/{tool['name']}/versions")
    for conversation in scene("GET", f"/v3beta1/{agent}/conversations").json["conversations"]:
        scene("GET", f"/v3beta1/{conversation['name']}")
    scene("GET", "/v1/projects/-/secrets")
    scene("GET", "/v1/openplaybook:doctor")
    scene("GET", "/metrics")
    operation = scene("POST", f"/v3beta1/{agent}:export", {"dataFormat": "JSON_PACKAGE"}).json
    while not operation.get("done"):
        operation = scene("GET", f"/v3beta1/{operation['name']}").json
