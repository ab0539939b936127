"""Documents of GraphQL (specification of October 2021): one operation for a request, made of what the manifest reads.

No value ever stands in a document: each is a variable.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from openplaybook.connectors.rest.manifest.list_model import GraphqlCall
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.reply_paths import put_at
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_STEP = re.compile(r"(\w+)(\([^()]*\))?((?:\[[^\[\]]*\])*)")
_HOLDER = re.compile(r"\[(\w+)=")
_NUMBER = re.compile(r"-?\d{1,9}")
_NOTHING = "__typename"
"""Asked for where nothing else is: a field of an object needs a selection."""

Selection: TypeAlias = "dict[str, Selection]"
"""Field, with its constant arguments, → what is asked for within it; empty for a value."""


def graphql_body(
    call: GraphqlCall, paths: Iterable[str], given: JsonObject, known: Mapping[str, str], payload: Iterable[str] = ()
) -> JsonObject:
    """The body of a request that asks for paths of a reply, as they were read from the manifest.

    `given` are variables; those that are not among them are taken from `known` where this has them. `payload` are
    paths behind the call's own that a mutation is asked for besides.
    """
    selection: Selection = {}
    for path in paths:
        _select(selection, path.removeprefix(call.path).removeprefix("."))
    for path in payload if call.is_mutation else ():
        _select(selection, path)
    if not selection and not call.is_value:
        selection[_NOTHING] = {}
    variables: JsonObject = {}
    for name, value in given.items():
        put_at(variables, name, value)
    for name, kind in call.types.items():
        if name not in variables and known.get(name):
            variables[name] = known[name]
        if name in variables:
            variables[name] = _typed(kind, variables[name])
    return {"query": document(call, selection), "variables": variables}


def selected_path(holder: str, field: RestField) -> str:
    """The path of a field within what holds it."""
    own = field.selection or field.path
    return f"{holder}.{own}" if holder else own


def document(call: GraphqlCall, selection: Selection) -> str:
    """The text of an operation."""
    inner = _text(selection)
    for step in reversed(call.steps):
        arguments = ", ".join(f"{name}: ${name}" for name in step.arguments)
        inner = f"{step.name}{f'({arguments})' if arguments else ''}{f' {{ {inner} }}' if inner else ''}"
    types = ", ".join(f"${name}: {kind}" for name, kind in call.types.items())
    return f"{'mutation' if call.is_mutation else 'query'}{f'({types})' if types else ''} {{ {inner} }}"


def _select(selection: Selection, path: str) -> None:
    """Add a path; of arrays each member is asked for, and that which tells members apart."""
    target = selection
    for name, arguments, places in _STEP.findall(path):
        target = target.setdefault(f"{name}{arguments}", {})
        for holder in _HOLDER.findall(places):
            target.setdefault(holder, {})


def _text(selection: Selection) -> str:
    return " ".join(f"{name} {{ {_text(inner)} }}" if inner else name for name, inner in selection.items())


def _typed(kind: str, value: JsonValue) -> JsonValue:
    """A variable as its type has it in JSON: what came as text from an address or a condition is a number, a list."""
    bare = kind.rstrip("!")
    if bare.startswith("["):
        inner = bare[1:-1]
        return [_typed(inner, each) for each in (as_list(value) if isinstance(value, list) else [value])]
    if isinstance(value, str) and bare == "Int" and _NUMBER.fullmatch(value):
        return int(value)
    if isinstance(value, str) and bare == "Boolean" and value in ("true", "false"):
        return value == "true"
    return as_object(value) if isinstance(value, dict) else value
