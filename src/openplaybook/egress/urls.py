"""What a URL must look like before anything is resolved."""

import re

from yarl import URL

from openplaybook.egress.errors import AddressRefused
from openplaybook.egress.policy import AddressPolicy

_FORBIDDEN_IN_URL = re.compile(r"[\x00-\x20\x7f\\]")
_ODD_PORT = re.compile(r":[^\]:]*[^\]:0-9][^\]:]*$", re.ASCII)
"""Signs, and digits of other scripts, which Python takes for numbers."""
_MAX_CHARACTERS = 64_000
"""More than any server takes in a request line."""


def checked_url(text: str, policy: AddressPolicy) -> URL:
    """The URL to send to, host checked by `policy`; raises `AddressRefused` with the rule it breaks."""
    if len(text) > _MAX_CHARACTERS:
        raise AddressRefused(f"the URL is longer than {_MAX_CHARACTERS} characters", rule="malformed_url")
    if _FORBIDDEN_IN_URL.search(text):
        raise AddressRefused("the URL contains a blank, a control character or a backslash", rule="malformed_url")
    try:
        url = URL(text, encoded=True)
        if url.raw_host and not url.raw_host.isascii():
            url = url.with_host(url.raw_host)
        host, port = url.raw_host, url.port
    except ValueError as error:
        raise AddressRefused("the URL cannot be read", rule="malformed_url") from error
    if url.scheme not in ("http", "https"):
        raise AddressRefused(f"only http and https are allowed, not {url.scheme[:20]!r}", rule="scheme")
    if url.raw_user is not None or url.raw_password is not None:
        raise AddressRefused("the URL contains a user name or password; set authentication instead", rule="userinfo")
    if not host or port is None or not 0 < port < 65536 or _ODD_PORT.search(url.raw_authority):
        raise AddressRefused("the URL has no host, or its port is not between 1 and 65535", rule="malformed_url")
    policy.check_host(host)
    return url
