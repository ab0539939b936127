"""Patterns of page addresses, as `siteSearch` takes them: `https://example.com/help/*`.

`*` stands for any characters, also none. Without a path the whole site is meant; without `*` and with a path, the one
page. The scheme, the case of the host, and what follows `#` do not count; the rest is compared as it is written.
"""

from typing import Final

WILDCARD: Final = "*"


def site_address(uri: str) -> str:
    """Host and path, with what follows `?`, of an address: `example.com/help?page=2`; a host alone ends with `/`."""
    host, slash, path = _without_scheme(uri.partition("#")[0]).partition("/")
    return f"{host.lower()}{slash or '/'}{path}"


def site_pattern(pattern: str) -> str:
    """A pattern in the form in which addresses are compared with it."""
    bare = _without_scheme(pattern)
    host, slash, path = bare.partition("/")
    if not slash:
        return host.lower() if WILDCARD in host else f"{host.lower()}/{WILDCARD}"
    return f"{host.lower()}/{path}"


def fits_pattern(address: str, pattern: str) -> bool:
    """Whether an address fits, both in the form of this module; the time is linear in their lengths for each `*`."""
    first, *others = pattern.split(WILDCARD)
    if not others:
        return address == pattern
    *middle, last = others
    if len(address) < len(first) + len(last) or not address.startswith(first) or not address.endswith(last):
        return False
    at, end = len(first), len(address) - len(last)
    for piece in middle:
        found = address.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _without_scheme(uri: str) -> str:
    before, separator, behind = uri.partition("://")
    return behind if separator and "/" not in before else uri
