"""Where a cluster is and how it is used: the argument of `opensearch:` in the setting `search_engine`.

The URL has no password, since settings are shown; options name the files that hold what is secret.
"""

import re
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

_FORM = "opensearch:https://HOST:9200?user=NAME&password_file=PATH, or ?api_key_file=PATH; ca_file=PATH"
_OPTIONS = ("user", "password_file", "api_key_file", "ca_file", "prefix")
_PREFIX = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
_DEFAULT_PREFIX = "openplaybook"


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """How to reach one cluster."""

    url: str
    """Without a slash at its end."""
    authorization: str = field(default="", repr=False)
    """The header of that name; empty for a cluster that asks for none."""
    ca_certificate: bytes = field(default=b"", repr=False)
    """Trusted instead of the system's authorities."""
    prefix: str = _DEFAULT_PREFIX
    """Of the names of all indexes: installations that share a cluster have one each."""

    @property
    def secret(self) -> str:
        """What no message may repeat; empty where there is none."""
        return self.authorization.partition(" ")[2]


def read_cluster_address(argument: str) -> ClusterAddress:
    """The address in a URL with options. Raises `ValueError` that says what is allowed."""
    url = urlsplit(argument)
    if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc:
        raise ValueError(f"opensearch takes a URL without user name and password, such as {_FORM}")
    options = dict(parse_qsl(url.query, keep_blank_values=True))
    if unknown := sorted(options.keys() - set(_OPTIONS)):
        raise ValueError(f"opensearch has no option {unknown[0]!r}; allowed are {', '.join(_OPTIONS)}")
    prefix = options.get("prefix", _DEFAULT_PREFIX)
    if not _PREFIX.fullmatch(prefix):
        raise ValueError("the prefix of opensearch has 1 to 100 small letters, digits, _, . and -, a letter first")
    return ClusterAddress(
        url=f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}",
        authorization=_authorization(options),
        ca_certificate=_read(options["ca_file"], "certificate") if "ca_file" in options else b"",
        prefix=prefix,
    )


def _authorization(options: dict[str, str]) -> str:
    if ("user" in options) != ("password_file" in options):
        raise ValueError("opensearch requires user and password_file together")
    if "user" in options and "api_key_file" in options:
        raise ValueError("opensearch takes a user or an api_key_file, not both")
    if "api_key_file" in options:
        return f"ApiKey {_secret(options['api_key_file'], 'API key')}"
    if "user" not in options:
        return ""
    pair = f"{options['user']}:{_secret(options['password_file'], 'password')}"
    return f"Basic {b64encode(pair.encode()).decode('ascii')}"


def _secret(path: str, what: str) -> str:
    text = _read(path, what).decode(errors="replace").strip()
    if not text or not text.isprintable():
        raise ValueError(f"the {what} file {path} of opensearch must hold one line of text")
    return text


def _read(path: str, what: str) -> bytes:
    try:
        return Path(path).expanduser().read_bytes()
    except OSError as error:
        raise ValueError(f"the {what} file {path} of opensearch cannot be read: {error.strerror}") from error
