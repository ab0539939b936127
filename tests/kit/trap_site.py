"""A website of some hundred pages on a loopback socket, with everything that a crawler can fall into."""

import asyncio
import gzip
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from tests.kit.http_peer import Received, answer

DOCUMENTS = 250
"""Pages of the honest part, a tree of links."""

Reply = Callable[[str], bytes | None]
"""From the target to the bytes of an answer."""


def html(title: str, links: Iterable[str] = (), head: str = "") -> bytes:
    """A page with some links."""
    anchors = "".join(f'<p><a href="{link}">{link}</a>' for link in links)
    return f"<!doctype html><title>{title}</title>{head}<h1>{title}</h1>{anchors}".encode()


def page(body: bytes, content_type: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    """The answer with a page."""
    return answer(body, "200 OK", content_type, **headers)


def moved(location: str, status: str = "301 Moved Permanently") -> bytes:
    """The answer that leads on."""
    return answer(b"", status, Location=location)


@dataclass
class TrapSite:
    """What the site has: replies by path, which the test may change, and what was asked of it."""

    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    robots: str = ""
    robots_status: str = "200 OK"
    asked: list[str] = field(default_factory=list[str])
    """Targets, in the order of asking."""
    agents: set[str] = field(default_factory=set[str])
    """Values of `User-Agent`."""
    most_at_once: int = 0
    silent: frozenset[str] = frozenset()
    """Paths that are never answered."""
    is_silent: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    """Can be acquired once for each request that is not answered."""
    _now: int = 0

    async def __call__(self, request: Received) -> bytes | None:
        """Answer one request."""
        self.asked.append(request.target)
        self.agents.add(request.header("User-Agent") or "")
        if request.target.partition("?")[0] in self.silent:
            self.is_silent.release()
            await asyncio.get_running_loop().create_future()
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        # So that those who ask at the same time are seen to.
        await asyncio.sleep(0)
        self._now -= 1
        return self._reply(request)

    def _reply(self, request: Received) -> bytes | None:
        path = request.target.partition("?")[0]
        if path == "/robots.txt":
            return answer(self.robots.encode(), self.robots_status, "text/plain")
        reply = self.replies.get(path) or self.replies.get(path[: path.find("/", 1) + 1] + "*")
        if reply is None:
            return answer(b"no such page", "404 Not Found", "text/html")
        made = reply(request.target)
        if made is None or not made.startswith(b"HTTP/1.1 200"):
            return made
        tag = f'"{sha256(made).hexdigest()[:16]}"'
        if request.header("If-None-Match") == tag:
            return answer(b"", "304 Not Modified", ETag=tag)
        return made.replace(b"\r\n", f"\r\nETag: {tag}\r\n".encode(), 1)


def word(number: int) -> str:
    """A number in letters: pages whose URLs differ in numbers alone are suspicious."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def honest_site(count: int = DOCUMENTS) -> TrapSite:
    """Pages alone, each of which leads to two more, written in several ways."""
    site = TrapSite()
    for number in range(count):
        children = [child for child in (2 * number + 1, 2 * number + 2) if child < count]
        links = [
            f"{word(child)}?utm_source=mail#top" if child % 2 else f"../docs/./{word(child)}" for child in children
        ]
        site.replies[f"/docs/{word(number)}"] = constant(page(html(f"Document {word(number)}", links)))
    site.replies["/"] = constant(page(html("Start", ["/docs/a"])))
    return site


def trap_site(*, is_patient: bool = False) -> TrapSite:
    """All of it; a page that is never answered only for a test that `is_patient`."""
    site = honest_site()
    site.robots = (
        "User-agent: *\nDisallow: /secret\nCrawl-delay: 0\nSitemap: /maps/index.xml\nSitemap: /maps/evil.xml\n"
    )
    if is_patient:
        site.silent = frozenset({"/silent"})
    doors = [f"/{name}" for name in _DOORS]
    site.replies["/"] = constant(page(html("Start", ["/docs/a", *doors])))
    site.replies |= {path: constant(made) for path, made in _FIXED.items()}
    site.replies |= _SWITCHES
    site.replies |= {"/flaky": _once(answer(b"", "503 Busy", Retry_After="7"), page(html("Flaky")))}
    site.replies |= {"/busy": _once(answer(b"", "429 Slowly"), page(html("Busy")))}
    return site


def constant(made: bytes) -> Reply:
    """The same answer, however often it is asked for."""
    return lambda target: made


def _once(first: bytes, then: bytes) -> Reply:
    left = [first]
    return lambda target: left.pop() if left else then


def _calendar(target: str) -> bytes:
    month = int(target.rpartition("/")[2])
    return page(html(f"Month {month}", [f"/calendar/{month + 1}"]))


def _search(target: str) -> bytes:
    words = target.partition("=")[2] or "a"
    return page(html(f"Results of {words}", [f"/search?q={words}a", f"/search?q={words}b"]))


def _endless(target: str) -> bytes:
    return page(html(target, ["round/"]))


def _hop(target: str) -> bytes:
    return moved(f"/hop/{int(target.rpartition('/')[2]) + 1}", "302 Found")


_SWITCHES: Mapping[str, Reply] = {
    "/calendar/*": _calendar,
    "/search": _search,
    "/endless/*": _endless,
    "/same/*": constant(page(html("The same", ["same/"]))),
    "/hop/*": _hop,
    "/closed": lambda target: None,
}

_DOORS = (
    "calendar/1",
    "search?q=a",
    "endless/",
    "same/",
    "hop/1",
    "old",
    "leaves",
    "to-internal",
    "http-internal",
    "twin/a",
    "twin/b",
    "printed",
    "lost",
    "mutual/a",
    "mutual/b",
    "hidden-by-page",
    "hidden-by-header",
    "quiet",
    "vouching",
    "secret/plan",
    "excluded/a",
    "withdrawn",
    "forbidden",
    "failing",
    "closed",
    "silent",
    "flaky",
    "busy",
    "bomb",
    "long",
    "empty",
    "latin",
    "wrong-charset",
    "picture.png",
    "binary",
    "manual",
    "sent-on",
    "based",
    "many?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9",
)

_LONG = 150_000

_FIXED: Mapping[str, bytes] = {
    "/old": moved("docs/d"),
    "/leaves": moved("https://elsewhere.example/"),
    "/to-internal": moved("http://10.0.0.1/admin"),
    "/http-internal": moved("http://internal.example/admin"),
    "/twin/a": page(html("Twins")),
    "/twin/b": page(html("Twins")),
    "/printed": page(html("Document b, printed", head='<link rel="canonical" href="/docs/b">')),
    "/lost": page(html("Lost", head='<link rel="canonical" href="/nowhere">')),
    "/mutual/a": page(html("Mutual A", head='<link rel="canonical" href="/mutual/b">')),
    "/mutual/b": page(html("Mutual B", head='<link rel="canonical" href="/mutual/a">')),
    "/hidden-by-page": page(html("Hidden", ["/found-in-hidden"], '<meta name="ROBOTS" content="noindex">')),
    "/found-in-hidden": page(html("Found in a hidden page")),
    "/hidden-by-header": page(html("Hidden too"), X_Robots_Tag="noindex, nofollow"),
    "/quiet": page(html("Quiet", ["/unfollowed"], '<meta name="robots" content="nofollow">')),
    "/vouching": page(b'<title>V</title><a rel="nofollow" href="/unfollowed">u</a><a href="mailto:a@b">m</a>'),
    "/unfollowed": page(html("Never asked for")),
    "/excluded/a": page(html("Excluded")),
    "/secret/plan": page(html("Secret")),
    "/withdrawn": answer(b"", "410 Gone"),
    "/forbidden": answer(b"", "403 Forbidden"),
    "/failing": answer(b"", "500 Failed"),
    "/bomb": page(gzip.compress(bytes(50_000_000)), Content_Encoding="gzip"),
    "/long": page(html("Long") + b" " * _LONG),
    "/empty": page(b" \n"),
    "/latin": page("<title>Grüße</title>".encode("latin-1"), "text/html; charset=ISO-8859-1"),
    "/wrong-charset": page("<title>Größe</title><a href=/after-wrong>x</a>".encode("latin-1")),
    "/after-wrong": page(html("After")),
    "/picture.png": page(b"PNG", "image/png"),
    "/binary": page(b"\x00\x01", "application/octet-stream"),
    "/manual": page(b"%PDF-1.7 manual", "application/pdf"),
    "/sent-on": page(b'<meta http-equiv="refresh" content="0; url=\'/docs/f\'">'),
    "/based": page(html("Based", ["h?x"], '<base href="/docs/">')),
    "/maps/index.xml": page(
        b"<sitemapindex><sitemap><loc>/maps/pages.xml.gz</loc></sitemap>"
        b"<sitemap><loc>/maps/index.xml</loc></sitemap><sitemap><loc>/maps/none.xml</loc></sitemap></sitemapindex>",
        "application/xml",
    ),
    "/maps/pages.xml.gz": page(
        gzip.compress(
            b"<urlset>"
            + b"".join(b"<url><loc>/listed/%d</loc></url>" % number for number in range(20))
            + b"<url><loc>https://elsewhere.example/x</loc></url><url><loc>/secret/listed</loc></url></urlset>"
        ),
        "application/gzip",
    ),
    "/maps/evil.xml": page(b'<!DOCTYPE u [<!ENTITY a "b">]><urlset><url><loc>/evil</loc></url></urlset>'),
    **{f"/listed/{number}": page(html(f"Listed {number}")) for number in range(20)},
}
