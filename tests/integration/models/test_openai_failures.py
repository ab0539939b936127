import socket
import ssl
from dataclasses import replace

import pytest
import trustme

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import Model
from openplaybook.models.errors import (
    ModelError,
    ModelGarbled,
    ModelNotConfigured,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from openplaybook.models.model_registry import create_model
from tests.integration.models import chat_peer
from tests.integration.models.chat_peer import asked, call, completion, said
from tests.integration.models.peer import Answer, Peer, answer
from tests.kit.http_peer import http_peer
from tests.unit.models.model_turns import a_turn


def refused(status: int, message: str = "no", **more: object) -> Answer:
    return answer({"error": {"message": message, **more}}, status)


async def failure(model: Model, error: type[ModelError], timeout_s: float = 60.0) -> ModelError:
    with pytest.raises(error) as caught:
        await model.decide(replace(a_turn("hello"), timeout_s=timeout_s))
    return caught.value


async def test_a_rate_limit_is_waited_for_and_counted(chat: Peer, model: Model) -> None:
    chat.will(answer({"error": {}}, 429, Retry_After="0.01"), answer({}, 503, retry_after_ms="10"), said("Hi."))
    reply = await model.decide(a_turn("hello"))
    assert (reply.text, reply.attempts) == ("Hi.", 3)
    assert chat.requests[0].body == chat.requests[2].body


async def test_a_wait_longer_than_the_deadline_is_not_begun(chat: Peer, model: Model) -> None:
    chat.will(answer({"error": {}}, 429, Retry_After="120"))
    error = await failure(model, ModelRateLimited)
    assert isinstance(error, ModelRateLimited)
    assert (error.retry_after_s, error.attempts) == (120, 1)


async def test_after_three_requests_it_gives_up(chat: Peer, model: Model) -> None:
    chat.will(*[answer({"error": {}}, 500, Retry_After="0")] * 3)
    error = await failure(model, ModelUnavailable)
    assert (error.code, error.attempts, len(chat.requests)) == ("MODEL_UNAVAILABLE", 3, 3)
    assert str(error) == f"{chat.base_url.removeprefix('http://')} answered 500."


async def test_no_answer_is_a_timeout(chat: Peer, model: Model) -> None:
    chat.will(Answer(b"", is_never=True))
    error = await failure(model, ModelTimeout, timeout_s=0.05)
    assert (error.code, error.attempts) == ("MODEL_TIMEOUT", 1)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (
            401,
            "rejects the API key (401, code 'invalid_api_key'): set OPENAI_API_KEY to one that it accepts.",
        ),
        (
            403,
            "does not allow this to the API key (403, code 'invalid_api_key', message 'Incorrect API key provided: "
            "….'): set OPENAI_API_KEY to one that may.",
        ),
    ],
)
async def test_a_wrong_key_is_called_wrong_and_its_variable_is_named(
    chat: Peer, model: Model, status: int, said: str
) -> None:
    chat.will(refused(status, "Incorrect API key provided: sk-secret.", code="invalid_api_key", param=None))
    error = await failure(model, ModelRejected)
    assert isinstance(error, ModelRejected)
    assert str(error) == f"{chat.base_url.removeprefix('http://')} {said}"
    assert (error.code, error.attempts, error.status, error.is_key_refused) == ("MODEL_REJECTED", 1, status, True)


