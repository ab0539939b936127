"""The cookie of the console: whom it lets in, and whom not."""

from collections.abc import Callable, Mapping

import pytest
from starlette.testclient import TestClient

from openplaybook.credentials.sealer import Sealer
from openplaybook.server.access.console_sessions import LIFETIME_S, ConsoleSessions
from openplaybook.server.access.principals import Principal, Role
from openplaybook.server.access.refusals import WRONG_KEY, unauthenticated

KEY = "key-of-the-editor-0123456789"
OWN = {"sec-fetch-site": "same-origin", "x-openplaybook-console": "1"}
TIME = 1_000_000.0


async def verify(headers: Mapping[str, str]) -> Principal:
    if headers["authorization"] != f"Bearer {KEY}":
        raise unauthenticated(WRONG_KEY)
    return Principal("ann", Role.EDITOR)


def sessions(clock: Callable[[], float] = lambda: TIME) -> ConsoleSessions:
    return ConsoleSessions(Sealer([bytes(32)]), verify, clock)


def client(base: str = "http://localhost") -> TestClient:
    return TestClient(sessions(), base_url=base)


def cookie_of(secure: str = "http") -> str:
    answer = client(f"{secure}://localhost").post("/console/session", json={"key": KEY}, headers=OWN)
    assert answer.json() == {"name": "ann", "role": "editor"}
    return answer.headers["set-cookie"]


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    attributes = {part.strip().lower() for part in cookie_of().split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/", f"max-age={LIFETIME_S}"} <= attributes


def test_over_tls_it_is_bound_to_the_host() -> None:
    cookie = cookie_of("https")
    assert cookie.startswith("__Host-openplaybook=")
    assert "secure" in cookie.lower()


def test_the_key_cannot_be_read_from_it() -> None:
    assert KEY not in cookie_of()


def test_the_consoles_own_requests_are_let_in_by_it() -> None:
    cookie = cookie_of().partition(";")[0]
    assert sessions().with_key({**OWN, "cookie": cookie})["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "x-openplaybook-console": "1"},
        {"sec-fetch-site": "same-site", "x-openplaybook-console": "1"},
        {"sec-fetch-site": "same-origin"},
        {"x-openplaybook-console": "1"},
        {},
    ],
)
def test_requests_of_other_pages_are_not(headers: dict[str, str]) -> None:
    cookie = cookie_of().partition(";")[0]
    assert "authorization" not in sessions().with_key({**headers, "cookie": cookie})


def test_it_ends_after_twelve_hours() -> None:
    cookie = cookie_of().partition(";")[0]
    later = sessions(lambda: TIME + LIFETIME_S)
    assert "authorization" not in later.with_key({**OWN, "cookie": cookie})


@pytest.mark.parametrize("cookie", ["openplaybook=1 key", "openplaybook=sealed:v1:0000:AAAA", "a=b", "=;;", ""])
def test_a_made_up_cookie_means_nothing(cookie: str) -> None:
    assert "authorization" not in sessions().with_key({**OWN, "cookie": cookie})


def test_a_key_that_a_program_sends_comes_first() -> None:
    cookie = cookie_of().partition(";")[0]
    sent = sessions().with_key({**OWN, "cookie": cookie, "authorization": "Bearer other"})
    assert sent["authorization"] == "Bearer other"


def test_a_wrong_key_gets_no_cookie() -> None:
    answer = client().post("/console/session", json={"key": "guess"}, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["message"]) == (401, WRONG_KEY)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("body", ["{", "[]", '{"key": 1}', '{"key": ""}', '{"key": "a\\nb"}', '{"key": "\\u00e9"}'])
def test_a_body_without_a_key_is_refused(body: str) -> None:
    assert client().post("/console/session", content=body, headers=OWN).status_code == 400


def test_a_body_beyond_any_key_is_not_read() -> None:
    answer = client().post("/console/session", json={"key": "k" * 20_000}, headers=OWN)
    assert (answer.status_code, "at most 16384 bytes" in answer.text) == (400, True)


def test_other_pages_log_nobody_in_or_out() -> None:
    assert client().post("/console/session", json={"key": KEY}).status_code == 403
    assert client().delete("/console/session", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_logging_out_takes_the_cookie_back() -> None:
    answer = client().delete("/console/session", headers=OWN)
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
