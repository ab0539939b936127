"""One spelling for each URL of a page, so that what is the same page by its address is taken once.

Case and ports of the origin, international names, dots in the path, escapes, fragments (RFC 3986 §6.2), the order of
parameters, and parameters that only say where a visitor came from or which session he has.
"""

import re
from urllib.parse import quote, urljoin

from openplaybook.egress.web_origin import origin_of

MAX_URL = 2048
"""Characters; what is longer is no page's URL for the crawler."""

_TRACKING = re.compile(
    r"utm_.*|_hs(enc|mi)|mc_[ce]id|(g|db|f|ms|y|tw|tt|d|wb|gb)clid|gclsrc|fbclid|igshid|_g[al]|_openstat|"
    r"phpsessid|jsessionid|aspsessionid.*|sessionid|cfid|cftoken",
    re.IGNORECASE,
)
"""Names of parameters that change nothing on the page: of campaigns, and of sessions."""
_SESSION_IN_PATH = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_ESCAPE_OR_OTHER = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~!$&'()*+,;=:@/?-]")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_DROPPED = re.compile(r"[\t\r\n]")
_AROUND = "".join(map(chr, range(0x21)))
"""Blanks and control characters, which the URL standard takes off both ends."""
_WHOLE = re.compile(r"https?://", re.IGNORECASE)
_BEFORE_QUERY = re.compile(r"[^?#]*")


def canonical_url(text: str, base: str = "") -> str:
    """The one spelling of a URL, which may be relative to a base that is in its own; empty for what is no page's URL.

    None of a page are: other schemes than http and https, user names, hosts that are not beyond doubt, and what has
    more than `MAX_URL` characters.
    """
    if len(text) > 2 * MAX_URL:
        return ""
    text = _DROPPED.sub("", text.strip(_AROUND))
    # Browsers take one for a slash, and so must we: two readers of one URL must not see two hosts.
    if "\\" in text:
        text = _BEFORE_QUERY.sub(lambda match: match[0].replace("\\", "/"), text, count=1)
    try:
        whole = _joined(base, text) if base else text
    except ValueError:
        return ""
    origin = origin_of(whole)
    if origin is None:
        return ""
    before, _, query = whole.partition("#")[0].partition("?")
    path, query = before[before.index("://") + 3 :].partition("/")[2], canonical_query(query)
    url = f"{origin}{canonical_path(path)}" + (f"?{query}" if query else "")
    return url if len(url) <= MAX_URL else ""


def canonical_path(path: str) -> str:
    """A path, given without its first slash, in one spelling with it: without dots and sessions."""
    return _without_dots(_SESSION_IN_PATH.sub("", escaped(path)))


def canonical_query(query: str) -> str:
    """A query in one spelling: parameters by name, those of equal names in their order, none that only track."""
    pairs = [escaped(pair) for pair in query.split("&") if pair]
    kept = [pair for pair in pairs if not _TRACKING.fullmatch(_name(pair))]
    return "&".join(sorted(kept, key=_name))


def escaped(text: str) -> str:
    """A path or query in which exactly what needs an escape has one, in capitals (RFC 3986 §6.2.2)."""
    return _ESCAPE_OR_OTHER.sub(_one_spelling, text)


def split_url(url: str) -> tuple[str, str]:
    """A canonical URL as its origin, and what is behind it, with the slash."""
    end = url.find("/", len("https://"))
    return (url[:end], url[end:]) if end >= 0 else (url, "/")


def _joined(base: str, reference: str) -> str:
    """A reference as a whole URL (RFC 3986 §5.2); most are one already, or have the path."""
    if _WHOLE.match(reference):
        return reference
    if reference.startswith("/") and not reference.startswith("//"):
        return split_url(base)[0] + reference
    return urljoin(base, reference)


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _one_spelling(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1:
        return quote(found, safe="", errors="replace")
    character = chr(int(found[1:], 16))
    return character if _UNRESERVED.fullmatch(character) else found.upper()


def _without_dots(path: str) -> str:
    """The path without `.` and `..` (RFC 3986 §5.2.4)."""
    if not path.startswith(".") and "/." not in path:
        return f"/{path}"
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", "..") and kept and kept[-1]:
        kept.append("")
    return "/" + "/".join(kept)
