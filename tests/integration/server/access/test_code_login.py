"""Login at an identity provider, by requests as a browser sends them and over the wire to the provider."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from openplaybook.credentials.sealer import Sealer
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.access.browser_login import LOGIN_S
from openplaybook.server.access.code_login import CodeLogin, LoginClient
from openplaybook.server.access.console_sessions import ConsoleSessions
from openplaybook.server.access.oidc import TokenVerifier
from openplaybook.server.access.provider_keys import ProviderKeys
from openplaybook.server.access.role_claims import RoleClaims, parse_role_map
from tests.kit.identity_provider import AUDIENCE
from tests.kit.login_provider import CLIENT, SECRET, LoginProvider, login_provider

HOST = "http://console.test"
OWN = {"sec-fetch-site": "same-origin", "x-openplaybook-console": "1"}


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Browser:
    """A browser at a server, and what it comes to at the provider."""

    def __init__(self, provider: LoginProvider, client: httpx.AsyncClient, sessions: ConsoleSessions) -> None:
        self.provider = provider
        self.client = client
        self.sessions = sessions

    async def begin(self, then: str = "/console/health") -> str:
        """The address at the provider that the server leads to."""
        response = await self.client.get("/console/session/login", params={"then": then})
        assert response.status_code == 303, response.text
        return response.headers["location"]

    async def back(self, address: str) -> str:
        """Where the provider sends the browser."""
        async with httpx.AsyncClient() as outside:
            return (await outside.get(address)).headers["location"]

    async def log_in(self, then: str = "/console/health") -> httpx.Response:
        return await self.client.get(await self.back(await self.begin(then)))


@asynccontextmanager
async def browsing(
    secret: str = "", audience: str = AUDIENCE, clock: Clock | None = None, public_url: str = ""
) -> AsyncGenerator[Browser]:
    async with login_provider(secret) as provider:
        transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
        keys = ProviderKeys(provider.issuer, transport)
        tokens = TokenVerifier(provider.issuer, audience, RoleClaims("roles", parse_role_map("")), keys)
        sealer = Sealer([bytes(32)])
        asked = LoginClient(provider.issuer, CLIENT, secret, "openid profile")
        times = clock or Clock()
        sessions = ConsoleSessions(
            sealer,
            CallerAuthenticator(None, tokens).principal,
            times,
            login=CodeLogin(asked, tokens, sealer, transport, times),
            public_url=public_url,
        )
        async with httpx.AsyncClient(transport=httpx.ASGITransport(sessions), base_url=HOST) as client:
            yield Browser(provider, client, sessions)
        await transport.aclose()


async def let_in(browser: Browser) -> str:
    """The role that the console's cookie gives; empty for none."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
    headers = browser.sessions.with_key({**OWN, "cookie": cookies})
    return headers.get("authorization", "")


@pytest.mark.parametrize("secret", ["", SECRET], ids=["public", "confidential"])
async def test_whoever_logs_in_at_the_provider_is_let_in(secret: str) -> None:
    async with browsing(secret) as browser:
        response = await browser.log_in("/console/health?x=1")
        assert (response.status_code, response.headers["location"]) == (303, "/console/health?x=1")
        assert (await let_in(browser)).startswith("Bearer ey")
        asked = browser.provider.asked_for
        assert asked["redirect_uri"] == f"{HOST}/console/session/callback"
        assert (asked["response_type"], asked["client_id"], asked["scope"]) == ("code", CLIENT, "openid profile")
        assert (asked["code_challenge_method"], len(asked["code_challenge"])) == ("S256", 43)
        session = next(line for line in response.headers.get_list("set-cookie") if line.startswith("openplaybook="))
        assert {"HttpOnly", "SameSite=strict"} <= set(session.split("; "))


async def test_an_id_token_lets_in_where_the_client_is_the_audience() -> None:
    async with browsing(audience=CLIENT) as browser:
        browser.provider.identity = {"roles": "admin"}
        assert (await browser.log_in()).status_code == 303
        assert await let_in(browser)


