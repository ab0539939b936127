"""A user's consent, from the address to the code."""

import base64
import hashlib
import socket
import threading
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from openplaybook.cli.connections.consent import ConsentRequest, awaited_code, code_in, consent_request
from openplaybook.cli.connections.consent_command import chosen_variables
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject
from tests.kit.ports import free_ports

VERSION: JsonObject = {
    "configVariableTemplates": [{"key": "site"}, {"key": "zone", "enumOptions": [{"id": "live"}, {"id": "test"}]}]
}
LINK: JsonObject = {
    "uri": "https://{config.site}.{config.zone}.example/consent?audience=api",
    "scopes": ["read", "write"],
}
CONNECTION: JsonObject = {
    "configVariables": [{"key": "site", "stringValue": "acme"}],
    "authConfig": {"oauth2AuthCodeFlow": {"clientId": "app & co"}},
}
REQUEST = ConsentRequest("https://a.example", "http://localhost:1/done", "ours", "v")


def test_the_address_has_all_that_the_page_needs() -> None:
    chosen = chosen_variables(VERSION, CONNECTION)
    request = consent_request(LINK, chosen, CONNECTION, "http://localhost:1/done")

    url = urlsplit(request.url)
    query = {key: values[0] for key, values in parse_qs(url.query).items()}
    digest = hashlib.sha256(request.verifier.encode()).digest()
    assert (url.scheme, url.netloc, url.path) == ("https", "acme.live.example", "/consent")
    assert query == {
        "audience": "api",
        "response_type": "code",
        "client_id": "app & co",
        "redirect_uri": "http://localhost:1/done",
        "state": request.state,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
        "scope": "read write",
    }
    assert consent_request(LINK, chosen, CONNECTION, "http://localhost:1/done").state != request.state


@pytest.mark.parametrize("text", ["the-code", " http://localhost:1/done?code=the-code&state=ours\n"])
def test_a_code_is_taken_alone_or_in_its_address(text: str) -> None:
    assert code_in(text, REQUEST) == "the-code"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://localhost:1/done?code=x&state=theirs", "the answer to another question"),
        ("http://localhost:1/done?code=x", "the answer to another question"),
        ("http://localhost:1/done?state=ours&error=access_denied&error_description=No", "access_denied: No"),
        ("", "the answer to another question"),
    ],
)
def test_an_answer_without_consent_is_none(text: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        code_in(text, REQUEST)


def status_of(address: str) -> int:
    """What a browser is answered at an address, as soon as somebody listens there."""
    for _ in range(1_000):
        try:
            with urllib.request.urlopen(address, timeout=10) as page:
                return page.status
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError:
            continue
    raise AssertionError(f"nobody listens at {address}")


def test_a_browser_brings_the_code_to_the_loopback_address() -> None:
    redirect = f"http://127.0.0.1:{free_ports(1)[0]}/done"
    request = ConsentRequest("https://a.example", redirect, "ours", "v")
    found: list[str] = []
    waiter = threading.Thread(target=lambda: found.append(awaited_code(request, 20)))
    waiter.start()

    statuses = [
        status_of(redirect.replace("/done", "/favicon.ico")),
        status_of(f"{redirect}?{urlencode({'state': 'theirs', 'code': 'bad'})}"),
        status_of(f"{redirect}?{urlencode({'state': 'ours', 'code': 'good'})}"),
    ]
    waiter.join()

    assert found == ["good"]
    assert statuses == [404, 404, 200]


def test_an_address_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        redirect = f"http://localhost:{taken.getsockname()[1]}/done"
        with pytest.raises(CommandError, match="cannot be listened on"):
            awaited_code(ConsentRequest("https://a.example", redirect, "ours", "v"), 1)


def test_nobody_is_waited_for_for_ever() -> None:
    redirect = f"http://127.0.0.1:{free_ports(1)[0]}/done"

    with pytest.raises(CommandError, match="nobody consented within 0 s"):
        awaited_code(ConsentRequest("https://a.example", redirect, "ours", "v"), 0)
