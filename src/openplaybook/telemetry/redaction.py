"""Keeping secrets out of traces and logs: values are replaced, names and everything else stay as they were."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import cast
from urllib.parse import unquote_plus

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object

MASK = "[redacted]"
"""What stands in a secret's place."""

_SECRET_ANYWHERE = ("password", "passphrase", "secret", "credential", "authorization", "apikey", "privatekey")
_SECRET_ENDINGS = (
    *_SECRET_ANYWHERE,
    *("token", "passwd", "pwd", "auth", "cookie", "cookie2", "signature", "assertion", "jwt"),
    *("accesskey", "accesskeyid", "secretkey", "subscriptionkey", "signingkey", "masterkey", "sharedkey", "authkey"),
)
_HARMLESS_ENDINGS = ("pagetoken", "endpoint", "url", "uri", "type", "version", "algorithm")
"""`nextPageToken`, `token_type` or `secretVersion` hold no secret, though a part of their name sounds like it."""

_SECRET_QUERY_KEYS = frozenset({"key", "code", "sig", "sid"})
"""Secret in a query (`?key=` is how Google takes API keys), but common words elsewhere."""

_PAIR = re.compile(
    r"""
    ([?&;\#]|(?<![\w.%+\[\]-]))([\w.%+\[\]-]++)  # a whole name, and whether it stands in a query
    (\\?["']?\s*[=:]\s*\\?["']?)                  # JSON, Python, a form or a header
    (?!(?:Bearer|Basic|Digest|Negotiate)\s)        # _SCHEME has been here
    ((?<=")[^"]+|(?<=')[^']+|[^\s&;\#,"'<>()]+)    # a quoted value to its end, another as far as it seems to go
    """,
    re.VERBOSE,
)
_SCHEME = re.compile(r"\b(Bearer|Basic|Digest|Negotiate)(\s+)[\w.~+/=-]{8,}", re.ASCII)
_USER = re.compile(r"(?<=://)[^\s/?#]+(?=@)")
_SEPARATOR = re.compile(r"([&;])")
_AUTHORITY = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*:)?//([^/?#]*)@")


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Whether a header, field or parameter of that name holds a secret; case and punctuation do not matter."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    if plain.endswith(_HARMLESS_ENDINGS):
        return False
    return plain.rstrip("0123456789").endswith(_SECRET_ENDINGS) or any(part in plain for part in _SECRET_ANYWHERE)


def mask_headers(headers: Mapping[str, str], secret_names: Collection[str] = ()) -> dict[str, str]:
    """Headers with the values of `Authorization`, cookies, API keys and the like masked; `secret_names` too."""
    masked = {name: MASK if is_secret_name(name) else value for name, value in headers.items()}
    more = _folded(secret_names) if secret_names else ()
    return {name: MASK if name.lower() in more else value for name, value in masked.items()} if more else masked


def mask_url(url: str, secret_names: Collection[str] = ()) -> str:
    """A URL with its user part, and secret values in query and fragment, masked; `secret_names` too.

    What is not masked stays byte for byte; a text that is no URL is no error.
    """
    more = _folded(secret_names) if secret_names else ()
    start, hash_sign, fragment = (_AUTHORITY.sub(rf"\1//{MASK}@", url) if "@" in url else url).partition("#")
    path, question_mark, query = start.partition("?")
    return path + question_mark + _mask_query(query, more) + hash_sign + _mask_query(fragment, more)


def mask_json(value: JsonValue, secret_names: Collection[str] = ()) -> JsonValue:
    """A copy of a JSON value in which what stands under a secret name, at any depth, is the mask."""
    return _mask_json(value, _folded(secret_names), _same)


def mask_event(event: JsonObject) -> JsonObject:
    """A copy of a log event, masked by its names as `mask_json` does and in all its texts as `mask_text` does."""
    return as_object(_mask_json(event, (), mask_text))


def mask_text(text: str) -> str:
    """A message in which secrets are masked where their form gives them away.

    That is `name=value` or `"name": "value"` with a secret name, what follows `Bearer` and the like, and the
    user part of a URL.
    """
    masked = _SCHEME.sub(rf"\1\2{MASK}", _USER.sub(MASK, text))
    return _PAIR.sub(_mask_pair, masked)


def _mask_pair(pair: re.Match[str]) -> str:
    before, name, between, _ = pair.groups()
    if is_secret_name(unquote_plus(name)) or (before and unquote_plus(name).lower() in _SECRET_QUERY_KEYS):
        return f"{before}{name}{between}{MASK}"
    return pair[0]


def _mask_query(query: str, secret_names: Collection[str]) -> str:
    return "".join([_mask_parameter(part, secret_names) for part in _SEPARATOR.split(query)]) if query else ""


def _mask_parameter(parameter: str, secret_names: Collection[str]) -> str:
    name, _, value = parameter.partition("=")
    is_secret = value and (_is_secret_parameter(name) or unquote_plus(name).lower() in secret_names)
    return f"{name}={MASK}" if is_secret else parameter


@lru_cache(maxsize=4096)
def _is_secret_parameter(name: str) -> bool:
    """Whether a parameter of a query, its name as it is written there, holds a secret."""
    plain = unquote_plus(name)
    return is_secret_name(plain) or plain.lower() in _SECRET_QUERY_KEYS


def _mask_json(value: JsonValue, secret_names: Collection[str], text: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        members = cast(Mapping[JsonValue, JsonValue], value)
        return {name: _mask_member(str(name), member, secret_names, text) for name, member in members.items()}
    if isinstance(value, list | tuple):
        return [_mask_json(item, secret_names, text) for item in cast(list[JsonValue], value)]
    return value


def _mask_member(name: str, value: JsonValue, secret_names: Collection[str], text: Callable[[str], str]) -> JsonValue:
    is_secret = is_secret_name(name) or name.lower() in secret_names
    return MASK if is_secret else _mask_json(value, secret_names, text)


def _same(text: str) -> str:
    return text


def _folded(names: Collection[str]) -> Collection[str]:
    return {name.lower() for name in names}
