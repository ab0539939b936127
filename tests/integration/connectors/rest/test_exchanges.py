"""What goes over the wire and what becomes of it: credentials, tries, errors, records."""

import asyncio
from base64 import b64encode

import pytest

from openplaybook.connectors.base import EntityQuery, Rehearsed
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    CredentialAbsent,
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.settings import AccessToken, OAuthClient, OAuthRefresh, TlsSettings, UserPassword
from tests.integration.connectors.rest.acme import BASIC, KEY, Acme, acme, call
from tests.kit.http_peer import answer

ITEMS = EntityQuery("items")


def authorizations(system: Acme) -> list[str | None]:
    return [each.header("Authorization") for each in system.peer.requests if each.target != "/token"]


async def test_an_api_key_and_the_headers_of_the_manifest_are_sent() -> None:
    async with acme() as system:
        await system.connection().check(call())
        received = system.peer.requests[0]
        assert received.target == "/v1/me"
        assert received.header("Authorization") == f"Bearer {KEY}"
        assert received.header("X-Region") == "eu"
        assert received.header("X-App") is None


async def test_a_user_and_a_password_are_sent_as_basic_credentials() -> None:
    async with acme() as system:
        await system.connection(BASIC).check(call())
        assert authorizations(system) == ["Basic " + b64encode(b"ann:s3cret-password").decode()]


async def test_a_token_is_fetched_once_for_all_calls_that_wait_for_it() -> None:
    async with acme() as system:
        connection = system.connection(OAuthClient("id", "client-secret"))
        await asyncio.gather(*(connection.check(call()) for _ in range(5)))
        assert [each.target for each in system.peer.requests].count("/token") == 1
        assert authorizations(system) == ["Bearer token1"] * 5
        form = system.peer.requests[0].body.decode()
        assert form == "grant_type=client_credentials&scope=all&client_id=id&client_secret=client-secret"


async def test_a_refresh_token_is_exchanged_for_an_access_token() -> None:
    async with acme() as system:
        await system.connection(OAuthRefresh("id", "client-secret", "refresh-token")).check(call())
        assert b"grant_type=refresh_token&refresh_token=refresh-token" in system.peer.requests[0].body
        assert authorizations(system) == ["Bearer token1"]


async def test_a_token_that_is_refused_is_fetched_anew_once_and_the_request_repeated() -> None:
    async with acme() as system:
        connection = system.connection(OAuthClient("id", "client-secret"))
        await connection.check(call())
        system.replies = [answer(b"{}", "401 Unauthorized")]
        await connection.check(call())
        assert authorizations(system) == ["Bearer token1", "Bearer token1", "Bearer token4"]


async def test_a_request_is_not_repeated_twice_for_the_credential() -> None:
    async with acme() as system:
        connection = system.connection(OAuthClient("id", "client-secret"))
        await connection.check(call())
        refusal = answer(b'{"error": {"message": "who are you"}}', "401 Unauthorized")
        token = answer(b'{"access_token": "other", "expires_in": 60}')
        system.replies = [refusal, token, refusal]
        with pytest.raises(AuthenticationRefused, match="who are you"):
            await connection.check(call())
        assert authorizations(system) == ["Bearer token1", "Bearer token1", "Bearer other"]


async def test_a_key_that_is_refused_is_not_tried_again() -> None:
    async with acme() as system:
        system.replies = [answer(b"{}", "401 Unauthorized")]
        with pytest.raises(AuthenticationRefused):
            await system.connection().check(call())
        assert len(system.peer.requests) == 1


async def test_a_session_s_token_is_all_that_goes_over_the_wire() -> None:
    async with acme() as system:
        settings = system.settings(config={"api_key": KEY, "app": "app-secret-123"}).overridden(
            AccessToken("session-token")
        )
        connection = system.connection(settings.authentication, config=settings.config, is_overridden=True)
        await connection.check(call())
        await connection.list(ITEMS, call())
        sent = repr(system.peer.requests)
        assert authorizations(system) == ["Bearer session-token"] * 2
        assert KEY not in sent
        assert "app-secret-123" not in sent


async def test_two_sessions_never_share_a_token() -> None:
    async with acme() as system:
        for secret in ("one", "two"):
            client = OAuthRefresh("id", "client-secret", secret)
            await system.connection(client, is_overridden=True).check(call())
        assert authorizations(system) == ["Bearer token1", "Bearer token3"]


async def test_without_a_credential_nothing_is_sent() -> None:
    async with acme() as system:
        with pytest.raises(CredentialAbsent, match=r"needs configVariables\.api_key"):
            system.connection(config={})
        with pytest.raises(CredentialAbsent):
            system.connection(UserPassword("ann", ""))
        assert system.peer.requests == []


async def test_a_read_is_tried_again_when_the_system_is_overloaded() -> None:
    async with acme() as system:
        system.replies = [answer(b"{}", "503 Service Unavailable"), answer(b"{}", "502 Bad Gateway")]
        asked = call()
        await system.connection().check(asked)
        assert len(system.peer.requests) == 3
        assert asked.exchanges[0].attempts == 3


