"""Samples out of an HTTP archive, as browsers and proxies save one (HAR 1.2)."""

from collections.abc import Iterator
from urllib.parse import quote_plus, urlsplit

from openplaybook.drafting.errors import GenerationError
from openplaybook.drafting.samples import FORM_TYPE, METHODS, Sample
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads

_ASSETS = ("text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/wasm")
_ASSET_GROUPS = ("image/", "font/", "video/", "audio/")
_ASSET_ENDINGS = (".js", ".css", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".woff", ".woff2", ".map", ".mjs")


class UnusableArchive(GenerationError):
    """The text is no HTTP archive."""

    code = "UNUSABLE_ARCHIVE"


def samples_of(text: str) -> list[Sample]:
    """The exchanges with APIs in an archive; pages, scripts, images and what was not answered are left out.

    Raises `UnusableArchive`.
    """
    try:
        log = as_object(as_object(loads(text.removeprefix("\ufeff"))).get("log"))
    except ValueError as error:
        raise UnusableArchive(f"the archive is not JSON: {str(error).partition(chr(10))[0]}") from error
    if not isinstance(log.get("entries"), list):
        raise UnusableArchive("the archive has no log.entries; save it as HAR 1.2")
    return list(_samples(as_object(entry) for entry in as_list(log["entries"])))


def _samples(entries: Iterator[JsonObject]) -> Iterator[Sample]:
    for entry in entries:
        request, response = as_object(entry.get("request")), as_object(entry.get("response"))
        status, url = response.get("status"), str(request.get("url", ""))
        content = as_object(response.get("content"))
        media_type = str(content.get("mimeType", "")).partition(";")[0].strip().lower()
        is_asset = media_type in _ASSETS or media_type.startswith(_ASSET_GROUPS) or _path(url).endswith(_ASSET_ENDINGS)
        is_answered = isinstance(status, int) and 200 <= status <= 599 and status not in (301, 302, 303, 307, 308, 304)
        if is_asset or not is_answered or media_type == "text/html" or not url.startswith(("http://", "https://")):
            continue
        method = str(request.get("method", "GET"))
        if method.lower() not in METHODS or method == "OPTIONS":
            continue
        # A body in base64 is not text.
        body = "" if content.get("encoding") else str(content.get("text") or "")
        posted = as_object(request.get("postData"))
        yield Sample(url, method, _headers(request, posted), _posted(posted), body, int(status or 200), media_type)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path.lower()
    except ValueError:
        return ""


def _headers(request: JsonObject, posted: JsonObject) -> dict[str, str]:
    listed = [as_object(each) for each in as_list(request.get("headers"))]
    headers = {str(each.get("name", "")): str(each.get("value", "")) for each in listed}
    if posted.get("mimeType") and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = str(posted["mimeType"])
    return headers


def _posted(posted: JsonObject) -> str:
    """The text of a body; a form that comes as a list of parameters is written out."""
    text = posted.get("text")
    if isinstance(text, str) and text:
        return text
    if not str(posted.get("mimeType", "")).startswith(FORM_TYPE):
        return ""
    pairs = [as_object(each) for each in as_list(posted.get("params"))]
    return "&".join(
        f"{quote_plus(str(each.get('name', '')))}={quote_plus(str(each.get('value', '')))}" for each in pairs
    )
