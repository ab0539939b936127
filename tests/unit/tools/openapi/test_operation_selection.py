"""Which operations of a description are offered."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description.operation_index import OperationEntry, index
from openplaybook.tools.openapi.operation_selection import ranked, select, unknown_names
from openplaybook.tools.openapi.tool_settings import Selection, ToolSettings
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import Remembering, description, harness, resource


def entries() -> list[OperationEntry]:
    return index(
        {
            "paths": {
                "/pets": {
                    "get": {"operationId": "listPets", "tags": ["pets"], "summary": "All pets of the shop"},
                    "post": {"operationId": "createPet", "tags": ["pets", "writing"], "summary": "Take a pet in"},
                },
                "/pets/{petId}": {"get": {"operationId": "getPet", "description": "One pet, with its owner."}},
                "/petstore": {"get": {"tags": [5, "shops"], "summary": "Opening hours"}},
                "/categories": {"get": {"operationId": "listCategories", "summary": "Kinds of animals; pet food too"}},
            }
        }
    )[0]


def names(selection: Selection) -> list[str]:
    return [entry.operation_id for entry in select(entries(), selection)]


ALL = ["listPets", "createPet", "getPet", "get_petstore", "listCategories"]


@pytest.mark.parametrize(
    ("selection", "offered"),
    [
        (Selection(), ALL),
        (Selection(max_operations=2), ALL[:2]),
        (Selection(operation_ids=frozenset({"getPet", "get_petstore"})), ["getPet", "get_petstore"]),
        (Selection(tags=frozenset({"pets"})), ["listPets", "createPet"]),
        (Selection(path_prefixes=("/pets",)), ["listPets", "createPet", "getPet"]),
        (Selection(path_prefixes=("/pets/",)), ["getPet"]),
        (
            Selection(operation_ids=frozenset({"listCategories"}), tags=frozenset({"writing"})),
            ["createPet", "listCategories"],
        ),
        (Selection(search="opening"), ["get_petstore"]),
        (Selection(search="opening", tags=frozenset({"writing"})), ["createPet", "get_petstore"]),
        (Selection(search="create", tags=frozenset({"shops"}), max_operations=2), ["createPet", "get_petstore"]),
        (Selection(search="the unicorn"), []),
    ],
)
@pytest.mark.proves("O11")
def test_what_any_list_names_is_offered_in_the_order_of_the_description(
    selection: Selection, offered: list[str]
) -> None:
    assert names(selection) == offered


@pytest.mark.parametrize(
    ("search", "best"),
    [
        ("create", ["createPet"]),
        ("category", ["listCategories"]),
        ("CATEGORIES", ["listCategories"]),
        ("owner of a pet", ["getPet"]),
        ("food", ["listCategories"]),
        ("petId", ["getPet"]),
        ("", []),
        ("  ,;", []),
    ],
)
def test_the_operation_that_fits_the_words_best_comes_first(search: str, best: list[str]) -> None:
    assert [entries()[at].operation_id for at in ranked(entries(), search)][: len(best) or None] == best


def test_a_word_counts_more_in_a_name_than_in_a_description() -> None:
    found = [entries()[at].operation_id for at in ranked(entries(), "pet")]
    assert found.index("listCategories") == len(found) - 1


def test_a_search_finds_fifty_unless_it_says_how_many() -> None:
    many = index({"paths": {f"/pets/{at}": {"get": {"operationId": f"getPet{at}"}} for at in range(120)}})[0]
    found = [len(select(many, Selection(search="pet", max_operations=most))) for most in (0, 3, 100)]
    assert found == [50, 3, 100]
    assert [entry.path for entry in select(many, Selection(search="pet", max_operations=2))] == ["/pets/0", "/pets/1"]


def test_names_that_do_not_exist_are_problems_with_what_comes_close() -> None:
    selection = Selection(
        frozenset({"listPet", "getPet", "zzz"}), frozenset({"pet"}), path_prefixes=("/pets", "/pet"), search="qqq"
    )
    settings = ToolSettings(selection, {"*": ("name",), "getPets": ("name",)})
    where = "$.openApiSpec.settings.operationSelection"
    assert [(problem.path, problem.message, problem.is_error) for problem in unknown_names(entries(), settings)] == [
        (
            f"{where}.operationIds",
            "the description has no operation 'listPet'; did you mean listPets or getPet or createPet?",
            True,
        ),
        (f"{where}.operationIds", "the description has no operation 'zzz'", True),
        (f"{where}.tags", "the description has no tag 'pet'; did you mean pets?", True),
        (f"{where}.pathPrefixes", "no path of the description starts with /pet", True),
        (
            "$.openApiSpec.settings.responseFields",
            "the description has no operation 'getPets'; did you mean getPet or listPets or get_petstore?",
            True,
        ),
    ]


@pytest.mark.timeout(10)
def test_many_and_long_unknown_names_are_told_in_short() -> None:
    names = frozenset({"a" * 1_000_000, *(f"unknown{at:04}" for at in range(5_000))})
    told = [problem.message for problem in unknown_names(entries(), ToolSettings(Selection(names)))]
    assert told == [
        f"the description has no operation {'a' * 100!r}…",
        *(f"the description has no operation 'unknown{at:04}'" for at in range(4)),
        "and 4,996 more that the description does not have",
    ]


def test_a_search_that_leaves_nothing_is_a_problem() -> None:
    without = ToolSettings(Selection(search="qqq"))
    assert [problem.message for problem in unknown_names(entries(), without)] == [
        "no operation has any of the words 'qqq'"
    ]
    assert unknown_names(entries(), ToolSettings(Selection(search="qqq", tags=frozenset({"pets"})))) == []


PETS = description(
    {
        "/pets": {
            "get": {"operationId": "listPets", "tags": ["pets"], "responses": {}},
            "post": {"operationId": "createPet", "responses": {}},
        }
    }
)


def test_a_tool_offers_what_is_selected() -> None:
    tool = harness(PETS, settings={"operationSelection": {"tags": ["pets"]}}).tool
    assert [action.action for action in tool.actions()] == ["listPets"]


def test_a_tool_that_selects_what_is_not_there_is_refused_when_it_is_saved() -> None:
    settings: JsonObject = {"operationSelection": {"operationIds": ["createPets"]}}
    problems = Toolbox(Remembering()).check(resource(PETS, settings=settings))
    assert [(problem.path, problem.message) for problem in problems if problem.is_error][:1] == [
        (
            "$.openApiSpec.settings.operationSelection.operationIds",
            "the description has no operation 'createPets'; did you mean createPet or listPets?",
        )
    ]
