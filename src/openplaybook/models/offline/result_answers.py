"""Answers about results: in an example's words where one fits, else in plain words of our own."""

from collections.abc import Iterable
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.models.base import DeclarationKind, FunctionResult
from openplaybook.models.offline.knowledge.answer_templates import MOST_ITEMS, fill, join
from openplaybook.models.offline.knowledge.learned_answers import AnswerTemplate, facts_of, size_of
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, answer_in, items_in, read_outcome
from openplaybook.models.offline.language.own_sentences import Wording
from openplaybook.models.offline.language.tokenizer import identifier_words
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import leaves, spoken

_MOST_CHARACTERS = 2000
_CREATED = "201"
_NAMING = ("name", "title", "displayName", "display_name", "label", "id")


def answer_about(book: Book | None, arguments: JsonObject, result: FunctionResult, wording: Wording) -> tuple[str, str]:
    """The answer about a result, and whose words it takes: an example's display name, or `plain`."""
    outcome = read_outcome(result)
    given = answer_in(outcome)
    if given is not None:
        return _cut(given) or wording.found_nothing, "given"
    for template in _fitting(book.answers if book else (), arguments, outcome):
        text = fill(template.parts, replace(facts_of(arguments, outcome), more=wording.more))
        if text:
            return text, template.example
    if book is not None and book.declaration.kind is DeclarationKind.PLAYBOOK and not outcome.is_error:
        # The called playbook has spoken to the user itself.
        return wording.anything_else, "plain"
    return _plain(outcome, wording), "plain"


def _fitting(
    templates: Iterable[AnswerTemplate], arguments: JsonObject, outcome: ResultOutcome
) -> list[AnswerTemplate]:
    """Templates for an outcome of this kind, the closest first."""
    argument_paths = frozenset(path for path, _ in leaves(arguments))
    size = size_of(outcome)
    fitting = [
        (_distance(template, argument_paths, size, outcome.status), position, template)
        for position, template in enumerate(templates)
        if template.is_error == outcome.is_error
        and (not outcome.is_error or template.status == outcome.status)
        and (template.size == size or {template.size, size} == {"one", "many"})
    ]
    return [template for _, _, template in sorted(fitting, key=lambda entry: entry[:2])]


def _distance(template: AnswerTemplate, argument_paths: frozenset[Path], size: str, status: str) -> int:
    return 2 * len(template.argument_paths ^ argument_paths) + 3 * (template.size != size) + (template.status != status)


def _plain(outcome: ResultOutcome, wording: Wording) -> str:
    if outcome.is_error:
        message = _cut(outcome.message)
        return wording.failed_because.format(message) if message else wording.failed
    items = items_in(outcome.body)
    if items is not None:
        return _list(items, wording)
    members = _object(outcome.body, wording)
    if not members:
        return wording.done
    return (wording.done_with if outcome.status == _CREATED else wording.found).format(members)


def _list(items: list[JsonValue], wording: Wording) -> str:
    if not items:
        return wording.found_nothing
    first_items = [_item(item, wording) for item in items[:MOST_ITEMS]]
    text = join(first_items, ", ", wording.and_)
    if len(items) > MOST_ITEMS:
        text = f"{', '.join(first_items)} {wording.more.format(len(items) - MOST_ITEMS)}"
    return wording.found_many.format(len(items), _cut(text))


def _item(item: JsonValue, wording: Wording) -> str:
    if not isinstance(item, dict):
        return _value_text(item, wording)
    members = dict(leaves(item))
    naming = next(((name,) for name in _NAMING if (name,) in members), None)
    if naming is None:
        return _object(item, wording)
    others = [_member(path, value, wording) for path, value in members.items() if path != naming]
    name = _value_text(members[naming], wording)
    return f"{name} ({', '.join(others)})" if others else name


def _object(body: JsonValue, wording: Wording) -> str:
    return _cut(", ".join(_member(path, value, wording) for path, value in leaves(body)))


def _member(path: Path, value: JsonValue, wording: Wording) -> str:
    name = " ".join(word for part in path[-2:] for word in identifier_words(part))
    return f"{name} {_value_text(value, wording)}".strip()


def _value_text(value: JsonValue, wording: Wording) -> str:
    if isinstance(value, bool):
        return wording.yes if value else wording.no
    if isinstance(value, list):
        return join([_value_text(item, wording) for item in as_list(value)], ", ", wording.and_)
    return spoken(value)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"
