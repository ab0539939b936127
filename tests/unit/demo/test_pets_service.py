import pytest

from openplaybook.demo.pets_service import BadPet, NewPet, read_new_pet
from openplaybook.jsonvalues import JsonValue


def test_a_name_is_enough() -> None:
    assert read_new_pet({"name": " Rex "}) == NewPet("Rex", None, ())


def test_owner_and_labels_are_kept() -> None:
    assert read_new_pet({"name": "Rex", "owner": "Kim", "label": ["dog", "big"]}) == NewPet(
        "Rex", "Kim", ("dog", "big")
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "$ must be an object."),
        ({}, "$.name is required."),
        ({"name": ""}, "$.name must be a string with at least one letter."),
        ({"name": 3}, "$.name must be a string with at least one letter."),
        ({"name": "x" * 201}, "$.name may have at most 200 characters."),
        ({"name": "Rex", "id": 7}, "$.id is given by the service; leave it out."),
        ({"name": "Rex", "colour": "red"}, "$.colour is not known; a pet has name, owner, label."),
        ({"name": "Rex", "owner": 3}, "$.owner must be a string with at least one letter."),
        ({"name": "Rex", "label": "dog"}, "$.label must be an array of strings."),
        ({"name": "Rex", "label": ["dog", 3]}, "$.label[1] must be a string with at least one letter."),
    ],
)
def test_a_wrong_body_is_refused_with_the_path(body: JsonValue, message: str) -> None:
    with pytest.raises(BadPet) as refusal:
        read_new_pet(body)
    assert str(refusal.value) == message
