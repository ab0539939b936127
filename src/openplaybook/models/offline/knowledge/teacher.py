"""Reading examples into the lesson books."""

import itertools
from collections.abc import Mapping, Sequence
from datetime import date

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.models.base import DeclarationKind, FunctionCall
from openplaybook.models.offline.knowledge.episodes import Episode
from openplaybook.models.offline.knowledge.learned_answers import learn
from openplaybook.models.offline.knowledge.lesson_book import Book, ExampleUtterance, FollowingCall, Places
from openplaybook.models.offline.knowledge.recital import recital_of, told_by
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, items_in, read_outcome
from openplaybook.models.offline.language.local_forms import LocalForms
from openplaybook.models.offline.language.small_talk import YES, kind_of
from openplaybook.models.offline.language.tokenizer import Reading, last_sentence, read
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import leaves, pick
from openplaybook.models.offline.slots.value_contexts import place_of, taught_by
from openplaybook.models.offline.spans.recognition import recognise

_NO_DAY = date(2000, 1, 1)
"""Examples are read without a today: a relative day in them stands for itself."""
_FEWEST_OWN_WORDS = 2
EARLY_ENDS = ("CANCELLED", "FAILED", "ESCALATED")
"""End states of a conversation that did not get where it was to go."""
_NOTHING = ResultOutcome("", is_error=False, body=None, message="")


def _early_end(episode: Episode) -> str:
    """The state that an example ends in with this episode, where it is another than the usual one."""
    return episode.example.end_state if episode.is_last and episode.example.end_state in EARLY_ENDS else ""


def teach(episode: Episode, books: Mapping[str, Book], known_names: frozenset[str], forms: LocalForms) -> None:
    """Add an episode with calls to the books of the declarations it calls; `forms` are those of its language."""
    steps = [step for step in episode.steps if step[0].name in books]
    if not steps:
        return
    first = steps[0][0]
    _teach_words(episode, first, books[first.name], known_names, forms)
    for (call, result), (following, _) in itertools.pairwise(steps):
        if result is not None:
            books[call.name].steps.append(_step(call, read_outcome(result), following))
    for call, result in steps:
        # What any words may be is no value of a slot that has the same name elsewhere.
        if result is not None and not books[call.name].takes_any_words:
            _teach_values(books, call.arguments, read_outcome(result))
    _teach_ending(episode, books, known_names, forms)


def _teach_words(
    episode: Episode, call: FunctionCall, book: Book, known_names: frozenset[str], forms: LocalForms
) -> None:
    users = episode.users
    taught_paths: set[tuple[str, ...]] = set()
    _teach_recitals(episode, call, book)
    for index, text in enumerate(users):
        reading = read(text)
        places = _places(book, reading, call.arguments)
        question = episode.question_before(index)
        if kind_of(text) == YES and question and index == len(users) - 1:
            name = episode.example.display_name
            book.confirmation = learn(question, call.arguments, _NOTHING, name, known_names, forms)
        for path in places:
            lesson = book.paths[path]
            asked = question if index > 0 else _opening_question(question, reading, places)
            if asked and path not in taught_paths and not lesson.question:
                lesson.question = asked
        taught_paths.update(places)
        marked = tuple(
            (start, end, ".".join(path)) for path, path_places in places.items() for start, end in path_places
        )
        if not kind_of(text) and (index == 0 or _own_words(reading, marked) >= _FEWEST_OWN_WORDS):
            book.samples.append(ExampleUtterance(reading, marked, episode.example.display_name))


def _opening_question(said: str, answer: Reading, places: Mapping[Path, Sequence[tuple[int, int]]]) -> str:
    """The question with which an agent opens, where the user answers it with a value alone: what else opens a
    conversation asks what is wanted, not for a value."""
    asked = last_sentence(said)
    marked = tuple((start, end, ".".join(path)) for path, its in places.items() for start, end in its)
    return asked if asked.endswith(("?", "？")) and not _own_words(answer, marked) else ""


