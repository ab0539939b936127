"""Credentials in samples: told apart from parameters, described, never kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote_plus

from openplaybook.drafting.samples import ApiExchange
from openplaybook.jsonvalues import JsonObject
from openplaybook.telemetry.redaction import is_secret_name

QUERY_KEYS = frozenset({"appid", "appkey", "app_key", "sig", "hmac"})
"""Names of credentials in queries, lower case, that do not sound like secrets."""
_MIN_KEY = 16
_HTTP_SCHEMES = ("bearer", "basic", "digest")


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential of an exchange, without its value."""

    scheme: str
    """Its name among the security schemes."""
    definition: JsonObject
    """The Security Scheme Object (OAS 3.0.3 §4.7.27)."""
    where: str
    """In words, for a remark."""


def credentials_of(exchange: ApiExchange) -> list[Credential]:
    """What an exchange carries to say who calls, each scheme once."""
    credentials = [*_in_headers(exchange), *_in_query(exchange)]
    if exchange.has_user:
        credentials.append(_http("basic", "the user name in the URL"))
    return list({each.scheme: each for each in credentials}.values())


def is_credential_header(name: str) -> bool:
    """Whether a header holds a credential."""
    return name.lower() == "cookie" or is_secret_name(name)


def is_credential_query(name: str, value: str) -> bool:
    """Whether a query parameter holds a credential; `key` does where its value looks like one."""
    lowered = name.lower()
    return is_secret_name(name) or lowered in QUERY_KEYS or (lowered == "key" and len(unquote_plus(value)) >= _MIN_KEY)


def _in_headers(exchange: ApiExchange) -> Iterator[Credential]:
    for name, value in exchange.headers.items():
        if name.lower() == "cookie":
            yield from _in_cookies(value)
        elif is_credential_header(name):
            scheme = value.strip().partition(" ")[0].lower()
            if name.lower() == "authorization" and scheme in _HTTP_SCHEMES:
                yield _http(scheme, "the header Authorization")
            else:
                yield _key(name, "header", f"the header {name}")


def _in_query(exchange: ApiExchange) -> Iterator[Credential]:
    for name, value in exchange.query:
        if is_credential_query(name, value):
            yield _key(name, "query", f"the query parameter {name}")


def _in_cookies(header: str) -> Iterator[Credential]:
    for pair in header.split(";"):
        name = pair.partition("=")[0].strip()
        if name and (is_secret_name(name) or "sess" in name.lower() or name.lower() == "sid"):
            yield _key(name, "cookie", f"the cookie {name}")


def _http(scheme: str, where: str) -> Credential:
    return Credential(f"{scheme}Auth", {"type": "http", "scheme": scheme}, where)


def _key(name: str, place: str, where: str) -> Credential:
    legal = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in name)
    return Credential(legal, {"type": "apiKey", "in": place, "name": name}, where)
