"""Web pages of other origins."""

from collections import Counter

import pytest
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from openplaybook.server.browser_guard import BrowserGuard
from openplaybook.server.cors import Cors, parse_origins
from openplaybook.server.errors import SettingsError

SHOP = "https://shop.example"
ALLOWED = Cors([SHOP])
ASKING = {"origin": SHOP, "access-control-request-method": "POST"}
EXPOSED = "x-openplaybook-warning, retry-after, www-authenticate"


def scope(method: str = "OPTIONS", **headers: str) -> Scope:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = [(name.encode(), value.encode()) for name, value in named.items()]
    return {"type": "http", "method": method, "path": "/v3/x", "headers": given}


async def api(scope: Scope, receive: Receive, send: Send) -> None:
    await JSONResponse({"from": "the API"}, headers={"vary": "Accept", "retry-after": "1"})(scope, receive, send)


async def answered(cors: Cors, asked: Scope) -> tuple[int, dict[str, str]]:
    """Status and headers, each of which has to be there once."""
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        messages.append(message)

    await cors.around(api)(asked, receive, send)
    headers: list[tuple[bytes, bytes]] = messages[0]["headers"]
    assert [name for name, times in Counter(name.lower() for name, _ in headers).items() if times > 1] == []
    named = {name.decode(): value.decode() for name, value in headers}
    return messages[0]["status"], {name: value for name, value in named.items() if not name.startswith("content")}


async def preflight(cors: Cors, **headers: str) -> tuple[int, dict[str, str]]:
    return await answered(cors, scope(**{**ASKING, **headers}))


async def test_a_browser_that_asks_first_is_told_what_it_may_send() -> None:
    status, headers = await preflight(ALLOWED, access_control_request_headers="authorization, x-goog-request-id")
    assert "Origin" in headers.pop("vary").split(", ")
    assert (status, headers) == (
        200,
        {
            "access-control-allow-origin": SHOP,
            "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
            "access-control-allow-headers": "authorization, x-goog-request-id",
            "access-control-max-age": "600",
        },
    )


async def test_a_page_on_the_internet_may_reach_into_a_private_network_where_it_is_allowed() -> None:
    _, headers = await preflight(ALLOWED, access_control_request_private_network="true")
    assert headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://shop.example",
        "https://shop.example.evil.example",
        "https://shop.example:8443",
        "https://shop.example@evil.example",
        "https://shop.example/evil",
        "null",
        "",
    ],
)
async def test_other_origins_are_told_nothing(origin: str) -> None:
    status, headers = await preflight(ALLOWED, origin=origin)
    assert (status, "access-control-allow-origin" in headers) == (400, False)
    status, headers = await answered(ALLOWED, scope("GET", origin=origin))
    assert (status, headers["vary"], "access-control-allow-origin" in headers) == (200, "Accept, Origin", False)


@pytest.mark.parametrize(
    ("named", "origin"),
    [
        ("https://Shop.Example", "https://shop.example"),
        ("https://shop.example:443", "https://shop.example"),
        ("https://shop.example.", "https://shop.example"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://[2001:DB8:0::1]:8080", "http://[2001:db8::1]:8080"),
    ],
)
async def test_an_origin_may_be_named_in_any_spelling(named: str, origin: str) -> None:
    cors = parse_origins(named, is_authenticated=False)
    assert cors is not None
    _, headers = await answered(cors, scope("GET", origin=origin))
    assert headers["access-control-allow-origin"] == origin


async def test_a_page_that_may_reads_the_answer_and_its_warnings() -> None:
    assert await answered(ALLOWED, scope("GET", origin=SHOP)) == (
        200,
        {
            "vary": "Accept, Origin",
            "retry-after": "1",
            "access-control-allow-origin": SHOP,
            "access-control-expose-headers": EXPOSED,
        },
    )


async def test_all_origins_are_a_star_and_never_with_credentials() -> None:
    for asked in (scope("GET", origin="https://any.example"), scope(**{**ASKING, "origin": "https://any.example"})):
        _, headers = await answered(Cors(["*"]), asked)
        assert headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in headers


async def test_an_options_request_that_is_no_preflight_is_the_apis() -> None:
    assert (await answered(ALLOWED, scope(origin=SHOP)))[1]["retry-after"] == "1"
    assert (await answered(ALLOWED, scope("GET", **ASKING)))[1]["retry-after"] == "1"


@pytest.mark.parametrize(
    "text",
    [
        "shop.example",
        "https://shop.example/",
        "ftp://shop.example",
        "https://",
        "null",
        "https://shop.example:0",
        "https://shop.example:99999",
        "https://user@shop.example",
        "https://127.1",
        "https://*.example",
    ],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"must be \* or an origin such as https://shop\.example"):
        parse_origins(text, is_authenticated=True)


def test_all_pages_may_only_where_callers_are_asked_who_they_are() -> None:
    with pytest.raises(SettingsError, match="name the origins"):
        parse_origins("*", is_authenticated=False)


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