async def test_a_system_that_asks_to_wait_is_asked_again_then_also_for_a_write() -> None:
    async with acme() as system:
        system.replies = [answer(b"{}", "429 Too Many Requests", Retry_After="0")]
        made = await system.connection().create("items", {"name": "a"}, call())
        assert made.key == "new"
        assert len(system.peer.requests) == 2


async def test_a_wait_that_is_longer_than_the_call_is_told_to_the_caller() -> None:
    async with acme() as system:
        system.replies = [answer(b'{"error": {"message": "too fast"}}', "429 Too Many Requests", Retry_After="60")]
        with pytest.raises(RateLimited, match="too fast; it may be asked again in 60 s") as caught:
            await system.connection().check(call())
        assert caught.value.retry_after_s == 60
        assert len(system.peer.requests) == 1


async def test_a_write_whose_reply_is_lost_is_in_doubt_and_not_sent_again() -> None:
    async with acme() as system:
        system.replies = [None]
        with pytest.raises(WriteInDoubt, match="no reply came"):
            await system.connection().create("items", {"name": "a"}, call())
        assert len(system.peer.requests) == 1


async def test_a_write_that_ends_in_a_fault_is_in_doubt_and_not_sent_again() -> None:
    async with acme() as system:
        system.replies = [answer(b"{}", "500 Internal Server Error")]
        with pytest.raises(WriteInDoubt, match="not tried again"):
            await system.connection().create("items", {"name": "a"}, call())
        assert len(system.peer.requests) == 1


async def test_a_write_with_an_idempotency_key_is_sent_again_with_the_same() -> None:
    async with acme() as system:
        system.replies = [None, answer(b"{}", "503 Service Unavailable")]
        await system.connection().create("items", {"name": "a"}, call(idempotency_key="k1"))
        assert [each.header("Idempotency-Key") for each in system.peer.requests] == ["k1"] * 3


async def test_an_entity_that_the_lost_first_try_took_away_is_taken_away() -> None:
    async with acme() as system:
        system.replies = [None, answer(b"{}", "404 Not Found")]
        await system.connection().delete("items", "a", call())
        system.replies = [answer(b"{}", "404 Not Found")]
        with pytest.raises(EntityNotFound):
            await system.connection().delete("items", "a", call())


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("400 Bad Request", InvalidValue),
        ("402 Payment Required", PermissionRefused),
        ("403 Forbidden", PermissionRefused),
        ("404 Not Found", EntityNotFound),
        ("405 Method Not Allowed", OperationUnsupported),
        ("409 Conflict", EntityConflict),
        ("412 Precondition Failed", EntityConflict),
        ("422 Unprocessable Entity", InvalidValue),
        ("500 Internal Server Error", SystemFault),
        ("418 I'm a teapot", SystemFault),
    ],
)
async def test_an_error_of_the_system_is_told_in_our_words_and_its_own(
    status: str, error: type[ConnectorError]
) -> None:
    async with acme() as system:
        system.replies = [answer(b'{"error": {"message": "a bad name", "code": "bad", "field": "name"}}', status)]
        with pytest.raises(error, match="bad: a bad name") as caught:
            await system.connection().get("items", "a", (), call())
        if isinstance(caught.value, InvalidValue):
            assert caught.value.field == "name"


async def test_an_error_in_a_reply_with_status_200_is_one() -> None:
    async with acme() as system:
        for reply, error in (
            (b'{"ok": false, "error": {"code": "slow_down"}}', RateLimited),
            (b'{"ok": false, "error": {"code": "gone"}}', EntityNotFound),
            (b'{"ok": false, "error": {"code": "other"}}', SystemFault),
        ):
            system.replies = [answer(reply)]
            with pytest.raises(error):
                await system.connection().check(call())


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (answer(b"<html>", content_type="text/html"), r"is not JSON \(text/html\)"),
        (answer(b'{"data": ['), "is not JSON"),
        (answer(b"[" * 5_000 + b"]" * 5_000), "is not JSON|objects and arrays"),
        (answer(b"[" * 200 + b"]" * 200), "more than 100 objects and arrays"),
        (answer(b" " * 8_100_000), "longer than 8,000,000 bytes"),
    ],
)
async def test_a_reply_that_cannot_be_read_is_a_fault_of_the_system(reply: bytes, reason: str) -> None:
    async with acme() as system:
        system.replies = [reply]
        with pytest.raises(SystemFault, match=reason):
            await system.connection().list(ITEMS, call())


@pytest.mark.parametrize(
    "reply", [answer(b'{"id": '), answer(b"[" * 200 + b"]" * 200), answer(b" {" + b" " * 8_100_000)]
)
async def test_a_write_that_was_taken_and_whose_reply_cannot_be_read_is_in_doubt(reply: bytes) -> None:
    async with acme() as system:
        system.replies = [reply]
        with pytest.raises(WriteInDoubt, match="took the write"):
            await system.connection().create("items", {"name": "a"}, call())
        assert len(system.peer.requests) == 1


