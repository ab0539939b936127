"""The files that an OpenAPI document refers to, read from its own folder and those below."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from openplaybook.tools.openapi.description.missing_documents import missing_documents

_MAX_FILES = 100
_MAX_BYTES = 10_000_000
"""Of one file."""


def documents_of(spec: Path, text: str) -> dict[str, str]:
    """Texts by URI of what the document `text` in the file `spec` refers to, directly or not.

    A file that is not there, lies outside the folder (links followed), is too large or no UTF-8 text is left out: the
    report then says what the reference needs.
    """
    home = spec.resolve().parent
    uri = spec.resolve().as_uri()
    found: dict[str, str] = {}
    given_up: set[str] = set()
    while wanted := [each for each in missing_documents(text, found, uri) if each not in given_up]:
        for each in wanted:
            content = _read(each, home) if len(found) < _MAX_FILES else None
            if content is None:
                given_up.add(each)
            else:
                found[each] = content
    return found


def _read(uri: str, home: Path) -> str | None:
    place = urlsplit(uri)
    if place.scheme != "file" or place.netloc:
        return None
    try:
        path = Path(unquote(place.path)).resolve()
        if not path.is_relative_to(home) or not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return None
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return None
