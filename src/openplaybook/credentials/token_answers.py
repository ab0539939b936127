"""What token endpoints answer (RFC 6749 §5.1 and §5.2), read as such things are written in the field."""

import math
import re
from collections.abc import Iterable

from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, is_number, loads
from openplaybook.telemetry.redaction import MASK

UNKNOWN_LIFE_S = 300.0
"""How long a token is kept whose life the endpoint does not tell."""

_MOST_TOLD = 200
_TOKEN = re.compile(r"[\x21-\x7e]+")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]+")


def token_in(answer: HttpResponse, hidden: Iterable[str] = ()) -> IssuedToken:
    """The token of a successful answer; `ValueError` continues `the token endpoint …`, `hidden` are masked in it."""
    members = _members(answer)
    token = members.get("access_token")
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise ValueError("answered 200 without an access_token that a header can carry")
    kind = members.get("token_type", "Bearer")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        kind_text = _excerpt(_masked(str(kind), hidden))
        raise ValueError(f"gave a token of type {kind_text!r}; only bearer tokens are supported")
    return IssuedToken(token, _life(members.get("expires_in")))


def refusal_in(answer: HttpResponse, hidden: Iterable[str] = ()) -> str:
    """`error: error_description` of an answer that is none, or what there is of them; `hidden` are masked."""
    members = _members(answer)
    parts = [members.get("error"), members.get("error_description")]
    text = ": ".join(part for part in parts if isinstance(part, str) and part)
    return _excerpt(_masked(text, hidden))


def _masked(text: str, hidden: Iterable[str]) -> str:
    for secret in filter(None, hidden):
        text = text.replace(secret, MASK)
    return text


def _members(answer: HttpResponse) -> JsonObject:
    try:
        return as_object(loads(answer.body))
    except ValueError:
        return {}


def _life(value: JsonValue) -> float:
    """Seconds; some endpoints write them as text, some leave them out."""
    try:
        seconds = float(value) if is_number(value) or isinstance(value, str) else math.nan
    except (ValueError, OverflowError):
        return UNKNOWN_LIFE_S
    return UNKNOWN_LIFE_S if math.isnan(seconds) else seconds


def _excerpt(text: str) -> str:
    """The other side's words, as far as they fit into a sentence."""
    plain = _UNPRINTABLE.sub(" ", text).strip()
    return plain if len(plain) <= _MOST_TOLD else f"{plain[:_MOST_TOLD]}…"
