"""Everything below `/console/`: built files, one page for every address, and the frame that foreign HTML is shown in.

The files tell nothing of what is stored, so whoever reaches the server may read them; data comes from the API alone.
"""

import asyncio
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

ROOT = "/console"
BUILT = Path(__file__).parent / "built"
"""Where set-up puts what it builds; shipped in the wheel."""
MISSING = "missing.txt"
"""In that folder: why set-up could not build the console."""

_PAGE = "index.html"
_START_PAGE = "start.html"
_TALK_PAGE = "talk.html"
"""The same page, which names the files of its first view too."""
_TALK = "/sessions/"
_FRAME = "frame"
_HASHED = "assets/"
"""Files whose names change with their content."""
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""As the build compresses them, best first."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types openplaybook dompurify"
)
"""Content Security Policy Level 3: no inline script or style, nothing from elsewhere, never in somebody's frame."""
_FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; "
    "frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
)
"""HTML of agents: it may have styles and images, and no script runs in it."""
_GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_MESSENGER = "messenger.js"
"""The one file that pages of other origins load."""


@dataclass(frozen=True, slots=True)
class _BuiltFile:
    path: Path
    media_type: str
    encodings: Mapping[str, Path]


class ConsoleSite:
    """An ASGI app for the paths below `ROOT`."""

    def __init__(self, folder: Path = BUILT, *, closed: str = "") -> None:
        """`folder` is what set-up built. `closed` says why there is no console here; empty where there is one."""
        self._closed = closed
        self._folder = folder
        self._built = 0
        self._files: Mapping[str, _BuiltFile] = {}
        self._contents: dict[Path, bytes] = {}
        self._reason = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._response(scope)
        await response(scope, receive, send)

    async def _response(self, scope: Scope) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"Allow": "GET, HEAD"})
        if self._closed:
            return _missing_page(self._closed, status=403)
        self._look()
        if _PAGE not in self._files:
            return _missing_page(self._reason or "It has not been built: run `make setup` in the project.", status=503)
        path = scope["path"].removeprefix(ROOT)
        if not path:
            query = scope["query_string"].decode("latin-1")
            return RedirectResponse(f"{ROOT}/{'?' if query else ''}{query}", status_code=308)
        return await self._answer(path.removeprefix("/"), _accepted(scope["headers"]))

    def _look(self) -> None:
        """Knows what the last build made, also one that ended while the server runs."""
        page, note = self._folder / _PAGE, self._folder / MISSING
        built = page.stat().st_mtime_ns if page.is_file() else -1
        if built < 0:
            self._reason = note.read_text().strip() if note.is_file() else ""
        if built != self._built:
            self._built = built
            self._files = _files_of(self._folder)
            self._contents = {}

    def _page_of(self, view: str) -> _BuiltFile:
        page = _TALK_PAGE if _TALK in view else _PAGE if view else _START_PAGE
        return self._files.get(page) or self._files[_PAGE]

    async def _answer(self, name: str, accepted: frozenset[str]) -> Response:
        if name == _FRAME:
            return HTMLResponse(_FRAME_PAGE, headers={**_GUARDS, "Content-Security-Policy": _FRAME_POLICY})
        file = self._files.get(name)
        if file is None and name.startswith(_HASHED):
            # An old page asks for a file of an older build: the whole page would be no script.
            return Response(status_code=404, headers={"Cache-Control": "no-store"})
        # Every other address is a view of the page, which knows what is there.
        chosen = file or self._page_of(name)
        encoding, sent = next(
            ((each, path) for each, path in chosen.encodings.items() if each in accepted), ("", chosen.path)
        )
        headers = {**_GUARDS, "Content-Security-Policy": _POLICY, "Vary": "Accept-Encoding"}
        headers["Cache-Control"] = "public, max-age=31536000, immutable" if name.startswith(_HASHED) else "no-cache"
        if name == _MESSENGER:
            headers |= {"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"}
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(await self._content_of(sent), media_type=chosen.media_type, headers=headers)

    async def _content_of(self, path: Path) -> bytes:
        """A file as it was built, read once: a page asks for several at the same time, and all together are small."""
        content = self._contents.get(path)
        if content is None:
            content = self._contents[path] = await asyncio.to_thread(path.read_bytes)
        return content


_FRAME_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Content of an agent</title><body></body></html>'
)


def _files_of(folder: Path) -> dict[str, _BuiltFile]:
    """What the build made, by the path below `ROOT`."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    packed = tuple(suffix for _, suffix in _ENCODINGS)
    return {
        name: _BuiltFile(path, _media_type(name), _encodings_of(name, paths))
        for name, path in paths.items()
        if not name.endswith(packed) and name != MISSING
    }


def _encodings_of(name: str, paths: Mapping[str, Path]) -> dict[str, Path]:
    return {encoding: paths[name + suffix] for encoding, suffix in _ENCODINGS if name + suffix in paths}


def _media_type(name: str) -> str:
    # What the system's own table says differs between machines, and a wrong one stops a script.
    known = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
    return known.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _accepted(headers: Iterable[tuple[bytes, bytes]]) -> frozenset[str]:
    """The encodings that a client takes (RFC 9110 §12.5.3)."""
    lines = b",".join(value for name, value in headers if name == b"accept-encoding").decode("latin-1").lower()
    parts = [part.strip().partition(";") for part in lines.split(",")]
    return frozenset(name.strip() for name, _, weight in parts if weight.replace(" ", "") not in ("q=0", "q=0.0"))


_MISSING_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
_MISSING_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 4rem auto; max-width: 40rem; padding: 0 1rem; }
@media (prefers-color-scheme: dark) { body { background: #141412; color: #edeae4; } a { color: #70cbb3; } }
"""


def _missing_page(reason: str, *, status: int) -> HTMLResponse:
    """Says why there is no console, and what works without it. `reason` is a sentence or two, as plain text."""
    return HTMLResponse(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>No console · OpenPlaybook</title>
<meta name="viewport" content="width=device-width"><style>{_MISSING_STYLE}</style></head>
<body><h1>The console is not here</h1><p>{escape(reason)}</p>
<p>The API and the command line work without it: <code>openplaybook --help</code>,
<code>openplaybook chat NAME</code>, <a href="/healthz">/healthz</a>.</p></body></html>
""",
        status_code=status,
        headers=_MISSING_HEADERS,
    )
