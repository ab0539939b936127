"""Names that read as what an operation does."""

import pytest

from openplaybook.drafting.operation_names import title_of, unique_id


@pytest.mark.parametrize(
    ("method", "path", "operation_id", "summary"),
    [
        ("get", "/pets", "listPets", "List pets"),
        ("get", "/pets/{petId}", "getPet", "Get a pet"),
        ("post", "/pets", "createPet", "Create a pet"),
        ("post", "/pets/{petId}", "updatePet", "Update a pet"),
        ("put", "/pets/{petId}", "replacePet", "Replace a pet"),
        ("patch", "/pets/{petId}", "updatePet", "Update a pet"),
        ("delete", "/pets/{petId}", "deletePet", "Delete a pet"),
        ("delete", "/pets", "deletePets", "Delete pets"),
        ("get", "/owners/{ownerId}/pets", "listOwnerPets", "List owner pets"),
        ("get", "/owners/{ownerId}/pets/{petId}", "getOwnerPet", "Get an owner pet"),
        ("post", "/pets/{petId}/feed", "feedPet", "Feed a pet"),
        ("post", "/pets/{petId}:feed", "feedPet", "Feed a pet"),
        ("get", "/pets/{petId}.json", "getPet", "Get a pet"),
        ("get", "/search", "search", "Search"),
        ("get", "/pets/search", "searchPets", "Search pets"),
        ("post", "/login", "login", "Login"),
        ("get", "/status", "getStatus", "Get status"),
        ("get", "/order-items/{orderItemId}", "getOrderItem", "Get an order item"),
        ("get", "/v2/petOwners", "listPetOwners", "List pet owners"),
        ("get", "/", "getRoot", "Get root"),
        ("head", "/pets/{petId}", "checkPet", "Check a pet"),
    ],
)
def test_the_name_says_what_is_done_to_what(method: str, path: str, operation_id: str, summary: str) -> None:
    title = title_of(method, path, gives_list=False)
    assert (title.operation_id, title.summary) == (operation_id, summary)


def test_an_answer_that_is_an_array_makes_a_list() -> None:
    assert title_of("get", "/weather/forecast", gives_list=True).operation_id == "listWeatherForecast"


def test_a_name_that_is_taken_is_told_apart_by_variables_and_then_by_number() -> None:
    title = title_of("get", "/pets/{petId}", gives_list=False)
    assert unique_id(title, "/pets/{petId}", {"getPet"}) == "getPetByPetId"
    assert unique_id(title, "/pets/{petId}", {"getPet", "getPetByPetId"}) == "getPet2"
    assert unique_id(title, "/pets", {"getPet", "getPet2"}) == "getPet3"
