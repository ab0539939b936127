"""Answers about results: in an example's words where one fits, else in plain words of our own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.models.base import DeclarationKind, FunctionResult
from openplaybook.models.offline.knowledge.answer_templates import MOST_ITEMS, fill, join
from openplaybook.models.offline.knowledge.learned_answers import AnswerTemplate, facts_of, size_of
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, answer_in, items_in, read_outcome
from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.local_forms import is_currency
from openplaybook.models.offline.language.local_tables import forms_for
from openplaybook.models.offline.language.own_sentences import Wording
from openplaybook.models.offline.language.tokenizer import identifier_words
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import leaves, spoken

_MOST_CHARACTERS = 2000
_CREATED = "201"
_NOT_THERE = ("404", "410")
_MOST_NAMED, _LONGEST_NAMED, _DEEPEST = 3, 60, 3
_OF_MONEY = word_set(
    "price amount total subtotal cost costs fee fees balance sum rate tax due payment refund deposit value preis betrag"
    " summe kosten saldo precio importe monto prix montant preco valor prezzo importo"
)
_IDENTIFYING = word_set("id ids no nr num number code key ref reference sku isbn iban zip postcode plz phone year jahr")
"""Words of names whose numbers count nothing, so that their digits are not grouped."""
_OF_PAGES = word_set("total count size page pages token next previous limit offset cursor results items length")
"""Words of the names of what describes a list, not what it is about."""
_NAMING = ("name", "title", "displayName", "display_name", "label", "id")


def answer_about(book: Book | None, arguments: JsonObject, result: FunctionResult, wording: Wording) -> tuple[str, str]:
    """The answer about a result, and whose words it takes: an example's display name, or `plain`."""
    outcome = read_outcome(result)
    given = answer_in(outcome)
    if given is not None:
        return _cut(given) or wording.found_nothing, "given"
    facts = replace(facts_of(arguments, outcome, forms_for(wording.code)), more=wording.more)
    for template in _fitting(book.answers if book else (), arguments, outcome):
        text = fill(template.parts, facts)
        if text:
            return text, template.example
    if book is not None and book.declaration.kind is DeclarationKind.PLAYBOOK and not outcome.is_error:
        # The called playbook has spoken to the user itself.
        return wording.anything_else, "plain"
    return _plain(outcome, arguments, wording), "plain"


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


def _plain(outcome: ResultOutcome, arguments: JsonObject, wording: Wording) -> str:
    if outcome.is_error:
        message = _cut(outcome.message)
        if not message and outcome.status in _NOT_THERE:
            return _nothing(arguments, wording)
        return wording.failed_because.format(message) if message else wording.failed
    items = items_in(outcome.body)
    if items is not None:
        return " ".join(filter(None, (_beside(outcome.body, wording), _list(items, arguments, wording))))
    members = _object(outcome.body, wording)
    if not members:
        return wording.done
    return (wording.done_with if outcome.status == _CREATED else wording.found).format(members)


def _nothing(arguments: JsonObject, wording: Wording) -> str:
    """Names what was looked for, where that is little enough to be named."""
    values = [_value_text(value, wording) for _, value in leaves(arguments) if not isinstance(value, bool)]
    if not values or len(values) > _MOST_NAMED or any(len(value) > _LONGEST_NAMED for value in values):
        return wording.found_nothing
    return wording.found_nothing_for.format(join(values, ", ", wording.and_))


def _beside(body: JsonValue, wording: Wording) -> str:
    """What stands beside the list in a result, other than how long the list is and where it goes on."""
    if not isinstance(body, dict):
        return ""
    members = {
        name: value
        for name, value in as_object(body).items()
        if not isinstance(value, list) and not _OF_PAGES.intersection(identifier_words(name))
    }
    text = _object(members, wording)
    return wording.found.format(text) if text else ""


def _list(items: list[JsonValue], arguments: JsonObject, wording: Wording) -> str:
    if not items:
        return _nothing(arguments, wording)
    return told_items(items, wording)


def told_items(items: Sequence[JsonValue], wording: Wording) -> str:
    """The answer about things that were found."""
    return wording.found_many.format(len(items), _cut(_some(list(items), wording)))


def _some(items: list[JsonValue], wording: Wording) -> str:
    """The first items, and how many there are besides."""
    first_items = [_item(item, wording) for item in items[:MOST_ITEMS]]
    if len(items) > MOST_ITEMS:
        return f"{', '.join(first_items)} {wording.more.format(len(items) - MOST_ITEMS)}"
    return join(first_items, ", ", wording.and_)


def _item(item: JsonValue, wording: Wording) -> str:
    if not isinstance(item, dict):
        return _value_text(item, wording)
    members = dict(leaves(item))
    naming = next(((name,) for name in _NAMING if (name,) in members), None)
    if naming is None:
        return _object(item, wording)
    others = _members({path: value for path, value in members.items() if path != naming}, wording)
    name = _value_text(members[naming], wording, naming)
    return f"{name} ({', '.join(others)})" if others else name


def _object(body: JsonValue, wording: Wording) -> str:
    """All members by their names, lists of objects among them."""
    told = _members(dict(leaves(body)), wording)
    told += [f"{_name(path)}: {_some(items, wording)}" for path, items in _lists_in(body)]
    return _cut(", ".join(told))


def _lists_in(body: JsonValue, path: Path = ()) -> Iterator[tuple[Path, list[JsonValue]]]:
    """The lists of objects in an object, which `leaves` leaves out."""
    for name, value in as_object(body).items() if len(path) < _DEEPEST else ():
        items = as_list(value) if isinstance(value, list) else []
        if any(isinstance(item, dict) for item in items):
            yield (*path, name), items
        elif isinstance(value, dict):
            yield from _lists_in(value, (*path, name))


def _members(members: Mapping[Path, JsonValue], wording: Wording) -> list[str]:
    """Values with their names; amounts together with the currency that stands beside them."""
    currencies = {path[:-1]: path for path, value in members.items() if _is_currency(path, value)}
    sums = {path for path, value in members.items() if path[:-1] in currencies and _is_amount(path, value)}
    told = {currencies[path[:-1]] for path in sums}
    return [
        f"{_name(path)} {_sum(value, str(members[currencies[path[:-1]]]), wording)}"
        if path in sums
        else f"{_name(path)} {_value_text(value, wording, path)}".strip()
        for path, value in members.items()
        if path not in told
    ]


def _is_currency(path: Path, value: JsonValue) -> bool:
    return bool(path) and "currency" in identifier_words(path[-1]) and is_currency(value)


def _is_amount(path: Path, value: JsonValue) -> bool:
    return is_number(value) and bool(_OF_MONEY.intersection(identifier_words(path[-1])))


def _sum(value: JsonValue, currency: str, wording: Wording) -> str:
    assert is_number(value), "only such a value is an amount"
    return forms_for(wording.code).sum(value, currency)


def _name(path: Path) -> str:
    return " ".join(word for part in path[-2:] for word in identifier_words(part))


def _value_text(value: JsonValue, wording: Wording, path: Path = ()) -> str:
    if isinstance(value, bool):
        return wording.yes if value else wording.no
    if isinstance(value, list):
        return join([_value_text(item, wording, path) for item in as_list(value)], ", ", wording.and_)
    counts = bool(path) and not _IDENTIFYING.intersection(identifier_words(path[-1]))
    return forms_for(wording.code).own(value, counts=counts) or spoken(value)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"
