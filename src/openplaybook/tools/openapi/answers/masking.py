"""Finding secrets in what a service says, however it writes them.

Services echo requests in error pages, logs and debug answers. JSON writers differ in what they escape (.NET writes
`\\u002B` for a plus, Go `\\u0026` for an ampersand, PHP `\\/`), and so do writers of URLs and of XML.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote, quote_plus

from openplaybook.jsonvalues import dumps
from openplaybook.telemetry.redaction import MASK

_MIN_SECRET = 6
"""Shorter secrets are masked where they were put, but not searched for in bodies, where they would hit words."""

_MIN_REST = 4
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


def without(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret masked."""
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
