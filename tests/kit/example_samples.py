"""Samples out of the examples that real OpenAPI documents hold."""

from collections.abc import Iterator
from urllib.parse import quote, urlencode

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def samples(root: JsonObject) -> Iterator[JsonObject]:
    """`{url, method, requestBody, responseBody, status}` for each JSON answer with an example, members of a sample.

    Parameters take their examples or defaults, path parameters without one a number or a word with digits.
    """
    server = next((url for each in as_list(root.get("servers")) if _is_plain(url := _text(each, "url"))), "")
    for path, item in as_object(root.get("paths")).items():
        for method in _METHODS:
            operation = as_object(as_object(item).get(method))
            parameters = [*as_list(as_object(item).get("parameters")), *as_list(operation.get("parameters"))]
            url = _url(server or "https://api.unknown.example", path, [_followed(root, each) for each in parameters])
            body = _example(root, _followed(root, operation.get("requestBody")))
            for status, response in as_object(operation.get("responses")).items() if "{" not in url else ():
                answer = _example(root, _followed(root, response))
                if status.isdigit() and answer is not None:
                    yield {
                        "url": url,
                        "method": method.upper(),
                        "requestBody": "" if body is None else _written(body),
                        "responseBody": _written(answer),
                        "status": int(status),
                    }


def _url(server: str, path: str, parameters: list[JsonObject]) -> str:
    query: list[tuple[str, str]] = []
    for number, each in enumerate(parameters):
        schema = as_object(each.get("schema"))
        shown: JsonValue = each.get("example", schema.get("example", schema.get("default")))
        if each.get("in") == "path":
            made = str(100 + number) if schema.get("type") == "integer" else f"x{100_000 + number}"
            value = str(shown) if isinstance(shown, str | int) and shown != "" else made
            path = path.replace(f"{{{each.get('name')}}}", quote(value, safe=""))
        elif each.get("in") == "query" and isinstance(shown, str | int | float):
            query.append((str(each.get("name")), str(shown).lower() if isinstance(shown, bool) else str(shown)))
    return server.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")


def _example(root: JsonObject, holder: JsonObject) -> JsonValue:
    """The first example of a JSON body; a text stands for itself."""
    for media_type, described in as_object(holder.get("content")).items():
        media = as_object(described)
        named = [_followed(root, each).get("value") for each in as_object(media.get("examples")).values()]
        for found in (media.get("example"), *named, _followed(root, media.get("schema")).get("example")):
            if "json" in media_type and isinstance(found, dict | list):
                return found
    return None


def _followed(root: JsonObject, value: JsonValue) -> JsonObject:
    """The object, or the one that its reference leads to within the document."""
    found = as_object(value)
    for _ in range(8):
        reference = found.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        target: JsonValue = root
        for part in reference[2:].split("/"):
            target = as_object(target).get(part.replace("~1", "/").replace("~0", "~"))
        found = as_object(target)
    return found


def _is_plain(url: str) -> bool:
    return url.startswith("http") and "{" not in url


def _text(value: JsonValue, key: str) -> str:
    return str(as_object(value).get(key, ""))


def _written(value: JsonValue) -> str:
    return dumps(value).decode()
