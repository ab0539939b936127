"""Where Vertex AI Search is and how it is used: what follows `vertex` in the setting `search_engine`."""

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from openplaybook.retrieval.errors import EngineFault

GOOGLE = "https://discoveryengine.googleapis.com"

_GOOGLE_HOST = re.compile(r"([a-z0-9-]+\.)*googleapis\.com")
_FORM = "vertex:https://HOST?results=segments&token_file=PATH"
_OPTIONS = ("results", "token_file")
_ANYWHERE = "global"
_LOCATION = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NO_SEGMENTS = frozenset({".", ".."})
"""Parts of names that a URL gives another meaning."""


class ResultText(Enum):
    """What is asked for of each document, as editions and stores of Vertex AI Search differ."""

    SEGMENTS = "segments"
    """Extractive segments: of the Enterprise edition."""
    SNIPPETS = "snippets"
    """A sentence or two."""
    CHUNKS = "chunks"
    """Chunks as hits of their own: of stores that cut their documents."""


@dataclass(frozen=True, slots=True)
class VertexAddress:
    """How to reach the Discovery Engine API."""

    url: str = GOOGLE
    """Without a slash at its end."""
    results: ResultText = ResultText.SEGMENTS
    token_file: Path | None = None
    """With an access token, read for each request; None: the token of this server at Google."""

    @property
    def is_google(self) -> bool:
        """Whether this server's own token may be sent there."""
        parts = urlsplit(self.url)
        return parts.scheme == "https" and _GOOGLE_HOST.fullmatch(parts.hostname or "") is not None

    def of_store(self, store: str) -> str:
        """The URL for a store: multi-regions of Google, such as `eu`, have hosts of their own.

        Raises `EngineFault` for a name that would lead elsewhere: whoever makes a store chooses it.
        """
        segments = store.split("/")
        location = segments[3]
        if not _LOCATION.fullmatch(location) or not _NO_SEGMENTS.isdisjoint(segments):
            raise EngineFault(f"{store} is no name of a store at Google: its location is such as us or global")
        if self.url != GOOGLE or location == _ANYWHERE:
            return self.url
        return f"https://{location}-{urlsplit(GOOGLE).hostname}"


def read_vertex_address(argument: str) -> VertexAddress:
    """The address in a URL with options, or options alone. Raises `ValueError` that says what is allowed."""
    url = urlsplit(argument)
    is_named = bool(url.scheme or url.netloc or url.path)
    if is_named and (url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc):
        raise ValueError(f"vertex takes a URL without user name, such as {_FORM}, or none for Google's")
    options = dict(parse_qsl(url.query, keep_blank_values=True))
    if unknown := sorted(options.keys() - set(_OPTIONS)):
        raise ValueError(f"vertex has no option {unknown[0]!r}; allowed are {', '.join(_OPTIONS)}")
    known = {each.value: each for each in ResultText}
    results = options.get("results", ResultText.SEGMENTS.value)
    if results not in known:
        raise ValueError(f"the results of vertex must be one of {', '.join(known)}, not {results!r}")
    return VertexAddress(
        url=f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}" if is_named else GOOGLE,
        results=known[results],
        token_file=Path(options["token_file"]).expanduser() if "token_file" in options else None,
    )
