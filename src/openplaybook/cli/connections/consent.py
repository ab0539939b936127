"""A user's consent, from the page where it is given to the code that comes back (RFC 6749 §4.1, RFC 7636)."""

import base64
import hashlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object

LOOPBACK = ("localhost", "127.0.0.1")
_DONE = b"<!doctype html><title>Done</title><p>You can close this window and go back to the terminal."
_ONE_REQUEST_S = 5.0
_MOST_HEADERS_S = 1.0


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What a user is asked, and by what its answer is known."""

    url: str
    redirect: str
    state: str
    verifier: str = field(repr=False)


def consent_request(
    link: JsonObject, chosen: Mapping[str, str], connection: JsonObject, redirect: str
) -> ConsentRequest:
    """The request for a connection, by the `authorizationCodeLink` of its connector, and what was chosen for the
    connection's config variables."""
    flow = as_object(as_object(connection.get("authConfig")).get("oauth2AuthCodeFlow"))
    scopes = as_list(flow.get("scopes")) or as_list(link.get("scopes"))
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode("ascii").rstrip("=")
    query = {
        "response_type": "code",
        "client_id": str(flow.get("clientId", "")),
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    if scopes:
        query["scope"] = " ".join(map(str, scopes))
    page = _filled(str(link.get("uri", "")), chosen)
    separator = "&" if "?" in page else "?"
    return ConsentRequest(page + separator + urlencode(query, quote_via=quote), redirect, state, verifier)


def code_in(text: str, request: ConsentRequest) -> str:
    """The code in the URL that a browser was led to, or a code alone. Raises `CommandError` for an answer that is
    none, or one to another question."""
    text = text.strip()
    if "://" not in text and "=" not in text and text:
        return text
    return _code(dict(parse_qsl(urlsplit(text).query)), request)


def awaited_code(request: ConsentRequest, seconds: float) -> str:
    """The code that a browser brings to the loopback address of the request. Raises `CommandError` where none comes in
    time, or the user refuses."""
    place = urlsplit(request.redirect)
    answers: list[Mapping[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        timeout = _ONE_REQUEST_S

        def do_GET(self) -> None:
            """What a browser asks for: the page, or its icon."""
            url = urlsplit(self.path)
            given = {key: values[0] for key, values in parse_qs(url.query).items()}
            is_ours = url.path == (place.path or "/") and given.get("state") == request.state
            self.send_response(200 if is_ours else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            if is_ours:
                self.wfile.write(_DONE)
                answers.append(given)

        def log_message(self, format: str, *args: object) -> None:
            """Codes are nothing for a terminal."""

    try:
        server = HTTPServer(("127.0.0.1", place.port or 80), Handler)
    except OSError as error:
        raise CommandError(f"{request.redirect} cannot be listened on: {error}; try --paste") from error
    end = time.monotonic() + seconds
    with server:
        server.timeout = _MOST_HEADERS_S
        while not answers:
            if time.monotonic() > end:
                raise CommandError(f"nobody consented within {seconds:g} s")
            server.handle_request()
    return _code(answers[0], request)


def _code(given: Mapping[str, str], request: ConsentRequest) -> str:
    if given.get("state") != request.state:
        raise CommandError("that is the answer to another question: its state is not ours")
    if "code" not in given:
        said = ": ".join(filter(None, (given.get("error"), given.get("error_description"))))
        raise CommandError(f"no consent was given{f': {said}' if said else ''}")
    return given["code"]


def _filled(url: str, chosen: Mapping[str, str]) -> str:
    for key, value in chosen.items():
        url = url.replace(f"{{config.{key}}}", quote(value, safe=""))
    return url
