"""Plain HTTP, as curl would speak it."""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads

LOCATION = "projects/p/locations/global"

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def json(self) -> JsonValue:
        """The body, which has to be JSON."""
        assert self.headers["content-type"].startswith("application/json"), self.headers
        return loads(self.body)

    @property
    def error(self) -> tuple[int, str, str]:
        """Code, status and message of a refusal in Google's form, whose code is the HTTP status too."""
        told: JsonObject = self.json["error"]
        assert told["code"] == self.status
        return told["code"], told["status"], told["message"]


class Rest:
    """A server's REST API."""

    def __init__(self, base_url: str) -> None:
        place = urlsplit(base_url)
        assert place.hostname is not None
        self._place = (place.hostname, place.port)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = _NO_HEADERS
    ) -> Answer:
        """The answer to a request whose body is sent as it is."""
        connection = http.client.HTTPConnection(*self._place, timeout=60)
        try:
            given = {"Content-Type": "application/json", **headers} if body is not None else dict(headers)
            connection.request(method, path, body, given)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, response.read(), named)
        finally:
            connection.close()

    def first_part(self, path: str, body: bytes, headers: Mapping[str, str], *, until: bytes) -> None:
        """Post, read the answer up to some bytes that have to come, and hang up."""
        connection = http.client.HTTPConnection(*self._place, timeout=60)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
            response, seen = connection.getresponse(), b""
            while until not in seen:
                piece = response.read1()
                assert piece != b"", seen
                seen += piece
        finally:
            connection.close()

    def __call__(self, method: str, path: str, body: JsonValue = None) -> JsonValue:
        """The JSON that a request which has to succeed is answered with; `path` begins behind `/`."""
        answer = self.send(method, f"/{path}", None if body is None else dumps(body))
        assert answer.status == 200, answer.body
        return answer.json

    def agent(self, display_name: str = "Shop", **fields: JsonValue) -> str:
        """The name of a new agent."""
        body = {"displayName": display_name, "defaultLanguageCode": "en", "timeZone": "Etc/UTC", **fields}
        return self("POST", f"v3/{LOCATION}/agents", body)["name"]

    def tool(self, agent: str, display_name: str, **specification: JsonValue) -> str:
        """The name of a new tool."""
        body = {"displayName": display_name, "description": f"The tool {display_name}.", **specification}
        return self("POST", f"v3beta1/{agent}/tools", body)["name"]

    def start(self, agent: str, *steps: str, display_name: str = "Desk") -> str:
        """The name of a new playbook with these steps, with which the agent starts from now on."""
        instruction = {"steps": [{"text": step} for step in steps]}
        body = {"displayName": display_name, "goal": "Help.", "instruction": instruction}
        playbook = self("POST", f"v3/{agent}/playbooks", body)["name"]
        self("PATCH", f"v3/{agent}?updateMask=startPlaybook", {"startPlaybook": playbook})
        return playbook

    def detect(self, session: str, query: JsonObject, *, version: str = "v3", **more: JsonValue) -> Answer:
        """The answer to a detectIntent in English."""
        body = {"queryInput": {**query, "languageCode": "en"}, **more}
        return self.send("POST", f"/{version}/{session}:detectIntent", dumps(body))

    def say(self, session: str, text: str, *, version: str = "v3", **more: JsonValue) -> JsonObject:
        """The query result of a text that has to be answered."""
        answer = self.detect(session, {"text": {"text": text}}, version=version, **more)
        assert answer.status == 200, answer.body
        return answer.json["queryResult"]


def words(result: JsonObject) -> str:
    """What the agent said in a query result."""
    messages = result.get("responseMessages", [])
    return " ".join(text for message in messages for text in message.get("text", {}).get("text", []))
