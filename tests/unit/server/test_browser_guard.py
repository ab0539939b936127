"""Which requests are a foreign web page's."""

import pytest
from starlette.types import Scope

from openplaybook.server.browser_guard import BrowserGuard

OWN = ("host", "127.0.0.1:8080")


def scope_of(*headers: tuple[str, str], method: str = "POST") -> Scope:
    sent = [(name.encode(), value.encode()) for name, value in headers]
    return {"type": "http", "method": method, "path": "/v3/projects", "headers": sent}


def status_of(guard: BrowserGuard, *headers: tuple[str, str], method: str = "POST") -> int:
    """403, or 0 when the request passes."""
    refusal = guard.refusal(scope_of(*headers, method=method))
    return refusal.status_code if refusal else 0


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "localhost.", "[::1]:8080", "127.0.0.2", "localhost:9000"]
)
def test_programs_that_name_this_machine_pass(host: str) -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), ("host", host)) == 0


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "10.0.0.1",
        "127.0.0.1.nip.io",
        "",
        "a@localhost@b",
    ],
)
def test_a_name_that_is_not_this_servers_is_refused(host: str) -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), ("host", host)) == 403


def test_one_foreign_host_among_two_is_enough() -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), OWN, ("host", "evil.example")) == 403


def test_a_host_that_was_refused_is_refused_again() -> None:
    guard = BrowserGuard(host="127.0.0.1")
    answers = [status_of(guard, ("host", host)) for host in ("evil.example", "localhost", "evil.example", "localhost")]
    assert answers == [403, 0, 403, 0]


@pytest.mark.parametrize(("host", "status"), [("agents.example.com", 0), ("other.example.com", 403)])
def test_the_public_urls_name_is_this_servers(host: str, status: int) -> None:
    assert (
        status_of(BrowserGuard(host="127.0.0.1", public_url="https://agents.example.com/x"), ("host", host)) == status
    )


@pytest.mark.parametrize(
    ("host", "status"), [("10.0.0.1:8080", 0), ("[fd00::1]", 0), ("open-playbook:8080", 0), ("evil.example", 403)]
)
def test_a_server_for_other_machines_has_their_names_for_it(host: str, status: int) -> None:
    assert status_of(BrowserGuard(host="0.0.0.0"), ("host", host)) == status


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1:5173",
        "http://localhost:8080",
        "null",
        "",
        "chrome-extension://abc",
        "http://127.0.0.1:99999",
    ],
)
def test_a_page_of_another_origin_is_refused(origin: str) -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), OWN, ("origin", origin)) == 403


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8080", "HTTP://127.0.0.1:8080"])
def test_our_own_pages_pass(origin: str) -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), OWN, ("origin", origin), ("sec-fetch-site", "same-origin")) == 0


def test_our_own_pages_pass_through_a_proxy_that_speaks_tls() -> None:
    guard = BrowserGuard(host="127.0.0.1", public_url="https://agents.example.com")
    assert status_of(guard, ("host", "agents.example.com"), ("origin", "https://agents.example.com")) == 0
    assert status_of(guard, OWN, ("origin", "https://agents.example.com")) == 0


@pytest.mark.parametrize(("site", "status"), [("cross-site", 403), ("same-site", 403), ("none", 0), ("same-origin", 0)])
def test_a_page_that_loads_us_as_an_image_or_script_is_refused(site: str, status: int) -> None:
    assert status_of(BrowserGuard(host="127.0.0.1"), OWN, ("sec-fetch-site", site), method="GET") == status


@pytest.mark.parametrize(
    ("method", "dest", "status"), [("GET", "document", 0), ("POST", "document", 403), ("GET", "iframe", 403)]
)
def test_a_user_may_follow_a_link_to_us(method: str, dest: str, status: int) -> None:
    visit = (("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", dest))
    assert status_of(BrowserGuard(host="127.0.0.1"), OWN, *visit, method=method) == status
