"""Web pages of other origins."""

import pytest
from starlette.types import Message, Scope

from openplaybook.server.browsers import BrowserGuard
from openplaybook.server.cors import Cors, parse_origins
from openplaybook.server.errors import SettingsError

SHOP = "https://shop.example"
ALLOWED = Cors([SHOP])
ASKING = {"origin": SHOP, "access-control-request-method": "POST"}


def scope(method: str = "OPTIONS", **headers: str) -> Scope:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = [(name.encode(), value.encode()) for name, value in named.items()]
    return {"type": "http", "method": method, "path": "/v3/x", "headers": given}


def preflight(cors: Cors, **headers: str) -> dict[str, str] | None:
    answer = cors.preflight(scope(**{**ASKING, **headers}))
    return None if answer is None else {name: value for name, value in answer.headers.items() if name[:4] != "cont"}


async def sent(cors: Cors, **headers: str) -> list[tuple[bytes, bytes]]:
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    given: Message = {"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]}
    await cors.sending(scope("GET", **headers), send)(given)
    return messages[0]["headers"]


def test_a_browser_that_asks_first_is_told_what_it_may_send() -> None:
    assert preflight(ALLOWED, access_control_request_headers="authorization, x-goog-request-id") == {
        "access-control-allow-origin": SHOP,
        "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
        "access-control-allow-headers": "authorization, x-goog-request-id",
        "access-control-max-age": "600",
        "vary": "Origin",
    }


def test_a_page_on_the_internet_may_reach_into_a_private_network_where_it_is_allowed() -> None:
    answer = preflight(ALLOWED, access_control_request_private_network="true")
    assert answer is not None
    assert answer["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://shop.example"},
        {"origin": "https://shop.example.evil.example"},
        {"origin": "https://shop.example:8443"},
        {"origin": "null"},
    ],
)
async def test_other_origins_are_told_nothing(headers: dict[str, str]) -> None:
    assert preflight(ALLOWED, **headers) is None
    assert await sent(ALLOWED, **headers) == [(b"a", b"b"), (b"vary", b"Origin")]


async def test_a_page_that_may_reads_the_answer_and_its_warnings() -> None:
    assert await sent(ALLOWED, origin=SHOP) == [
        (b"a", b"b"),
        (b"access-control-allow-origin", SHOP.encode()),
        (b"vary", b"Origin"),
        (b"access-control-expose-headers", b"x-openplaybook-warning, retry-after, www-authenticate"),
    ]


def test_all_origins_are_a_star_and_never_with_credentials() -> None:
    answer = preflight(Cors(["*"]), origin="https://any.example")
    assert answer is not None
    assert answer["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer


def test_an_options_request_that_is_no_preflight_is_the_apis() -> None:
    assert ALLOWED.preflight(scope(origin=SHOP)) is None
    assert ALLOWED.preflight(scope("GET", **ASKING)) is None


@pytest.mark.parametrize("text", ["shop.example", "https://shop.example/", "ftp://shop.example", "https://", "null"])
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"must be \* or an origin such as https://shop\.example"):
        parse_origins(text, is_authenticated=True)


def test_no_origins_are_no_cors() -> None:
    assert parse_origins(" , ", is_authenticated=False) is None


def test_on_a_server_without_keys_only_the_origins_that_are_named_pass_the_guard() -> None:
    guard = BrowserGuard(host="127.0.0.1", cors=parse_origins("https://Shop.example", is_authenticated=False))
    refused = [
        guard.refusal(scope("POST", host="localhost:8080", origin=origin, sec_fetch_site="cross-site")) is not None
        for origin in (SHOP, "https://evil.example")
    ]
    assert refused == [False, True]
    assert guard.refusal(scope("POST", host="evil.example", origin=SHOP)) is not None, "rebound names stay refused"
    assert guard.refusal(scope("GET", host="localhost:8080", sec_fetch_site="cross-site")) is not None
