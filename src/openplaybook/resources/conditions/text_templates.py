"""Texts with references in them: `Hello $session.params.name, it is $sys.func.NOW()`."""

from collections.abc import Iterator
from functools import lru_cache

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.conditions.coercion import to_text
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate, CannotParse
from openplaybook.resources.conditions.evaluation import value_of
from openplaybook.resources.conditions.expressions import SystemFunctionCall, ValueReference
from openplaybook.resources.conditions.functions.system_function import BadArgument, joined
from openplaybook.resources.conditions.parser import Parser
from openplaybook.resources.conditions.scanner import Scanner

MAX_LENGTH = 20_000
"""Characters of a text with references in it; a longer one stays as it is."""
_MAX_DEPTH = 24
"""Levels of a payload (Dialogflow's limit)."""


def filled_text(text: str, environment: Environment) -> str:
    """The text with every reference replaced by its value as text. Raises `CannotEvaluate`."""
    values = (part if isinstance(part, str) else to_text(value_of(part, environment)) for part in template_parts(text))
    try:
        return joined(values)
    except BadArgument as error:
        raise CannotEvaluate(str(error), 0) from None


def filled_value(value: JsonValue, environment: Environment, *, texts_only: bool = False, depth: int = 0) -> JsonValue:
    """A JSON value with the texts in it filled.

    A text that is one reference becomes its value, whatever its type, unless `texts_only`. What lies deeper than 24
    levels stays as it is. Raises `CannotEvaluate`.
    """
    if isinstance(value, str):
        parts = () if texts_only else template_parts(value)
        if len(parts) == 1 and not isinstance(parts[0], str):
            return value_of(parts[0], environment)
        return filled_text(value, environment)
    if depth >= _MAX_DEPTH:
        return value
    if isinstance(value, list):
        items = as_list(value)
        return [filled_value(item, environment, texts_only=texts_only, depth=depth + 1) for item in items]
    return filled_object(as_object(value), environment, texts_only, depth) if isinstance(value, dict) else value


def filled_object(value: JsonObject, environment: Environment, texts_only: bool = False, depth: int = 0) -> JsonObject:
    """`filled_value` of an object."""
    return {key: filled_value(item, environment, texts_only=texts_only, depth=depth + 1) for key, item in value.items()}


@lru_cache(maxsize=1024)
def template_parts(text: str) -> tuple[str | ValueReference | SystemFunctionCall, ...]:
    """Words and references in turn. A `$` that begins no reference is a word."""
    if len(text) > MAX_LENGTH:
        return (text,)
    parts: list[str | ValueReference | SystemFunctionCall] = []
    done = at = 0
    while (at := text.find("$", at)) >= 0:
        parser = Parser(Scanner(text, at))
        try:
            reference = parser.reference(0)
        except CannotParse:
            at += 1
            continue
        parts += [text[done:at], reference] if at > done else [reference]
        done = at = parser.scanner.at
    return (*parts, text[done:]) if done < len(text) or not parts else tuple(parts)


def template_problems(text: str) -> Iterator[CannotParse]:
    """What looks like a system function in a text and is none, so that it would be said as it stands."""
    if len(text) > MAX_LENGTH and "$" in text:
        yield CannotParse(f"a text of more than {MAX_LENGTH} characters is not searched for references", 0)
        return
    at = 0
    while (at := text.find("$sys.func", at)) >= 0:
        parser = Parser(Scanner(text, at))
        try:
            parser.reference(0)
        except CannotParse as error:
            yield error
        at = max(parser.scanner.at, at + 1)
