"""Every operation of a real document, called with made arguments and judged by openapi-core."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import jsonschema_rs
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.base import Action, Call, Failure, Tool, ToolContext
from openplaybook.tools.openapi.description.operation_index import index
from openplaybook.tools.openapi.operation_compiler import compile_operation
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.tools.toolbox import Toolbox
from tests.kit.http_peer import HttpPeer, answer, http_peer
from tests.kit.openapi_corpus import Described
from tests.kit.openapi_judge import Judge, relocated
from tests.kit.schema_values import Draw, drawn

_UNHEALTHY = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
"""Schemas of real documents are large, and conditions on a whole value are met by trying."""


NO_ARGUMENTS = "no arguments could be made"
"""The objection of an operation for which there was no request."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one request, or of an operation for which there was none."""

    document: str
    operation: str
    """`GET /pets/{id}`."""
    objection: str
    """Empty when the request was accepted."""
    arguments: JsonObject | None = None


async def verdicts(described: Described, examples: int, most: int = 10**9) -> Sequence[Verdict]:
    """A verdict for every request made for the document's operations, at most `most` of them, evenly spread."""
    async with http_peer(lambda _: answer()) as peer:
        root = relocated(described.root(), peer.url)
        transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
        spec: JsonObject = {"textSchema": dumps(root).decode()}
        tool = Toolbox(transport).build({"name": "t", "displayName": "t", "openApiSpec": spec})
        judge = Judge(root, peer.url)
        found: list[Verdict] = []
        schemas = DocumentSchemas(root)
        actions = {action.name: action for action in tool.actions()}
        entries = index(root)[0]
        for entry in entries[:: max(1, -(-len(entries) // most))]:
            operation = f"{entry.method} {entry.path}"
            action = actions.get(entry.name)
            if action is None:
                found.append(Verdict(described.id, operation, "it cannot be called"))
                continue
            # What the model sees may be cut to a budget; values are made from all of it.
            made = _arguments(action, compile_operation(entry, schemas, ToolSettings()).input_schema(), examples)
            if not made:
                found.append(Verdict(described.id, operation, NO_ARGUMENTS))
            for arguments in made:
                objection = await _objection(tool, action, arguments, peer, judge, (entry.method, entry.path))
                found.append(Verdict(described.id, operation, objection, arguments if objection else None))
        await transport.aclose()
        return found


async def _objection(
    tool: Tool, action: Action, arguments: JsonObject, peer: HttpPeer, judge: Judge, where: tuple[str, str]
) -> str:
    peer.requests.clear()
    outcome = await tool.invoke(Call("c1", action, arguments), ToolContext("session-1"))
    if not peer.requests:
        return (
            f"not sent: {outcome.code}: {outcome.message}" if isinstance(outcome, Failure) else f"not sent: {outcome}"
        )
    return "; ".join(judge.objections(*where, peer.requests[-1]))


def _with_contents(schema: JsonValue) -> JsonValue:
    """A schema in which every file is given by its contents: a conversation that has just begun has no other."""
    if isinstance(schema, list):
        return [_with_contents(each) for each in as_list(schema)]
    members = as_object(schema)
    if any(as_object(each).get("required") == ["contents"] for each in as_list(members.get("anyOf"))):
        contents = {"type": "string", "contentEncoding": "base64"}
        properties = {"name": {"const": "a.bin"}, "contents": contents}
        return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return {key: _with_contents(each) for key, each in members.items()} if members else schema


def _arguments(action: Action, whole: JsonObject, count: int) -> Sequence[JsonObject]:
    """Arguments for an action, the least ones first; the same in every run. Empty when none could be made."""
    found: list[JsonObject] = []
    schema = _with_contents(whole)
    is_valid = jsonschema_rs.Draft202012Validator(schema).is_valid

    # A strategy that took the schema would write all of it out for its own description.
    @st.composite
    def fitting(draw: Draw) -> JsonObject:
        return drawn(draw, schema)

    @seed(zlib.crc32(f"{action.tool} {action.name}".encode()))
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=_UNHEALTHY,
    )
    @given(fitting())
    def collect(arguments: JsonObject) -> None:
        assume(is_valid(arguments))
        found.append(arguments)

    try:
        collect()
    except Unsatisfiable:
        return ()
    return found[:count]
