"""What goes wrong behind a tool: told to the model, shown in the trace, and the session goes on."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.odd_api import Asker, make_asker
from tests.e2e.kit.rest import Rest, words
from tests.kit.background import Background
from tests.kit.http_peer import Answer, HttpPeer, Received, answer, http_peer

SECRET = "token-that-nobody-may-see"

Asking = Callable[[Answer], Asker]


@pytest.fixture
def asking(background: Background, rest: Rest) -> Iterator[Asking]:
    """Makes an agent whose API gives these answers."""
    with ExitStack() as stack:

        def make(reply: Answer) -> Asker:
            peer: HttpPeer = stack.enter_context(background.entered(http_peer(reply)))
            return make_asker(rest, peer.url, authentication={"bearerTokenConfig": {"token": SECRET}})

        yield make


def told(asker: Asker) -> tuple[str, JsonObject]:
    """What the agent says of the call, and how the trace shows it; afterwards the session must still be usable."""
    result = asker.rest.say(asker.session, "ask the api")
    [call] = result["diagnosticInfo"]["Tool Calls"]
    assert "Traceback" not in str(result)
    assert SECRET not in str(result)
    assert words(asker.rest.say(asker.session, "hello")) == "You said: hello"
    return words(result), call


def test_a_good_answer_is_told(asking: Asking) -> None:
    said, call = told(asking(lambda received: answer(b'"yes"')))
    assert said == "The API said yes."
    assert "Error" not in call


def test_an_error_of_the_service_keeps_its_body(asking: Asking) -> None:
    body = b'{"error": {"message": "The shelf is empty."}, "detail": {"shelf": 4}}'
    said, call = told(asking(lambda received: answer(body, "500 Internal Server Error")))
    assert said == "That failed: HTTP_ERROR: the API answered 500 Internal Server Error: The shelf is empty."
    assert call["Requests"][0]["responseBody"] == body.decode()


def test_a_page_instead_of_json_is_no_answer(asking: Asking) -> None:
    page = b"<html><body><h1>Bad   gateway</h1></body></html>"
    said, call = told(asking(lambda received: answer(page, content_type="text/html")))
    assert said == (
        "That failed: NOT_JSON: the API answered 200, but what it sent (text/html) is not JSON."
        " It begins: <html><body><h1>Bad gateway</h1></body></html>"
    )
    assert call["Error"]["code"] == "NOT_JSON"


def test_an_answer_that_only_claims_to_be_json_is_none(asking: Asking) -> None:
    said, _ = told(asking(lambda received: answer(b"{oops")))
    assert said == (
        "That failed: NOT_JSON: the API answered 200, but what it sent (application/json) is not JSON. It begins: {oops"
    )


def test_an_endless_body_is_cut(asking: Asking) -> None:
    body = dumps(["x" * 1000] * 50_000)
    assert len(body) > 50_000_000
    said, call = told(asking(lambda received: answer(body)))
    assert said.startswith("The API said ")
    assert len(said) < 100_000
    assert "the rest was not read" in call["Note"]


def test_a_refused_connection_is_told(rest: Rest) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    said, call = told(make_asker(rest, f"http://127.0.0.1:{port}"))
    assert said.startswith("That failed: CONNECTION_FAILED: ")
    assert call["Requests"][0]["status"] == 0


def test_a_connection_that_breaks_is_told(asking: Asking) -> None:
    said, _ = told(asking(lambda received: None))
    assert said.startswith("That failed: ")


def test_a_host_that_does_not_exist_is_told(rest: Rest) -> None:
    said, _ = told(make_asker(rest, "http://nothing.invalid"))
    assert said.startswith("That failed: ")


@pytest.mark.proves("A11")
def test_metadata_addresses_are_refused(rest: Rest) -> None:
    said, _ = told(make_asker(rest, "http://169.254.169.254"))
    assert said.startswith("That failed: ADDRESS_REFUSED: ")


@dataclass
class HeldApi:
    """An API that does not answer before it is let."""

    asked: threading.Event = field(default_factory=threading.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def reply(self, received: Received) -> bytes:
        self.asked.set()
        await self.released.wait()
        return answer(b'"late"')


def test_an_api_that_takes_longer_than_the_caller_waits_ends_the_turn(asking: Asking) -> None:
    asker = asking(HeldApi().reply)
    body = dumps({"queryInput": {"text": {"text": "ask the api"}, "languageCode": "en"}})
    path = f"/v3/{asker.session}:detectIntent"
    late = asker.rest.send("POST", path, body, {"X-Server-Timeout": "0.3"})
    assert late.error[:2] == (504, "DEADLINE_EXCEEDED")
    assert words(asker.rest.say(asker.session, "hello")) == "You said: hello"


def test_a_second_request_that_cannot_wait_for_the_first_is_aborted(asking: Asking, background: Background) -> None:
    held = HeldApi()
    asker = asking(held.reply)
    first: list[str] = []
    speaker = threading.Thread(target=lambda: first.append(words(asker.rest.say(asker.session, "ask the api"))))
    speaker.start()
    assert held.asked.wait(20)
    body = dumps({"queryInput": {"text": {"text": "hello"}, "languageCode": "en"}})
    second = asker.rest.send("POST", f"/v3/{asker.session}:detectIntent", body, {"X-Server-Timeout": "0.2"})
    assert second.error == (409, "ABORTED", "Another turn of session 1 is still running.")
    background.call_soon(held.released.set)
    speaker.join(20)
    assert first == ["The API said late."]
