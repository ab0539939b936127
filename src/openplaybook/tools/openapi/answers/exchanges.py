"""Exchanges as traces show them, bodies cut, and without secrets, however a service writes them.

Services echo requests in error pages, logs and debug answers. JSON writers differ in what they escape (.NET writes
`\\u002B` for a plus, Go `\\u0026` for an ampersand, PHP `\\/`), and so do writers of URLs and of XML.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import quote, quote_plus

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import dumps
from openplaybook.telemetry.redaction import MASK, mask_headers, mask_url
from openplaybook.tools.base import Exchange

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

TRACE_BUDGET = 8_000
"""Characters of a body that a trace keeps."""
_MAX_HEADER = 1_000
"""Characters of a header's value that a trace keeps."""
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]+")
"""What a person cannot read: of a picture or an archive most of it."""


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


@dataclass(slots=True)
class Sent:
    """A request as it went out, with its credential, and what came of it.

    Only `shown` tells of it: nothing of it stands in its repr.
    """

    request: HttpRequest = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    """What the request's credential holds; more may be added later."""
    result: HttpResponse | EgressError = field(repr=False)
    """An answer that echoes the credential has it masked in its body."""
    response_file: str = ""
    """Handle of the file that the whole body is kept as."""

    @property
    def has_credential(self) -> bool:
        """Whether the request says who we are; a secret that is known need not be in it."""
        request = self.request
        if request.client_certificate is not None:
            return True
        texts = [request.url, *(value for _, value in request.headers)]
        return any(secret in text for secret in self.secrets if secret for text in texts)

    def shown(self) -> Exchange:
        """What traces show: no secret, bodies cut."""
        request, result = self.request, self.result
        hidden = [secret for secret in self.secrets if secret]
        is_answer = isinstance(result, HttpResponse)
        return Exchange(
            method=request.method,
            url=without(mask_url(request.url), hidden),
            request_headers=_headers(request.headers, hidden),
            request_body=_body(request.body or b"", hidden),
            status=result.status if is_answer else 0,
            response_headers=_headers(result.headers, hidden) if is_answer else {},
            response_body=_body(result.body, hidden) if is_answer else "",
            elapsed_ms=round(result.elapsed_s * 1000, 3),
            error="" if is_answer else without(str(result), hidden),
            response_file=self.response_file,
            attempts=result.attempts,
        )


def exchange(request: HttpRequest, secrets: Sequence[str], result: HttpResponse | EgressError) -> Sent:
    """What was sent, and what came back or why nothing did; rendered when somebody reads it."""
    if secrets and isinstance(result, HttpResponse):
        # A service that echoes the request must not carry our credential to the model, nor to a file.
        body = without_long(result.body, secrets)
        result = replace(result, body=without_rest(body, secrets) if result.truncated else body)
    return Sent(request, secrets, result)


def _headers(headers: Iterable[tuple[str, str]], secrets: list[str]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    masked = mask_headers(joined)
    if secrets:
        masked = {name: without(value, secrets) for name, value in masked.items()}
    return {name: f"{value[:_MAX_HEADER]}…" if len(value) > _MAX_HEADER else value for name, value in masked.items()}


def _body(body: bytes, secrets: list[str]) -> str:
    if not body:
        return ""
    # Masked before it is cut: half a secret at the cut would not be found.
    text = without_long(body, secrets) if secrets else body
    shown = _NO_TEXT.sub("…", text[:TRACE_BUDGET].decode("utf-8", "replace"))
    return shown if len(text) <= TRACE_BUDGET else f"{shown}…"
