"""Values that OpenAPI descriptions take from the session, in the words of CX Agent Studio.

Dialogflow has `$ref: "@dialogflow/sessionId"` and `x-agent-input-parameter: name` in schemas; CX Agent Studio has
`x-ces-session-context: $context.session_id` and `$context.variables.name` at parameters and properties.
"""

from dataclasses import dataclass

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import read_text
from openplaybook.documents.yaml_output import to_yaml
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_indented
from openplaybook.resources.ces.app_variables import variable_name
from openplaybook.tools.openapi.description.operation_index import index
from openplaybook.tools.schema.dialect import CONTEXT, INJECTION, SESSION_CONTEXT, SESSION_ID, VARIABLES


@dataclass(frozen=True, slots=True)
class Description:
    """An OpenAPI description on its way to an app."""

    text: str
    operations: tuple[str, ...] = ()
    """Operation ids, in the order of the document."""
    variables: tuple[str, ...] = ()
    """Session parameters that it takes values from."""
    is_rewritten: bool = False
    """Whether it was written anew, without the comments it had."""
    error: str = ""
    """Why it cannot be read; then the text is as it was."""


def with_session_context(text: str) -> Description:
    """The description with all that it takes from the session said in the other words."""
    try:
        root = as_object(read_text(text))
    except UnreadableDocument as error:
        return Description(text, error=str(error))
    operations = tuple(entry.operation_id for entry in index(root)[0])
    if SESSION_ID not in text and INJECTION not in text:
        return Description(text, operations)
    variables: dict[str, None] = {}
    rewritten = as_object(_rewritten(root, variables))
    is_json = text.lstrip().startswith("{")
    written = dumps_indented(rewritten) + "\n" if is_json else to_yaml(rewritten)
    return Description(written, operations, tuple(variables), is_rewritten=True)


def _rewritten(value: JsonValue, variables: dict[str, None]) -> JsonValue:
    if isinstance(value, list):
        return [_rewritten(item, variables) for item in as_list(value)]
    if not isinstance(value, dict):
        return value
    members = {key: _rewritten(member, variables) for key, member in as_object(value).items()}
    source = members.pop(INJECTION, None)
    if isinstance(source, str):
        variables[source] = None
        members[SESSION_CONTEXT] = f"{CONTEXT}{VARIABLES}{variable_name(source)}"
    if SESSION_ID in (members.get("$ref"), members.get("format")):
        rest = {key: member for key, member in members.items() if key not in ("$ref", "format")}
        members = {"type": "string", **rest, SESSION_CONTEXT: f"{CONTEXT}session_id"}
    return _lifted(members)


def _lifted(members: JsonObject) -> JsonObject:
    """A parameter says it itself, not its schema."""
    schema = as_object(members.get("schema"))
    if "in" not in members or SESSION_CONTEXT not in schema:
        return members
    rest = {key: member for key, member in schema.items() if key != SESSION_CONTEXT}
    return {**members, "schema": rest, SESSION_CONTEXT: schema[SESSION_CONTEXT]}
