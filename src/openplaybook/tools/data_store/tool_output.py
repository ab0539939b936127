"""What a tool that searches stores takes and gives, in JSON: the schemas of its action, the reading of arguments."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.call_spellings import BODY, SUCCESS

QUERY = "What to look for, as one self-contained question."
LONGEST_QUERY = 10_000
"""Characters of a query, a filter and a fallback, each."""

_TEXT: JsonObject = {"type": "string"}
ANSWER: JsonObject = {
    "type": "object",
    "properties": {
        "answer": _TEXT,
        "snippets": {
            "type": "array",
            "items": {"type": "object", "properties": {"title": _TEXT, "text": _TEXT, "uri": _TEXT}},
        },
    },
}
OUTPUT: JsonObject = {"type": "object", "properties": {SUCCESS: ANSWER}}
"""Of a tool of Dialogflow CX."""
INPUT: JsonObject = {
    "type": "object",
    "properties": {
        BODY: {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": QUERY},
                "filter": {"type": "string", "description": "Narrows the search by metadata."},
                "userMetadata": {"type": "object", "description": "What is known about the user."},
                "fallback": {"type": "string", "description": "The answer to give when nothing is found."},
            },
            "required": ["query"],
            "additionalProperties": False,
        }
    },
    "required": [BODY],
    "additionalProperties": False,
}
"""Of a tool of Dialogflow CX."""


def app_input(*, takes_filter: bool) -> JsonObject:
    """The input schema of an app's tool."""
    properties: JsonObject = {"query": {"type": "string", "description": QUERY}}
    if takes_filter:
        properties["filter"] = {"type": "string", "description": "Narrows the search."}
    return {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}


def question_arguments(words: str, *, is_wrapped: bool) -> JsonObject:
    """The arguments that ask what a user's words ask; `is_wrapped`: under `requestBody`."""
    body: JsonObject = {"query": words[:LONGEST_QUERY]}
    return {BODY: body} if is_wrapped else body


@dataclass(frozen=True, slots=True)
class Question:
    """What a call asks for."""

    query: str
    filter: str = ""
    user_metadata: JsonObject | None = None
    fallback: str = ""


class InvalidQuestion(ValueError):
    """The arguments are not what the action takes; the message says where and what is allowed."""


def read_question(arguments: JsonObject) -> Question:
    """The question that arguments state, whether under `requestBody` or bare. Raises `InvalidQuestion`."""
    is_wrapped = BODY in arguments
    body = arguments[BODY] if is_wrapped else arguments
    where = f"{BODY}." if is_wrapped else ""
    if not isinstance(body, dict):
        raise InvalidQuestion(f"{BODY}: must be an object such as {{'query': …}}")
    fields = as_object(body)
    unknown = sorted(fields.keys() - {"query", "filter", "userMetadata", "fallback"})
    if unknown:
        raise InvalidQuestion(f"{where}{unknown[0]}: is not known; allowed are query, filter, userMetadata, fallback")
    query = _text(fields.get("query"), f"{where}query")
    if not query.strip():
        raise InvalidQuestion(f"{where}query: is required: what to look for")
    metadata = fields.get("userMetadata")
    if metadata is not None and not isinstance(metadata, dict):
        raise InvalidQuestion(f"{where}userMetadata: must be an object")
    return Question(
        query,
        _text(fields.get("filter"), f"{where}filter"),
        None if metadata is None else as_object(metadata),
        _text(fields.get("fallback"), f"{where}fallback"),
    )


def _text(value: JsonValue, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidQuestion(f"{where}: must be text")
    if len(value) > LONGEST_QUERY:
        raise InvalidQuestion(f"{where}: has {len(value):,} characters; at most {LONGEST_QUERY:,} are allowed")
    return value