async def test_a_write_may_be_answered_in_another_format() -> None:
    async with acme() as system:
        system.replies = [answer(b"OK", content_type="text/plain")]
        result = await system.connection().execute("Close", {"id": "a"}, call())
        assert result.rows == ()


async def test_a_system_that_is_not_there_is_unavailable() -> None:
    async with acme() as system:
        connection = system.connection()
    with pytest.raises(SystemUnavailable):
        await connection.check(call(timeout_s=0.3))


async def test_a_redirect_is_followed_within_the_origin_only() -> None:
    async with acme() as system:
        system.replies = [answer(b"", "301 Moved Permanently", Location="/v1/other")]
        await system.connection().check(call())
        assert system.sent() == ["GET /v1/me", "GET /v1/other"]
        system.replies = [answer(b"", "302 Found", Location="http://127.0.0.2:1/x")]
        with pytest.raises(SystemFault, match="leads to another host"):
            await system.connection().check(call())
        system.replies = [answer(b"", "307 Temporary Redirect", Location="/v1/other")]
        with pytest.raises(SystemFault, match="answered 307"):
            await system.connection().create("items", {"name": "a"}, call())


async def test_no_secret_is_in_a_record_wherever_the_system_echoes_it() -> None:
    async with acme() as system:
        system.replies = [
            answer(b'{"error": {"message": "bad key ' + KEY.encode() + b'"}}', "400 Bad Request", X_Echo="1")
        ]
        asked = call()
        with pytest.raises(InvalidValue) as caught:
            await system.connection(config={"api_key": KEY, "app": "app-secret-123"}).check(asked)
        told = repr(asked.exchanges) + repr(asked) + str(caught.value)
        assert KEY not in told
        assert "app-secret-123" not in told
        assert asked.exchanges[0].status == 400
        assert asked.exchanges[0].address == f"{system.peer.url}/v1/me"
        assert asked.exchanges[0].error


async def test_no_part_of_a_secret_is_in_a_record_that_is_cut_within_it() -> None:
    key = "".join(f"{number:03}" for number in range(30))
    echoed = b'{"error": {"message": "' + b" ".join([key.encode()] * 200) + b'"}}'
    assert echoed[:8_000].decode().rpartition(" ")[2] not in ("", key)
    async with acme() as system:
        system.replies = [answer(echoed, "400 Bad Request")]
        asked = call()
        with pytest.raises(InvalidValue):
            await system.connection(config={"api_key": key, "app": "app-secret-123"}).check(asked)
        assert key[:6] not in f"{asked.exchanges} {asked}"


async def test_a_rehearsal_records_what_would_be_sent_and_sends_nothing() -> None:
    async with acme() as system:
        for connection in (system.connection(), system.connection(OAuthClient("id", "client-secret"))):
            asked = call(is_rehearsal=True)
            with pytest.raises(Rehearsed):
                await connection.create("items", {"name": "a"}, asked)
            told = asked.exchanges[0]
            assert (told.method, told.address, told.request) == ("POST", f"{system.peer.url}/v1/items", '{"name":"a"}')
            assert told.request_headers["Authorization"] == "[redacted]"
        assert system.peer.requests == []


async def test_a_connection_that_only_reads_sends_no_write() -> None:
    async with acme([{"id": "a"}]) as system:
        connection = system.connection(config={"api_key": KEY, "read_only": True})
        for write in (
            connection.create("items", {"name": "a"}, call()),
            connection.update("items", "a", {"name": "b"}, call()),
            connection.delete("items", "a", call()),
            connection.execute("Close", {"id": "a"}, call()),
        ):
            with pytest.raises(WriteRefused, match="read-only"):
                await write
        await connection.list(ITEMS, call())
        await connection.execute("Ping", {}, call())
        assert system.sent() == ["GET /v1/items?limit=25", "GET /v1/ping"]


async def test_headers_of_the_call_are_sent_besides_ours_and_never_in_their_place() -> None:
    async with acme() as system:
        headers = {"Authorization": "Bearer other", "X-Trace": "t1", "Host": "evil.example", "x-region": "us"}
        headers |= {"X-HTTP-Method-Override": "DELETE", "x-http-method": "DELETE", "X-Method-Override": "DELETE"}
        await system.connection().check(call(headers=headers))
        received = system.peer.requests[0]
        assert received.header("Authorization") == f"Bearer {KEY}"
        assert received.header("X-Trace") == "t1"
        assert received.header("X-Region") == "eu"
        assert received.header("Host") == f"127.0.0.1:{system.peer.port}"
        assert not [name for name, _ in received.headers if "method" in name.lower()]


async def test_settings_that_cannot_be_used_are_refused_with_the_field() -> None:
    async with acme() as system:
        with pytest.raises(InvalidConnection, match=r"sslConfig\.trustModel"):
            system.connection(tls=TlsSettings(skips_verification=True))
        with pytest.raises(InvalidConnection, match="line break"):
            await system.connection(config={"api_key": "a\r\nX: y"}).check(call())
