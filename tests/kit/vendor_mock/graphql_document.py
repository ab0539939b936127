"""A vendor's GraphQL schema: from the reply to an introspection, or from TypeScript types that were generated of it."""

import gzip
import json
import re
from functools import cache
from pathlib import Path

from graphql import GraphQLSchema, build_client_schema, build_schema, graphql_sync, parse, validate

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from tests.kit.vendor_mock.vendor_document import CORPUS, VendorDocument, VendorOperation

_TYPE = re.compile(r"^export type (\w+) = (?:(\w+) & )?\{\n(.*?)\n\};", re.DOTALL | re.MULTILINE)
_ENUM = re.compile(r"^export declare enum (\w+) \{\n(.*?)\n\}", re.DOTALL | re.MULTILINE)
_UNION = re.compile(r"^export type (\w+) = (\w+(?: \| \w+)+);", re.MULTILINE)
_MEMBER = re.compile(r"^    (\w+)(\??): (.+);$", re.MULTILINE)
_VALUE = re.compile(r"= \"(\w+)\"")
_SCALAR = re.compile(r"Scalars\['(\w+)'\]\['\w+'\]")
_BUILT_IN = ("ID", "String", "Int", "Float", "Boolean")


class GraphqlDocument(VendorDocument):
    """The schema; there are no paths."""

    def __init__(self, schema: GraphQLSchema) -> None:
        super().__init__([])
        self.schema = schema
        self._judged: dict[str, list[str]] = {}

    def faults(self, text: str) -> list[str]:
        """What the schema does not allow of a document that can be read; judged once."""
        if text not in self._judged:
            self._judged[text] = [error.message for error in validate(self.schema, parse(text))]
        return self._judged[text]

    def told(self, body: JsonObject) -> JsonObject:
        """The answer to an introspection, as graphql-core gives it."""
        result = graphql_sync(self.schema, str(body["query"]), variable_values=as_object(body.get("variables")))
        return {"data": result.data}

    def find(self, method: str, path: str) -> VendorOperation | None:
        """None: what may be asked is told by the schema."""
        return None

    def resolved(self, schema: JsonValue) -> JsonObject:
        """As it is."""
        return as_object(schema)


@cache
def graphql_document(name: str) -> GraphqlDocument:
    """The schema of a file below `vendor-apis` of the corpus."""
    text = gzip.decompress((Path(CORPUS) / "vendor-apis" / name).read_bytes()).decode()
    if name.endswith(".d.ts.gz"):
        return GraphqlDocument(build_schema(definition_of_types(text), assume_valid=True))
    found = as_object(json.loads(text))
    # Deprecated arguments that are required make it invalid by the letter.
    return GraphqlDocument(build_client_schema(found.get("data", found), assume_valid=True))


def definition_of_types(text: str) -> str:
    """A schema in GraphQL's own language, of TypeScript types as `graphql-codegen` writes them."""
    enums = {found[1]: _VALUE.findall(found[2]) for found in _ENUM.finditer(text)}
    unions = {found[1]: found[2] for found in _UNION.finditer(text)}
    types = {found[1]: (found[2] or "", _MEMBER.findall(found[3])) for found in _TYPE.finditer(text)}
    scalars = set(_SCALAR.findall(text)) - set(_BUILT_IN)
    arguments = {name: members for name, (_, members) in types.items() if name.endswith("Args")}
    parts = [f"scalar {name}" for name in sorted(scalars)]
    parts += [f"enum {name} {{ {' '.join(values)} }}" for name, values in enums.items()]
    parts += [f"union {name} = {kinds}" for name, kinds in unions.items()]
    for name, (base, members) in types.items():
        body = "\n".join(_field(name, each, arguments) for each in members if each[0] != "__typename")
        named = next((each[2].strip("'") for each in members if each[0] == "__typename"), name)
        if name in arguments or name == "Scalars" or not body or named != name:
            # Results of operations and fragments are called otherwise than their types.
            continue
        kind = "input" if any("['input']" in each[2] or "InputMaybe" in each[2] for each in members) else "type"
        if kind == "type" and not any(each[0] == "__typename" for each in members):
            kind = "interface"
        parts.append(f"{kind} {name}{f' implements {base}' if base else ''} {{\n{body}\n}}")
    return "\n".join(parts)


def _field(owner: str, member: tuple[str, str, str], arguments: dict[str, list[tuple[str, str, str]]]) -> str:
    name, _, kind = member
    cased = "_".join(part[:1].upper() + part[1:] for part in name.split("_"))
    given = ", ".join(_argument(each) for each in arguments.get(f"{owner}{cased}Args", []))
    return f"  {name}{f'({given})' if given else ''}: {_kind(kind)}"


def _argument(member: tuple[str, str, str]) -> str:
    """One that may be left out and takes no null has a default, which the types do not tell."""
    name, mark, kind = member
    made = _kind(kind)
    return f"{name}: {made[:-1] if mark and made.endswith('!') else made}"


def _kind(text: str) -> str:
    for wrapper in ("Maybe<", "InputMaybe<"):
        if text.startswith(wrapper):
            return _kind(text[len(wrapper) : -1]).removesuffix("!")
    if text.startswith("Array<"):
        return f"[{_kind(text[len('Array<') : -1])}]!"
    scalar = _SCALAR.fullmatch(text)
    return f"{scalar[1] if scalar else text}!"
