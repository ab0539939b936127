"""Questions for what is missing, and the sentence about what the agent can do."""

import re

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.knowledge.answer_templates import join
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.playbook_index import PlaybookIndex
from openplaybook.models.offline.language.local_tables import forms_for
from openplaybook.models.offline.language.own_sentences import ENGLISH, Wording
from openplaybook.models.offline.language.tokenizer import identifier_words, singular
from openplaybook.models.offline.slots.slot_lessons import Lesson
from openplaybook.models.offline.slots.slot_values import spoken

_LONGEST_NAME_WORDS = 4
_NO_NAME = re.compile(r"(?:for|from|how|in|on|to|until|what|when|where|whether|which|who|whom|with) ", re.IGNORECASE)
"""How descriptions begin that name nothing: "For how many weeks"."""
_MOST_LISTED = 8
_NO_GOALS = frozenset({"default goal"})
"""What Google's console writes where nobody set a goal."""
_THIRD_PERSON = re.compile(
    r"^(add|answer|book|calculate|cancel|capture|change|check|compute|convert|create|delete|fetch|find|get|give|hold|list|look"
    r"|make|place|provide|read|register|remove|reserve|retrieve|return|run|save|search|send|set|show|signal|store|submit"
    r"|transfer|update|view)e?s(?= (?!and\b|for\b|of\b|or\b))"
)
"""How descriptions of functions begin that are not in the imperative."""


def question_for(lesson: Lesson, wording: Wording, *, again: bool = False) -> str:
    """Asks for a slot: as an example does, else by its description or name; with the choices where there are few."""
    question = lesson.question or _own_question(lesson, wording)
    options = [spoken(option) for option in lesson.slot.options]
    if options and len(options) <= _MOST_LISTED and not all(option in question for option in options):
        question = f"{question} {wording.choose.format(join(options, ', ', wording.and_))}"
    return f"{wording.not_usable} {question}" if again else question


def _own_question(lesson: Lesson, wording: Wording) -> str:
    description = lesson.slot.description.strip().rstrip(".")
    words = description.split()
    is_name = len(words) <= _LONGEST_NAME_WORDS and "," not in description and not _NO_NAME.match(description)
    if words and not is_name:
        return wording.ask_described.format(description[0].lower() + description[1:])
    if words:
        is_the = words[0].casefold() == "the"
        name = description if words[0].isupper() else description[0].lower() + description[1:]
        name = name.removeprefix("the ") if is_the else name
    else:
        name = " ".join(identifier_words(lesson.slot.name))
    return (wording.ask_many if lesson.slot.is_array and _is_plural(name) else wording.ask).format(name)


def _is_plural(name: str) -> bool:
    """Whether what is named is several: "items", "names of the guests"."""
    head = re.split(r"\s(?:of|for|to|in|with)\s", name)[0].split()[-1:]
    return any(singular(word) != word for word in head)


def read_back(book: Book, arguments: JsonObject, wording: Wording) -> str:
    """Tells what would be called, with every value and days as the language writes them; asks whether that is right."""
    members = _members(arguments, "", wording)
    task = _task_of(book.declaration, wording)
    return wording.read_back.format(f"{task} ({'; '.join(members)})" if members else task)


def _members(value: JsonValue, name: str, wording: Wording) -> list[str]:
    """Values with their names; what an array holds beside its name."""
    if isinstance(value, dict):
        return [text for key, member in as_object(value).items() for text in _members(member, key, wording)]
    words = " ".join(identifier_words(name))
    if not isinstance(value, list):
        return [wording.member.format(words, _spoken(value, wording))]
    items = [", ".join(_members(item, "", wording)).removeprefix(": ") for item in as_list(value)]
    return [wording.member.format(words, join(items, ", ", wording.and_))]


def _spoken(value: JsonValue, wording: Wording) -> str:
    if isinstance(value, bool):
        return wording.yes if value else wording.no
    if isinstance(value, str):
        return forms_for(wording.code).own(value) or value
    return "-" if value is None else spoken(value)


def offer(index: PlaybookIndex, goal: str, wording: Wording) -> str:
    """What the agent can do, from its functions' descriptions; from the playbook's goal when it has none."""
    tasks = [_task_of(book.declaration, wording) for book in index.books.values()]
    tasks = [text for text in dict.fromkeys(tasks) if text][:_MOST_LISTED]
    mark = ";" if len(tasks) > 1 and any("," in text for text in tasks) else ""
    about = join(tasks, f"{mark or ','} ", f"{mark}{wording.and_}") or _own_case(goal.strip().rstrip("."), wording)
    return wording.can_help.format(about) if about else wording.not_understood


def _task_of(declaration: Declaration, wording: Wording) -> str:
    first = declaration.description.strip().split("\n")[0].split(". ")[0].rstrip(".").strip()
    if not first:
        name = declaration.reference if declaration.kind is DeclarationKind.PLAYBOOK else declaration.name
        return " ".join(identifier_words(name))
    return _own_case(first, wording)


def _own_case(text: str, wording: Wording) -> str:
    """A description within a sentence: in English without its capital, and "Deletes a pet" as "delete a pet"."""
    if text.casefold() in _NO_GOALS:
        return ""
    if text[:2].isupper() or wording is not ENGLISH:
        return text
    return _THIRD_PERSON.sub(r"\1", text[:1].lower() + text[1:])