def _teach_recitals(episode: Episode, call: FunctionCall, book: Book) -> None:
    """Each utterance gives the slots whose values stand in it; the first one also what stands in none, unless it
    identifies something or may come from what was said before."""
    readings = [read(text) for text in episode.users]
    spans = [recognise(reading, _NO_DAY) for reading in readings]
    given_paths: list[list[Path]] = [[] for _ in readings]
    for path, lesson in book.paths.items():
        value = pick(call.arguments, path)
        telling = [told_by(reading, spans[number], value, path) for number, reading in enumerate(readings)]
        if value is not None and any(telling):
            given_paths[telling.index(True)].append(path)
        elif value is not None and given_paths and episode.is_first and not lesson.slot.is_identifier:
            given_paths[0].append(path)
    for reading, its_spans, paths in zip(readings, spans, given_paths, strict=True):
        recital = recital_of(reading, its_spans, call.arguments, paths)
        if recital is not None and not kind_of(reading.text):
            book.recitals.append(recital)


def _own_words(reading: Reading, places: Places) -> int:
    """How many content words an utterance has beside the values in it."""
    inside = [(start, end) for start, end, _ in places]
    return sum(
        not token.is_stop and not any(start <= token.start and token.end <= end for start, end in inside)
        for token in reading.words
    )


def _places(book: Book, reading: Reading, arguments: JsonObject) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Where the arguments stand in an utterance, by path; their contexts are learned on the way."""
    spans = recognise(reading, _NO_DAY)
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for path, lesson in book.paths.items():
        value = pick(arguments, path)
        for item in as_list(value) or [value]:
            place = place_of(item, reading, spans)
            if place is not None:
                places.setdefault(path, []).append((place.start, place.end))
                lesson.taught.append(taught_by(reading, place))
    return places


def _teach_values(books: Mapping[str, Book], arguments: JsonObject, outcome: ResultOutcome) -> None:
    """Remember values that were used or seen under a slot's own name."""
    values = [*leaves(arguments), *leaves(outcome.body)]
    values += [leaf for item in items_in(outcome.body) or [] for leaf in leaves(item)]
    for path, value in values:
        for lesson in (lesson for book in books.values() for lesson in book.lessons):
            if path and lesson.slot.type == "string" and path[-1] == lesson.slot.name:
                lesson.know(value)


def _step(call: FunctionCall, outcome: ResultOutcome, following: FunctionCall) -> FollowingCall:
    """Where the next call's arguments came from: the result before, else the arguments before."""
    before = {
        "result": {str(value): path for path, value in leaves(outcome.body)},
        "argument": {str(value): path for path, value in leaves(call.arguments)},
    }
    sources: dict[Path, tuple[Path, str, Path]] = {}
    for path, value in leaves(following.arguments):
        for source, known in before.items():
            if str(value) in known:
                sources.setdefault(path, (path, source, known[str(value)]))
    return FollowingCall(call.name, following.name, tuple(sources.values()))


def _teach_ending(episode: Episode, books: Mapping[str, Book], known_names: frozenset[str], forms: LocalForms) -> None:
    called = [(call, result) for call, result in episode.steps if call.name in books and not _is_end(books[call.name])]
    if not called:
        return
    call, result = called[-1]
    book = books[call.name]
    ended = any(_is_end(books[step.name]) for step, _ in episode.steps if step.name in books)
    if result is not None and read_outcome(result).is_error:
        book.gives_up = book.gives_up or _early_end(episode)
    book.ends = book.ends or ended or (episode.is_last and episode.example.end_state == "OK")
    if episode.answer and result is not None:
        arguments = as_object(call.arguments)
        outcome, name = read_outcome(result), episode.example.display_name
        template = learn(episode.answer, arguments, outcome, name, known_names, forms)
        if template is not None:
            book.answers.append(template)


def _is_end(book: Book) -> bool:
    return book.declaration.kind in (DeclarationKind.END, DeclarationKind.CLOSE)
