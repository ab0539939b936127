"""Hosts and origins of the web, read once and compared as what they mean and not as what they look like.

Two spellings of one host are one host: case, a final dot, an international name and its ASCII form (RFC 5891), every
way to write an IPv6 address (RFC 4291), and a port that is the scheme's own (RFC 6454 §4). What two readers could take
for different hosts is none: user names, escapes, and numbers that are no canonical address, such as `127.1`.
"""

import functools
import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from yarl import URL

PORTS = {"http": 80, "https": 443}
"""The schemes' own."""

_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:]+))(?::([0-9]{0,5}))?", re.ASCII)
_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LONGEST_NAME = 253
_LONGEST = 2048
"""Characters of an origin; what is longer is none."""


@dataclass(frozen=True, slots=True)
class WebOrigin:
    """Scheme, host and port; equal exactly where a browser takes two pages for one origin's."""

    scheme: str
    """`http` or `https`."""
    host: str
    """As `canonical_host` writes it."""
    port: int

    def __str__(self) -> str:
        """As a browser writes it in `Origin`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")


def origin_of(url: str) -> WebOrigin | None:
    """The origin of a URL; None where it is none of http or https, names a user, or no host that is beyond doubt."""
    scheme, separator, rest = url.partition("://")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    return _origin(scheme.lower(), authority) if separator and len(authority) <= _LONGEST else None


def bare_origin(text: str) -> WebOrigin | None:
    """An origin that stands alone, without a path or query, as `Origin` and settings have it; else None."""
    scheme, separator, authority = text.partition("://")
    return _origin(scheme.lower(), authority) if separator and len(authority) <= _LONGEST else None


def origin_text(url: str) -> str:
    """The origin of a URL as browsers write it (RFC 6454 §6.2); empty for what has none."""
    origin = origin_of(url)
    return "" if origin is None else str(origin)


def authority_of(text: str, default_port: int) -> tuple[str, int] | None:
    """Host and port of `host:port`, as the `Host` header has them; None where they are none."""
    match = _AUTHORITY.fullmatch(text)
    if match is None:
        return None
    six, name, port_text = match.groups()
    host = canonical_host(name or six) if name or ":" in six else ""
    port = int(port_text) if port_text else default_port
    return (host, port) if host and 0 < port < 65536 else None


def canonical_host(text: str) -> str:
    """One spelling of a host, an IPv6 address without brackets; empty for what is no host beyond doubt."""
    if ":" in text:
        try:
            address = IPv6Address(text)
        except ValueError:
            return ""
        return str(address) if address.scope_id is None else ""
    host = _ascii(text).lower().removesuffix(".")
    if len(host) > _LONGEST_NAME or not _NAME.fullmatch(host):
        return ""
    if not _NUMBER_LABEL.fullmatch(host.rpartition(".")[2]):
        return host
    try:
        return str(ip_address(host))
    except ValueError:
        return ""


@functools.lru_cache(maxsize=1024)
def _origin(scheme: str, authority: str) -> WebOrigin | None:
    if scheme not in PORTS:
        return None
    place = authority_of(authority, PORTS[scheme])
    return WebOrigin(scheme, *place) if place is not None else None


def _ascii(host: str) -> str:
    """An international name in the form that the name system has; empty for what is none."""
    if host.isascii():
        return host
    try:
        return URL.build(scheme="http", host=host).raw_host or ""
    except ValueError:
        return ""
