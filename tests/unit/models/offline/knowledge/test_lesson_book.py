"""All that is known of one function."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.knowledge.lesson_book import ExampleUtterance, open_book
from openplaybook.models.offline.language.tokenizer import read
from tests.unit.models.offline.talk import function

TEXT: JsonObject = {"type": "string"}


def test_a_new_book_knows_only_its_declaration() -> None:
    book = open_book(function("getPet", "Return a pet", {"petId": {"type": "integer"}, "kind": {"enum": ["cat"]}}))
    assert [lesson.slot.path for lesson in book.lessons] == [("petId",), ("kind",)]
    assert list(book.lessons[1].known.values()) == ["cat"]
    assert (book.samples, book.answers, book.steps, book.ends, book.confirmation) == ([], [], [], False, None)
    assert book.paths[("kind",)] is book.lessons[1]


def test_its_title_is_its_own_name_for_the_action() -> None:
    schema: JsonObject = {"type": "object", "properties": {}}
    tool = Declaration("pets__getPetById", "", schema, None, DeclarationKind.TOOL, "pets", action="getPetById")
    assert open_book(tool).title == {"show", "pet", "by", "number"}
    bare = Declaration("travel_desk", "", schema, None, DeclarationKind.PLAYBOOK, "Travel desk")
    assert open_book(bare).title == {"travel", "desk"}


def test_it_is_about_its_name_and_description_and_not_about_function_words() -> None:
    book = open_book(function("x_find", "List all of the owners", {"petName": TEXT, "X-OWNER": TEXT}))
    assert book.about == {"find", "list", "all", "belong"}
    assert book.parameter_keys == {"pet", "name", "belong"}


def test_its_vocabulary_grows_with_its_examples() -> None:
    book = open_book(function("find", "Find", {}))
    book.samples.append(ExampleUtterance(read("any cats?"), (), "x"))
    assert book.vocabulary == {"find", "any", "cat"}


def test_a_declaration_without_properties_has_no_slots() -> None:
    for schema in ({}, {"type": "object"}, {"type": "object", "properties": {}}):
        made = open_book(Declaration("f", "", schema, None, DeclarationKind.TOOL, "f"))
        assert (made.lessons, made.paths, made.parameter_keys) == ([], {}, frozenset())
