"""Which exchange belongs to which path, and the servers that go with the paths."""

from collections.abc import Collection, Sequence

from openplaybook.drafting.document_tree import followed
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.known_paths import KnownPaths
from openplaybook.drafting.path_templates import LocatedExchange, base_of, routed
from openplaybook.drafting.samples import ApiExchange
from openplaybook.jsonvalues import JsonObject, as_list, as_object


def located(root: JsonObject, exchanges: Sequence[ApiExchange]) -> list[LocatedExchange]:
    """The exchanges in their order, each with its place among the known paths of `root` or at a new one."""
    known = KnownPaths(root)
    places: dict[int, LocatedExchange] = {}
    behind: dict[str, list[tuple[ApiExchange, Sequence[str]]]] = {}
    elsewhere: dict[str, list[ApiExchange]] = {}
    for exchange in exchanges:
        place = known.locate(exchange)
        if place is not None:
            places[exchange.number] = place
        elif (server := next(known.under_servers(exchange), None)) is not None:
            behind.setdefault(server[0], []).append((exchange, server[1].removeprefix("/").split("/")))
        else:
            elsewhere.setdefault(exchange.origin, []).append(exchange)
    for origin, listed in elsewhere.items():
        base = base_of(listed)
        url = "/".join((origin, *base))
        behind.setdefault(url, []).extend((each, each.segments[len(base) :]) for each in listed)
    for server, relative in behind.items():
        places |= {each.exchange.number: each for each in routed(server.rstrip("/"), relative)}
    return [places[exchange.number] for exchange in exchanges]


def place_servers(
    root: JsonObject, exchanges: Sequence[LocatedExchange], known: Collection[str], remarks: Remarks
) -> None:
    """Name the servers: those of most paths for the document, others at the paths that only they have.

    `known` are the paths that the document had before.
    """
    by_server: dict[str, set[str]] = {}
    for each in exchanges:
        by_server.setdefault(each.server, set()).add(each.path)
    if not as_list(root.get("servers")):
        first = max(by_server, key=lambda server: len(by_server[server]))
        shared = [server for server, paths in by_server.items() if server != first and paths <= by_server[first]]
        root["servers"] = [{"url": server} for server in (first, *shared)]
    elif all("://" not in str(as_object(server).get("url", "")) for server in as_list(root["servers"])):
        _make_absolute(root, exchanges, remarks)
    urls = {url.rstrip("/") for url in KnownPaths(root).servers}
    for server in by_server:
        if server not in urls:
            _place_at_paths(root, server, exchanges, known)


def _place_at_paths(
    root: JsonObject, server: str, exchanges: Sequence[LocatedExchange], known: Collection[str]
) -> None:
    """Name a server at the paths that samples reached there, after those they were reached at already."""
    for path in dict.fromkeys(each.path for each in exchanges if each.server == server):
        here = [each for each in exchanges if each.path == path]
        item = followed(root, as_object(root.get("paths")).get(path))
        if item is None:
            continue
        of_document = [as_object(each) for each in as_list(root["servers"])]
        reached = {each.server for each in here}
        is_shared = path in known or any(str(each.get("url")).rstrip("/") in reached for each in of_document)
        before = as_list(item.get("servers")) or (of_document if is_shared else [])
        item["servers"] = [*before, {"url": server}]


def _make_absolute(root: JsonObject, exchanges: Sequence[LocatedExchange], remarks: Remarks) -> None:
    """Put the server that the samples show before servers that do not say where they are."""
    for each in exchanges:
        if "://" not in each.server:
            url = f"{each.exchange.origin}{each.server if each.server.startswith('/') else ''}"
            root["servers"] = [{"url": url}, *as_list(root["servers"])]
            remarks.add(f"servers: {url}, which the samples show, now precedes the relative one.")
            return
