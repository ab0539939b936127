"""What tools send, as a recording tells it: the same of a request that was sent and of one that would be."""

from contextlib import suppress
from urllib.parse import unquote_plus, urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.recordings.happenings import Request
from openplaybook.telemetry.redaction import MASK


def request_of(exchange: JsonObject) -> Request:
    """The request of an exchange in its journaled form.

    Credentials are left out, as a replay has none; so are headers, and bodies that are no JSON.
    """
    url = urlsplit(str(exchange["url"]))
    query = "&".join(part for part in url.query.split("&") if part and not _is_masked(part))
    path = f"{url.path}?{query}" if query else url.path
    return Request(method=str(exchange["method"]), path=path, body=_json(str(exchange["requestBody"])))


def _is_masked(parameter: str) -> bool:
    return unquote_plus(parameter.partition("=")[2]) == MASK


def _json(text: str) -> JsonValue:
    with suppress(ValueError):
        return loads(text)
    return None
