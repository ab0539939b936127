"""Searching a store over the API, and showing what was found."""

import textwrap
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

_SERVING = "servingConfigs/default_search"
_WIDTH = 100
_SHOWN_LINES = 4


def search_store(api: "ApiClient", store: str, query: str, filter_: str, limit: int) -> list[JsonObject]:
    """The passages found: `{id, score, title, uri, text, matched}`, best first. Raises `CommandError`."""
    request: JsonObject = {"query": query, "pageSize": limit, "explain": True}
    if filter_:
        request["filter"] = filter_
    response = api.post(f"v1/{store}/{_SERVING}:search", request)
    return [_result(as_object(each)) for each in as_list(response.get("results"))]


def read_queries(path: Path) -> Iterator[tuple[JsonValue, str]]:
    """Id and text of each line. Raises `CommandError` naming the line that cannot be read."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _query(line, f"{path}, line {number}")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error


def print_results(results: Sequence[JsonObject]) -> None:
    """For people: title, address, the passage, and the words that were found in it."""
    if not results:
        typer.echo("nothing was found", err=True)
    for number, result in enumerate(results, start=1):
        head = " · ".join(harmless(str(result[key])) for key in ("title", "uri") if result.get(key))
        typer.secho(f"{number}. {head or result['id']}", bold=True)
        lines = textwrap.wrap(harmless(str(result.get("text", ""))), _WIDTH)
        for line in lines[:_SHOWN_LINES]:
            typer.echo(f"   {line}")
        if len(lines) > _SHOWN_LINES:
            typer.echo("   …")
        typer.secho(f"   {_why(result)}", fg="bright_black")


def _query(line: bytes, place: str) -> tuple[JsonValue, str]:
    try:
        value = loads(line)
    except ValueError as error:
        raise CommandError(f"{place}: not JSON ({error})") from error
    members = as_object(value)
    text = members.get("query", members.get("text"))
    if not isinstance(text, str) or not text:
        raise CommandError(f"{place}: must be an object with the text query")
    return members.get("id", members.get("_id")), text


def _result(found: JsonObject) -> JsonObject:
    document = as_object(found.get("document"))
    derived = as_object(document.get("derivedStructData"))
    snippets = as_list(derived.get("snippets"))
    snippet = as_object(snippets[0]) if snippets else derived
    chunk = as_object(found.get("chunk"))
    return {
        "id": found.get("id"),
        "score": derived.get("score"),
        "title": derived.get("title"),
        "uri": derived.get("link"),
        "text": chunk.get("content") or unescape(str(snippet.get("snippet") or "")),
        "matched": derived.get("matched", []),
    }


def _why(result: JsonObject) -> str:
    words = [
        f"{each.get('term')} ({each.get('field')}, {float(each.get('weight') or 0):.2f})"
        for each in map(as_object, as_list(result.get("matched")))
    ]
    score = result.get("score")
    return (
        f"score {float(score):.3f}: {harmless(', '.join(words))}" if score is not None else harmless(", ".join(words))
    )
