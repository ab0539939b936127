import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources import masks
from openplaybook.resources.errors import InvalidMask
from openplaybook.resources.masks import merge
from openplaybook.resources.message_fields import copy_field
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import ApiMessage
from tests.unit.resources.library import Book


def _stored() -> ApiMessage:
    return Book(
        name="books/1",
        display_name="Emil",
        author={"full_name": "Kästner", "language": "de", "pen_name": "Berthold"},
        chapters=[{"title": "One", "footnotes": ["a"]}, {"title": "Two", "footnotes": ["b"]}],
        keywords=["boys", "Berlin"],
        page_count=170,
        shelf="K",
        notes={"read": True},
        labels={"age": "8"},
        mood="bright",
        ghost_writer={"full_name": "nobody"},
    )


def test_only_masked_fields_change() -> None:
    merged = merge(_stored(), Book(display_name="Lottie", page_count=3), ["display_name"], None)
    expected = _stored()
    expected.display_name = "Lottie"
    assert merged == expected


def test_a_masked_field_that_is_not_given_is_cleared() -> None:
    merged = merge(_stored(), Book(), ["keywords", "page_count", "notes", "labels", "author.language"], None)
    expected = _stored()
    for field in ("keywords", "page_count", "notes", "labels"):
        expected.ClearField(field)
    expected.author.ClearField("language")
    assert merged == expected


def test_a_nested_path_leaves_its_neighbours_alone() -> None:
    merged = merge(_stored(), Book(author={"language": "en"}), ["author.language"], None)
    assert merged.author.full_name == "Kästner"
    assert merged.author.language == "en"


def test_a_nested_path_makes_the_message_above_it() -> None:
    merged = merge(Book(), Book(author={"language": "en"}), ["author.language"], None)
    assert merged == Book(author={"language": "en"})


def test_a_nested_path_that_neither_side_has_changes_nothing() -> None:
    merged = merge(Book(), Book(), ["author.language"], None)
    assert not merged.HasField("author")


def test_an_empty_message_that_is_masked_is_kept_as_present() -> None:
    merged = merge(Book(), Book(author={}), ["author"], None)
    assert merged.HasField("author")


def test_lists_and_maps_are_replaced_not_appended_to() -> None:
    given = Book(keywords=["twins"], labels={"sex": "any"})
    merged = merge(_stored(), given, ["keywords", "labels"], None)
    assert list(merged.keywords) == ["twins"]
    assert dict(merged.labels) == {"sex": "any"}


def test_one_member_of_a_oneof_replaces_the_other() -> None:
    merged = merge(_stored(), Book(borrower="Pony"), ["borrower"], None)
    assert merged.WhichOneof("place") == "borrower"


def test_masking_the_unset_member_of_a_oneof_leaves_the_set_one() -> None:
    merged = merge(_stored(), Book(), ["borrower"], None)
    assert merged.shelf == "K"


@pytest.mark.parametrize("paths", [[], ["*"]])
def test_without_a_mask_every_field_is_taken(paths: list[str]) -> None:
    given = Book(display_name="Lottie", mood="grave", ghost_writer={"full_name": "other"})
    assert merge(_stored(), given, paths, None) == given


def test_steps_may_be_spelled_in_camel_case() -> None:
    merged = merge(_stored(), Book(author={"full_name": "E. K."}), ["author.fullName"], None)
    assert merged.author.full_name == "E. K."


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("display_nam", "Book has no field 'display_nam'; did you mean 'display_name'?"),
        ("zzz", "Book has no field 'zzz'"),
        ("", "Book has no field ''"),
        ("author.", "Author has no field ''"),
        ("author.age", "Author has no field 'age'"),
        ("chapters.title", "'chapters' has no fields that a mask can name; name 'chapters' itself"),
        ("display_name.first", "'display_name' has no fields that a mask can name; name 'display_name' itself"),
        ("notes.read", "'notes' has no fields that a mask can name; name 'notes' itself"),
        ("labels.age", "'labels' has no fields that a mask can name; name 'labels' itself"),
    ],
)
def test_a_path_that_leads_nowhere_is_named(path: str, reason: str) -> None:
    with pytest.raises(InvalidMask) as refused:
        merge(_stored(), Book(), [path], None)
    assert refused.value.code == "INVALID_MASK"
    assert str(refused.value) == f"Field mask path {path!r}: {reason}"


def _as_a_typed_client_returns_it() -> ApiMessage:
    """What is left of the stored book when a client that does not know the extension fields sends it back."""
    given = _stored()
    given.ClearField("mood")
    given.ClearField("ghost_writer")
    given.author.ClearField("pen_name")
    for chapter in given.chapters:
        chapter.ClearField("footnotes")
    return given


def test_a_client_that_drops_extension_fields_does_not_clear_them() -> None:
    given = _as_a_typed_client_returns_it()
    given.display_name = "Lottie"
    expected = _stored()
    expected.display_name = "Lottie"
    assert merge(_stored(), given, [], None) == expected