async def test_a_wrong_key_that_google_answers_with_400_is_called_wrong(chat: Peer, model: Model) -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    error_object = {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": details}
    chat.will(Answer(dumps([{"error": error_object}]), 400))
    error = await failure(model, ModelRejected)
    assert str(error).endswith(" rejects the API key (400): set OPENAI_API_KEY to one that it accepts.")


async def test_a_server_that_wants_a_key_and_got_none_is_told_so(chat: Peer) -> None:
    model = create_model("openai:m", {"OPENAI_BASE_URL": chat.base_url})
    chat.will(refused(401, "who are you"))
    error = await failure(model, ModelRejected)
    await model.aclose()
    assert str(error) == f"{chat.base_url.removeprefix('http://')} requires an API key (401): set OPENAI_API_KEY."


async def test_an_address_with_nothing_at_it_is_told_from_a_missing_model(chat: Peer, model: Model) -> None:
    chat.will(Answer(b"404 page not found", 404), refused(404, "model 'm' not found"))
    host = chat.base_url.removeprefix("http://")
    assert str(await failure(model, ModelRejected)) == (
        f"{host} answered 404. Nothing is at /v1/chat/completions: with most servers, OPENAI_BASE_URL ends with /v1."
    )
    missing = "message \"model 'm' not found\""
    assert str(await failure(model, ModelRejected)) == f"{host} answered 404 ({missing})."


async def test_a_bad_request_is_reported_without_the_words_of_the_prompt(chat: Peer, model: Model) -> None:
    chat.will(refused(400, "cannot take 'hello'", type="invalid_request_error", param="messages"))
    error = await failure(model, ModelRejected)
    host = chat.base_url.removeprefix("http://")
    assert str(error) == f"{host} answered 400 (type 'invalid_request_error', param 'messages')."
    assert (error.status, error.provider_message) == (400, "cannot take 'hello'")


async def test_an_exhausted_quota_is_not_asked_again(chat: Peer, model: Model) -> None:
    chat.will(refused(429, "You exceeded your quota.", code="insufficient_quota"))
    assert (await failure(model, ModelRejected)).attempts == 1


async def test_a_redirect_is_not_followed(chat: Peer, model: Model) -> None:
    chat.will(answer({}, 307, Location="http://127.0.0.1:1/"))
    await failure(model, ModelRejected)
    assert len(chat.requests) == 1


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (Answer(b"<html>Welcome</html>"), "responded with something that is not JSON"),
        (Answer(b"[]"), "responded with JSON that is not an object"),
        (answer({"choices": []}), "openai:m returned a response without $.choices[0].message"),
        (answer({"choices": [{"message": None}]}), "openai:m returned a response without $.choices[0].message"),
        (asked({"id": "a", "function": {}}), "openai:m returned a call without a name at $.tool_calls[0]"),
    ],
)
async def test_an_answer_that_is_none_is_garbled(chat: Peer, model: Model, given: Answer, problem: str) -> None:
    chat.will(given)
    error = await failure(model, ModelGarbled)
    assert str(error).endswith(f"{problem}.")
    assert (error.code, error.attempts) == ("MODEL_GARBLED", 1)


async def test_an_error_inside_a_good_status_counts_as_one(chat: Peer, model: Model) -> None:
    chat.will(answer({"error": {"code": 404, "message": "no such model"}}))
    error = await failure(model, ModelRejected)
    assert str(error).endswith("answered 404 (message 'no such model').")


async def test_an_answer_cut_short_is_asked_for_again(chat: Peer, model: Model) -> None:
    chat.will(Answer(b'{"choices":', is_cut=True), said("Hi."))
    reply = await model.decide(a_turn("hello"))
    assert (reply.text, reply.attempts) == ("Hi.", 2)


@pytest.mark.parametrize(
    ("sent", "kind", "said"),
    [
        (None, ModelUnavailable, "closed the connection before its response was complete."),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", ModelGarbled, "sent a response that is not HTTP."),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
            ModelUnavailable,
            "sent a response whose body cannot be read: it is broken.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            ModelUnavailable,
            "sent a response whose body cannot be read: it is broken.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2**20,
            ModelGarbled,
            "sent far more next to its response body than belongs there.",
        ),
    ],
)
async def test_what_is_no_response_is_told_in_words(sent: bytes | None, kind: type[ModelError], said: str) -> None:
    async with http_peer(lambda _: sent) as server:
        model = create_model("openai:m", {"OPENAI_BASE_URL": server.url})
        error = await failure(model, kind)
        await model.aclose()
    assert str(error) == f"127.0.0.1:{server.port} {said}"


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        model = create_model("openai:m", {"OPENAI_BASE_URL": f"http://127.0.0.1:{unused.getsockname()[1]}"})
        error = await failure(model, ModelUnavailable, timeout_s=0.3)
    assert str(error).endswith("cannot be reached, or closed the connection: ConnectionRefusedError.")
    await model.aclose()


async def test_a_server_whose_certificate_nobody_vouches_for_is_refused() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    async with Peer(chat_peer.faults).serving(context) as peer:
        model = create_model("openai:m", {"OPENAI_BASE_URL": peer.base_url})
        error = await failure(model, ModelRejected)
        await model.aclose()
    assert str(error).endswith("cannot be trusted: SSLCertVerificationError.")
    assert peer.requests == []


async def test_a_refusal_and_content_in_parts_are_words(chat: Peer, model: Model) -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "thinking"}, {"type": "text", "text": "lo"}]
    chat.will(completion({"content": None, "refusal": "I cannot."}), completion({"content": parts}))
    assert (await model.decide(a_turn("x"))).text == "I cannot."
    assert (await model.decide(a_turn("x"))).text == "Hello"


async def test_a_server_without_a_key_gets_none(chat: Peer) -> None:
    chat.will(asked(call("a", "get_weather", {"city": "Rome"})))
    model = create_model("openai:m", {"OPENAI_BASE_URL": chat.base_url})
    reply = await model.decide(a_turn("x"))
    assert "authorization" not in chat.requests[0].headers
    assert reply.calls[0].arguments == {"city": "Rome"}
    await model.aclose()


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999", "http://[::1"])
def test_a_base_url_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ModelNotConfigured, match="OPENAI_BASE_URL is no URL: "):
        create_model("openai:m", {"OPENAI_BASE_URL": url})
