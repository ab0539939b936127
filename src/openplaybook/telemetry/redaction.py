"""Keeping secrets out of traces and logs: values are replaced, names and everything else stay as they were.

Values are secret by the names that they stand under, or known to be. Services echo the latter in error pages, logs and
debug answers. JSON writers differ in what they escape (.NET writes `\\u002B` for a plus, Go `\\u0026` for an ampersand,
PHP `\\/`), and so do writers of URLs and of XML.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import cast
from urllib.parse import quote, quote_plus, unquote_plus

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps

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
_SCHEMES = ("Bearer", "Basic", "Digest", "Negotiate")
_SCHEME = re.compile(rf"\b({'|'.join(_SCHEMES)})(\s+)[\w.~+/=-]{{8,}}", re.ASCII)
_USER = re.compile(r"(?<=://)[^\s/?#]+(?=@)")
_SEPARATOR = re.compile(r"([&;])")
_AUTHORITY = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*:)?//([^/?#]*)@")


_MIN_SECRET = 6
"""Shorter secrets are masked where they were put, but not searched for in bodies, where they would hit words."""

_MIN_REST = 4
_LEAST_WINDOW = 8_000
"""Characters of a text in which secrets are looked for at least, however little of it is shown."""
_MOST_REST = 2_000
"""Characters of a secret's beginning that are masked at the end of a cut body: at least and at most."""

_KEPT = 256
_MOST_STEPS = 100_000_000
"""Characters of a secret times those of a text, up to which every spelling is looked for: a second at the worst."""

_MASK = MASK.encode()
_SHORT_ESCAPES = {'"': '"', "/": "/", "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_PLAIN = re.compile(r"[\w.~-]+", re.ASCII)
"""Characters that nobody escapes."""


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
    # Most texts have neither, and looking for a word takes a tenth of searching for a pattern.
    masked = _USER.sub(MASK, text) if "://" in text and "@" in text else text
    if any(scheme in masked for scheme in _SCHEMES):
        masked = _SCHEME.sub(rf"\1\2{MASK}", masked)
    return _PAIR.sub(_mask_pair, masked)


def _mask_pair(pair: re.Match[str]) -> str:
    before, name, between, _ = pair.groups()
    return f"{before}{name}{between}{MASK}" if _is_secret_in_text(name, bool(before)) else pair[0]


@lru_cache(maxsize=4096)
def _is_secret_in_text(name: str, stands_in_query: bool) -> bool:
    """Whether a name as it is written in a text holds a secret."""
    return _is_secret_parameter(name) if stands_in_query else is_secret_name(unquote_plus(name))


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


def without(text: str, secrets: Collection[str]) -> str:
    """`text` with every secret masked."""
    if not secrets:
        return text
    octets = text.encode("utf-8", "surrogatepass")
    masked = _without(octets, secrets)
    return text if masked == octets else masked.decode("utf-8", "surrogatepass")


def without_long(body: bytes, secrets: Iterable[str]) -> bytes:
    """A body with every secret masked that is long enough to be told from a word."""
    return _without(body, (secret for secret in secrets if len(secret) >= _MIN_SECRET))


def without_rest(body: bytes, secrets: Iterable[str]) -> bytes:
    """A body that was cut somewhere, with the beginning of a secret masked that stands at its end."""
    for secret in _longest_first(secrets):
        spelt = secret[: _MOST_REST + 1].encode()
        rest = next((size for size in range(len(spelt) - 1, _MIN_REST - 1, -1) if body.endswith(spelt[:size])), 0)
        if rest and len(secret) >= _MIN_SECRET:
            return body[:-rest] + _MASK
    return body


def excerpt(text: str, most: int, secrets: Collection[str], *, masks_pairs: bool = False) -> str:
    """The beginning of a text, of at most `most` characters, in which every secret is masked; with `masks_pairs` also
    as `mask_text` does. It is cut after that: nobody could tell the beginning of a secret from other text."""
    window = max(2 * most, _LEAST_WINDOW)
    masked = without(text[:window], secrets)
    if len(text) > window:
        masked = without_rest(masked.encode("utf-8", "surrogatepass"), secrets).decode("utf-8", "surrogatepass")
    masked = mask_text(masked) if masks_pairs else masked
    return masked if len(masked) <= most else f"{masked[:most]}…"


def _without(text: bytes, secrets: Iterable[str]) -> bytes:
    for secret in _longest_first(secrets):
        is_costly = len(secret) * len(text) > _MOST_STEPS
        for usual in _usual(secret) if is_costly or _PLAIN.fullmatch(secret) else ():
            text = text.replace(usual, _MASK)
        if not is_costly and not _PLAIN.fullmatch(secret):
            text = _any(secret).sub(_MASK, text)
    return text


def _longest_first(texts: Iterable[str]) -> list[str]:
    """In the order in which they are replaced: a text that is part of another would leave the rest of that one."""
    return sorted(filter(None, texts), key=len, reverse=True)


@lru_cache(_KEPT)
def _usual(secret: str) -> list[bytes]:
    """A secret as it is, and as most write it in JSON and in URLs, longest first."""
    escaped = dumps(secret).decode()[1:-1]
    encoded = {quote(secret, safe=""), quote(secret), quote_plus(secret)}
    spelt = {secret, escaped, escaped.replace("/", "\\/"), *encoded}
    return [each.encode() for each in _longest_first(spelt)]


@lru_cache(_KEPT)
def _any(secret: str) -> re.Pattern[bytes]:
    return re.compile(_spellings(secret).encode())


def _spellings(secret: str) -> str:
    """A regular expression for everything that a secret may be written as.

    Alternatives that fit the same text differ in what must follow, so that no body makes the search slow: how often
    a backslash is doubled, by JSON within JSON too, is told for the secret as a whole.
    """
    core = secret.rstrip("=")
    # The padding of base64 is often left out.
    padding = f"(?:=|%3[Dd]){{0,{len(secret) - len(core)}}}" if core and core != secret else ""
    doublings = (4, 2, 1) if "\\" in secret else (1,)
    return "|".join("".join(_spelt(char, times) for char in core or secret) + padding for times in doublings)


def _spelt(char: str, backslashes: int) -> str:
    if _PLAIN.fullmatch(char):
        return re.escape(char)
    units = char.encode("utf-16-be", "surrogatepass")
    escaped = "".join(rf"\\{{1,3}}u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    numbered = rf"&\#(?:0{{0,4}}{ord(char)}|x0{{0,4}}{ord(char):x});"
    percent = "".join(f"%{octet:02x}" for octet in char.encode("utf-8", "surrogatepass"))
    forms = [f"(?i:{escaped}|{percent}|{numbered})"]
    if char in _SHORT_ESCAPES:
        forms.append(rf"\\{{1,3}}{re.escape(_SHORT_ESCAPES[char])}")
    if char in _ENTITIES:
        forms.append(f"&{_ENTITIES[char]};")
    if char == " ":
        forms.append(r"\+")
    # Itself comes last: it is what some of the others begin with.
    forms.append(re.escape(char * backslashes if char == "\\" else char))
    return f"(?:{'|'.join(forms)})"