async def test_behind_a_proxy_the_provider_sends_back_to_the_public_address() -> None:
    async with browsing(public_url="https://agents.example/") as browser:
        asked = parse_qs(urlsplit(await browser.begin()).query)
        assert asked["redirect_uri"] == ["https://agents.example/console/session/callback"]


@pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example", "/console/\\evil", "/v3/x", ""])
async def test_a_login_ends_in_the_console_alone(then: str) -> None:
    async with browsing() as browser:
        assert (await browser.log_in(then)).headers["location"] == "/console/"


async def refusal(browser: Browser, address: str) -> tuple[int, str]:
    response = await browser.client.get(address)
    assert "location" not in response.headers
    assert not await let_in(browser)
    return response.status_code, response.text.partition("<p>")[2].partition("</p>")[0]


async def test_a_state_of_another_login_is_refused() -> None:
    async with browsing() as browser:
        address = await browser.back(await browser.begin())
        await browser.begin()
        status, why = await refusal(browser, address)
        assert (status, "not begun in this browser" in why) == (403, True)


async def test_a_browser_that_did_not_begin_is_refused() -> None:
    async with browsing() as browser:
        address = await browser.back(await browser.begin())
        browser.client.cookies.clear()
        assert (await refusal(browser, address))[0] == 403


async def test_a_login_that_takes_too_long_is_refused() -> None:
    clock = Clock()
    async with browsing(clock=clock) as browser:
        address = await browser.back(await browser.begin())
        clock.now += LOGIN_S
        assert (await refusal(browser, address))[0] == 403


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"nonce": "another"}, "belongs to another login"),
        ({"nonce": None}, "belongs to another login"),
        ({"aud": "another-client"}, "for another audience"),
        ({"aud": [CLIENT, "other"], "azp": "other"}, "for another client"),
        ({"iss": "https://evil.example"}, "from another issuer"),
    ],
    ids=["nonce", "no nonce", "audience", "authorised party", "issuer"],
)
async def test_an_identity_that_is_not_for_this_login_is_refused(claims: dict[str, object], why: str) -> None:
    async with browsing() as browser:
        browser.provider.identity = claims
        status, told = await refusal(browser, await browser.back(await browser.begin()))
        assert (status, why in told) == (401, True), told


async def test_a_wrong_secret_is_said() -> None:
    async with browsing("right") as browser:
        browser.provider.secret = "other"
        status, why = await refusal(browser, await browser.back(await browser.begin()))
        assert (status, why) == (403, "The identity provider gives no token: invalid_grant.")


async def test_what_the_provider_refuses_is_shown_as_text() -> None:
    async with browsing() as browser:
        browser.provider.refuses = "<b>access_denied"
        status, why = await refusal(browser, await browser.back(await browser.begin()))
        assert (status, why) == (403, "The identity provider refuses the login: baccess_denied.")


async def test_another_providers_answer_is_refused() -> None:
    async with browsing() as browser:
        address = await browser.back(await browser.begin())
        mixed = httpx.URL(address).copy_set_param("iss", "https://evil.example")
        assert (await refusal(browser, str(mixed)))[1] == "The answer comes from another identity provider."


async def test_somebody_without_a_role_is_told() -> None:
    async with browsing() as browser:
        browser.provider.role = "gardener"
        status, why = await refusal(browser, await browser.back(await browser.begin()))
        assert (status, "gives no role on this server" in why) == (403, True)


async def test_a_provider_that_is_away_is_said() -> None:
    async with browsing() as browser:
        browser.provider.is_away = True
        response = await browser.client.get("/console/session/login")
        assert (response.status_code, "cannot be reached" in response.text) == (503, True)


async def test_the_console_learns_whether_there_is_such_a_login() -> None:
    async with browsing() as browser:
        assert (await browser.client.get("/console/session")).json() == {"codeLogin": True}
        assert (await browser.client.get("/console/session/other")).status_code == 404


