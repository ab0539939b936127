"""Requests and replies of systems over HTTP, as all engines make and read them."""

from collections.abc import Mapping

from openplaybook.connectors.errors import InvalidConnection, SystemFault, SystemUnavailable, WriteInDoubt
from openplaybook.connectors.settings import TlsSettings
from openplaybook.egress.base import ClientCertificate, HttpResponse, is_framing, overrides_method
from openplaybook.jsonvalues import ReadJson, is_deep, loads_judged, may_be_deep
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

MOST_BYTES = 8_000_000
"""Of a reply."""
NOTHING = ReadJson(None, has_large=False)
_MOST_DEPTH = 100
"""Objects and arrays within each other in a reply."""
_AT_ONCE = 256 * 1024
"""Bytes that are read on the event loop; more are read in a thread."""
_REPLIES = Lane("replies of systems", threads=2, waiting=256, seconds=60)


def with_callers_headers(own: Mapping[str, tuple[str, str]], callers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Our headers, by their names in lower case, and those of a call besides: none of them takes the place of ours, or
    makes another message or another request of it."""
    headers = dict(own)
    for name, value in callers.items():
        if name.lower() not in headers and not is_framing(name) and not overrides_method(name):
            headers[name.lower()] = (name, value)
    return tuple(headers.values())


def trusted_and_own(tls: TlsSettings) -> tuple[tuple[bytes, ...], ClientCertificate | None]:
    """The certificates that are trusted in place of the machine's, and ours. Raises `InvalidConnection`."""
    if tls.skips_verification:
        raise InvalidConnection("sslConfig.trustModel", "INSECURE is not supported for HTTP; give the certificate")
    trusted = (tls.ca_certificate.encode(),) if tls.ca_certificate else ()
    if not tls.client_certificate:
        return trusted, None
    passphrase = tls.client_key_passphrase.encode()
    return trusted, ClientCertificate(tls.client_certificate.encode(), tls.client_key.encode(), passphrase)


async def json_reply(response: HttpResponse, *, is_required: bool) -> ReadJson:
    """The JSON of a body; null for an empty one, and for another format where it is not required, as in an error.
    Raises `SystemFault` and `SystemUnavailable`."""
    check_length(response, MOST_BYTES)
    if not response.body.strip():
        return NOTHING
    try:
        if len(response.body) <= _AT_ONCE:
            return _parsed(response.body)
        return await _REPLIES.run(lambda: _parsed(response.body))
    except ValueError as error:
        if not is_required:
            return NOTHING
        kind = response.header("Content-Type") or "no type"
        raise SystemFault(f"the system's reply is not JSON ({kind[:80]})") from error
    except WorkError as error:
        raise SystemUnavailable(f"the system's reply cannot be read now: {error}") from error


async def written_reply(response: HttpResponse) -> ReadJson:
    """The same of a write that the system has taken. Raises `WriteInDoubt`."""
    try:
        return await json_reply(response, is_required=True)
    except (SystemFault, SystemUnavailable) as error:
        raise WriteInDoubt(f"the system took the write (status {response.status}), but {error}") from error


def check_length(response: HttpResponse, most: int) -> None:
    """Raises `SystemFault` for a reply that was cut, since it is longer."""
    if response.truncated:
        raise SystemFault(f"the system's reply is longer than {most:,} bytes; ask for fewer fields or entities")


def _parsed(body: bytes) -> ReadJson:
    read = loads_judged(body, most_exact=10_000)
    if may_be_deep(body, _MOST_DEPTH) and is_deep(read.value, _MOST_DEPTH):
        raise SystemFault(f"the system's reply has more than {_MOST_DEPTH} objects and arrays within each other")
    return read