def test_a_mask_that_names_the_message_above_does_not_clear_its_extension_field() -> None:
    merged = merge(_stored(), Book(author={"full_name": "E. K."}), ["author"], None)
    assert merged.author.pen_name == "Berthold"
    assert merged.author.language == ""


def test_a_mask_that_names_an_extension_field_clears_it() -> None:
    merged = merge(_stored(), Book(author={"full_name": "E. K."}), ["author", "author.pen_name", "mood"], None)
    assert merged.author.pen_name == ""
    assert merged.mood == ""
    assert merged.ghost_writer.full_name == "nobody"


def test_a_body_that_holds_an_empty_extension_field_clears_it() -> None:
    given = _as_a_typed_client_returns_it()
    merged = merge(_stored(), given, [], frozenset({"mood", "author", "author.pen_name"}))
    assert merged.mood == ""
    assert merged.author.pen_name == ""
    assert merged.ghost_writer.full_name == "nobody"


def test_extension_fields_of_list_items_stay_with_untouched_items_only() -> None:
    given = _as_a_typed_client_returns_it()
    given.chapters[1].title = "Changed"
    given.chapters.add(title="Three")
    merged = merge(_stored(), given, [], None)
    assert [list(chapter.footnotes) for chapter in merged.chapters] == [["a"], [], []]


def test_extension_fields_vanish_with_the_message_that_holds_them() -> None:
    given = _as_a_typed_client_returns_it()
    given.ClearField("author")
    assert not merge(_stored(), given, [], None).HasField("author")


def _hides_the_borrower_and_notes(field: FieldDescriptor) -> bool:
    return field.name in ("borrower", "notes", "language")


def test_fields_that_the_clients_version_lacks_are_kept() -> None:
    given = Book(display_name="Lottie", author={"full_name": "Kästner"})
    merged = merge(_stored(), given, [], None, _hides_the_borrower_and_notes)
    assert merged.notes == _stored().notes
    assert merged.author.language == "de"
    assert merged.mood == ""


def test_an_unseen_member_of_a_oneof_is_kept_unless_another_is_chosen() -> None:
    stored = Book(borrower="Pony")
    assert merge(stored, Book(), [], None, _hides_the_borrower_and_notes).borrower == "Pony"
    assert merge(stored, Book(shelf="K"), [], None, _hides_the_borrower_and_notes).WhichOneof("place") == "shelf"


def test_neither_argument_is_changed() -> None:
    stored, given = _stored(), _as_a_typed_client_returns_it()
    merge(stored, given, ["author", "chapters"], None)
    assert stored == _stored()
    assert given == _as_a_typed_client_returns_it()


_FIELDS = ["display_name", "author", "chapters", "keywords", "page_count", "shelf", "notes", "is_lent", "labels"]


@given(st.sets(st.sampled_from(_FIELDS)))
def test_merging_a_resource_with_itself_changes_nothing(paths: set[str]) -> None:
    assert merge(_stored(), _stored(), sorted(paths), None) == _stored()


@given(st.sets(st.sampled_from(_FIELDS), min_size=1))
def test_every_masked_field_is_as_given_and_every_other_as_stored(paths: set[str]) -> None:
    given = Book(display_name="Lottie", page_count=3, borrower="Pony", is_lent=True, author={"full_name": "other"})
    merged = merge(_stored(), given, sorted(paths), None)
    for field in set(_FIELDS) - {"author", "shelf"}:
        assert getattr(merged, field) == getattr(given if field in paths else _stored(), field)


@given(st.text(alphabet="abdeghilnrstuy_.*\0ä", max_size=20))
def test_any_path_is_understood_or_refused(path: str) -> None:
    try:
        merged = merge(_stored(), _stored(), [path], None)
    except InvalidMask:
        return
    assert merged == _stored()


def test_a_field_that_is_named_often_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []

    def copy(source: Message, target: Message, field: FieldDescriptor) -> None:
        copied.append(field.name)
        copy_field(source, target, field)

    monkeypatch.setattr(masks, "copy_field", copy)
    often = ["notes"] * 1_000 + ["author.full_name", "author", "author.fullName"] * 1_000
    merged = merge(_stored(), Book(notes={"read": False}), often, None)

    assert sorted(copied) == ["author", "notes"]
    assert merged.notes == {"read": False}


def test_a_path_without_end_is_refused_before_it_is_compared() -> None:
    with pytest.raises(InvalidMask) as refused:
        merge(_stored(), _stored(), ["display_name" * 500_000], None)
    assert str(refused.value).endswith("…': a path of a field mask has at most 1000 characters")
    assert len(str(refused.value)) < 300


def test_the_first_wrong_path_is_the_one_that_is_told() -> None:
    wrong = [f"wrong{number}" for number in range(20)]
    with pytest.raises(InvalidMask) as refused:
        merge(_stored(), _stored(), ["notes", *wrong], None)
    assert refused.value.path == "wrong0"


def test_fields_of_an_api_without_protos_are_not_taken_for_ours() -> None:
    connection = load_api().message("google.cloud.connectors.v1.Connection")

    merged = merge(connection(name="c", description="old", suspended=True), connection(name="c"), [], None)

    assert merged == connection(name="c")
