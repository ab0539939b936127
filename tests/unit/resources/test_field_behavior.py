import pytest

from openplaybook.resources.errors import MissingFields
from openplaybook.resources.field_behavior import check_required, settle_output_only
from tests.unit.resources.library import Book


def test_every_empty_required_field_is_named_with_its_path() -> None:
    book = Book(author={}, chapters=[{"title": "One"}, {}])
    with pytest.raises(MissingFields) as refused:
        check_required(book, None, prefix="book.")
    assert refused.value.paths == ("book.display_name", "book.author.full_name", "book.chapters[1].title")
    assert refused.value.code == "MISSING_FIELDS"
    assert str(refused.value) == (
        "Required but not given: book.display_name, book.author.full_name, book.chapters[1].title"
    )


def test_numbers_and_lists_are_never_missing_and_unset_messages_are_not_looked_into() -> None:
    check_required(Book(display_name="Emil"), None)


def test_excepted_fields_are_let_be() -> None:
    check_required(Book(author={}), None, except_for=frozenset({"display_name", "author.full_name"}))


def test_excepted_fields_of_list_items_are_let_be_wherever_they_stand() -> None:
    book = Book(display_name="Emil", chapters=[{}, {"title": "Two"}, {}])
    check_required(book, None, except_for=frozenset({"chapters.title"}))
    with pytest.raises(MissingFields):
        check_required(book, None, except_for=frozenset({"title"}))


def test_an_update_need_not_repair_what_was_missing_before() -> None:
    stored = Book(author={"language": "de"})
    check_required(Book(author={"language": "en"}), stored)


def test_an_update_may_not_empty_a_required_field() -> None:
    stored = Book(display_name="Emil")
    with pytest.raises(MissingFields) as refused:
        check_required(Book(author={}), stored)
    assert refused.value.paths == ("display_name", "author.full_name")


def test_output_only_fields_of_a_new_resource_are_cleared_at_every_depth() -> None:
    book = Book(display_name="Emil", create_time={"seconds": 1}, author={"book_count": 3}, chapters=[{"word_count": 9}])
    settle_output_only(book, None)
    assert book == Book(display_name="Emil", author={}, chapters=[{}])


def test_output_only_fields_of_an_update_are_what_is_stored() -> None:
    stored = Book(create_time={"seconds": 1}, author={"book_count": 3}, chapters=[{"word_count": 9}])
    book = Book(create_time={"seconds": 2}, author={"full_name": "K"}, chapters=[{"word_count": 9}])
    settle_output_only(book, stored)
    assert book == Book(create_time={"seconds": 1}, author={"full_name": "K", "book_count": 3}, chapters=[{}])


def test_an_output_only_field_that_is_not_stored_cannot_be_set_by_an_update() -> None:
    book = Book(create_time={"seconds": 2}, author={"book_count": 3})
    settle_output_only(book, Book())
    assert book == Book(author={})


def test_excepted_output_only_fields_can_be_set() -> None:
    book = Book(create_time={"seconds": 2})
    settle_output_only(book, None, except_for=frozenset({"create_time"}))
    assert book.create_time.seconds == 2


def test_a_message_of_the_apis_within_a_field_of_ours_need_not_be_complete() -> None:
    check_required(Book(display_name="Emil", ghost_writer={}), None)