async def refreshed(browser: Browser, **headers: str) -> tuple[int, str]:
    """The status of a renewal, and what it says."""
    response = await browser.client.post("/console/session/refresh", headers={**OWN, **headers})
    told = response.json()
    return response.status_code, str(told.get("name") or told["error"]["message"])


def cookie(response: httpx.Response, name: str) -> set[str]:
    """The parts of a cookie that a response sets."""
    line = next(line for line in response.headers.get_list("set-cookie") if line.startswith(f"{name}="))
    return set(line.split("; "))


@pytest.mark.parametrize("secret", ["", SECRET], ids=["public", "confidential"])
async def test_a_session_is_renewed_as_long_as_the_provider_does(secret: str) -> None:
    async with browsing(secret) as browser:
        browser.provider.refresh_token = "rotated"
        response = await browser.log_in()
        sealed = cookie(response, "openplaybook-refresh")
        assert {"HttpOnly", "SameSite=strict", "Path=/console/session", f"Max-Age={12 * 3600}"} <= sealed
        assert "rotated" not in str(response.headers)
        before = await let_in(browser)
        status, who = await refreshed(browser)
        assert (status, "ann" in who) == (200, True)
        assert (await let_in(browser)).startswith("Bearer ey")
        assert await refreshed(browser) == (200, who)
        assert browser.provider.refresh_token == "rotated++"
        assert before
        browser.provider.refresh_token = ""
        status, why = await refreshed(browser)
        assert (status, "invalid_grant" in why) == (401, True)
        assert "openplaybook-refresh" not in browser.client.cookies


async def test_a_session_ends_after_twelve_hours_however_often_it_was_renewed() -> None:
    clock = Clock()
    async with browsing(clock=clock) as browser:
        browser.provider.refresh_token = "r"
        await browser.log_in()
        clock.now += 11 * 3600
        response = await browser.client.post("/console/session/refresh", headers=OWN)
        assert "Max-Age=3600" in cookie(response, "openplaybook")
        clock.now += 3601
        assert await let_in(browser) == ""
        assert await refreshed(browser) == (401, "The session has ended; log in again.")


async def test_a_renewal_for_somebody_else_is_refused() -> None:
    async with browsing() as browser:
        browser.provider.refresh_token = "r"
        await browser.log_in()
        browser.provider.identity = {"sub": "eve"}
        status, why = await refreshed(browser)
        assert (status, "somebody else's" in why) == (401, True)
        assert await refreshed(browser) == (401, "The session has ended; log in again.")


async def test_only_the_consoles_own_page_renews() -> None:
    async with browsing() as browser:
        browser.provider.refresh_token = "r"
        await browser.log_in()
        assert (await refreshed(browser, **{"sec-fetch-site": "cross-site"}))[0] == 403
        assert (await browser.client.get("/console/session/refresh", headers=OWN)).status_code == 405
        assert browser.provider.refresh_token == "r"


async def test_while_the_provider_is_away_nothing_is_lost() -> None:
    async with browsing() as browser:
        browser.provider.refresh_token = "r"
        await browser.log_in()
        browser.provider.is_away = True
        assert (await refreshed(browser))[0] == 503
        browser.provider.is_away = False
        assert (await refreshed(browser))[0] == 200


async def test_logging_out_revokes_the_refresh_token() -> None:
    async with browsing() as browser:
        browser.provider.refresh_token = "r"
        await browser.log_in()
        assert (await browser.client.delete("/console/session", headers=OWN)).status_code == 204
        assert browser.provider.revoked == ["r"]
        assert await let_in(browser) == ""
        assert await refreshed(browser) == (401, "The session has ended; log in again.")


async def test_without_a_refresh_token_a_session_ends_with_its_token() -> None:
    async with browsing() as browser:
        await browser.log_in()
        assert await refreshed(browser) == (401, "The session has ended; log in again.")
        assert (await browser.client.delete("/console/session", headers=OWN)).status_code == 204
        assert browser.provider.revoked == []
