"""How an OpenAPI tool behaves beyond what its description says: `openApiSpec.settings`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.egress.base import HttpLimits
from openplaybook.jsonvalues import JsonObject


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations are offered; one that any of the lists names is. With none of them, all are."""

    operation_ids: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    path_prefixes: tuple[str, ...] = ()
    search: str = ""
    """Words: the operations that fit them best."""
    max_operations: int = 0
    """Most operations that are offered; 0: no limit."""


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What the tool's resource sets."""

    selection: Selection = Selection()
    response_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """By operationId (`*` for all): paths such as `items.name` of what is kept of an answer."""
    documents: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts by URI: what references lead to outside the description."""
    document_uri: str = ""
    """Where the description stands; relative servers and references start there."""
    server_url: str = ""
    """Used in place of the description's servers; may be relative to none."""
    server_variables: Mapping[str, str] = field(default_factory=dict[str, str])
    idempotency_key_header: str = ""
    """A header by which the service recognises a repeated request; empty when it does not."""
    limits: HttpLimits = HttpLimits()


def settings_of(spec: JsonObject) -> ToolSettings:
    """The settings of an `openApiSpec` (JSON form); raises `InvalidTool` naming what cannot be used."""
    return ToolSettings()
