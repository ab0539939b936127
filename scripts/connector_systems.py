"""Writes docs/connectors/systems.md from the catalogue of connectors."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from openplaybook.connectors.base import EntityOperation
from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.connectors.definitions import AuthenticationKind, ConnectorDefinition, Engine, Evidence

PAGE = Path("docs/connectors/systems.md")

_INTRO = """# Systems

Every system that a connection can reach. This page is generated (`python -m scripts.connector_systems`) from the same
definitions as `openplaybook connectors list`. [What a connection is](../connectors.md)"""

_EVIDENCE = {
    Evidence.REAL_PRODUCT: "the product itself runs in our tests",
    Evidence.WIRE_COMPATIBLE: "a server with the same protocol runs in our tests",
    Evidence.VENDOR_DOCUMENT: "requests are validated against the vendor's API document",
    Evidence.THIRD_PARTY_DOCUMENT: "as above, with a document that others wrote or that is incomplete",
    Evidence.COMPILED_ONLY: "requests are compared with the vendor's documentation; nothing has executed them",
}
_LETTERS = {
    EntityOperation.LIST: "list",
    EntityOperation.GET: "get",
    EntityOperation.CREATE: "create",
    EntityOperation.UPDATE: "update",
    EntityOperation.DELETE: "delete",
}


def page() -> str:
    """The whole page."""
    systems = list(catalogue().values())
    counts = Counter(each.evidence for each in systems)
    lines = [_INTRO, "", "## What the tests use", "", "| evidence | meaning | systems |", "|---|---|--:|"]
    lines += [f"| {each.value} | {_EVIDENCE[each]} | {counts[each]} |" for each in Evidence]
    lines += ["", "## The systems", "", "| system | ID | engine | can | logs in with | evidence |"]
    lines += ["|---|---|---|---|---|---|", *map(_row, systems)]
    return "\n".join(lines) + "\n"


def _row(system: ConnectorDefinition) -> str:
    title = f"[{system.title}]({system.documentation})" if system.documentation else system.title
    cells = (title, f"`{system.id}`", system.engine.value, _abilities(system), _logins(system), _evidence(system))
    return f"| {' | '.join(cells)} |"


def _abilities(system: ConnectorDefinition) -> str:
    found = [_LETTERS[each] for each in system.operations] if system.has_entities else []
    found = ["all operations"] if len(found) == len(_LETTERS) else found
    found += ["queries"] if system.takes_queries else []
    # Of databases and plugins with queries these are the only action.
    is_by_manifest = system.engine in (Engine.REST, Engine.ODATA, Engine.GRAPHQL)
    found += ["actions"] if system.has_actions and (is_by_manifest or not system.takes_queries) else []
    return ", ".join(found)


def _logins(system: ConnectorDefinition) -> str:
    names: Sequence[str] = [
        "none" if each.kind is AuthenticationKind.NONE and not each.variables else _text(each.display_name)
        for each in system.authentications
    ]
    return ", ".join(names)


def _evidence(system: ConnectorDefinition) -> str:
    return f"{system.evidence.value}: {_text(system.evidence_note).rstrip('.')}"


def _text(text: str) -> str:
    """Text within a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
