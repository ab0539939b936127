import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, pointer, resolve, target

ROOT: JsonObject = {
    "components": {
        "parameters": {"Id": {"name": "id"}, "Alias": {"$ref": "#/components/parameters/Id"}},
        "circle": {"$ref": "#/components/circle"},
    },
    "paths": {"/a/{b}~c": {"get": {"parameters": [{"name": "first"}]}}},
}


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("#/components/parameters/Id", {"name": "id"}),
        ("#/paths/~1a~1%7Bb%7D~0c/get/parameters/0", {"name": "first"}),
        ("#", ROOT),
    ],
)
def test_a_pointer_is_decoded_and_followed(reference: str, value: JsonValue) -> None:
    assert target(ROOT, reference) == value


@pytest.mark.parametrize("reference", ["#/nope", "#/paths/0", "other.yaml#/a", "https://example.com/a", "#name", ""])
def test_a_reference_that_leads_nowhere_or_out_is_refused(reference: str) -> None:
    with pytest.raises(UnresolvableReference):
        target(ROOT, reference)


def test_chains_are_followed_and_members_beside_a_reference_win() -> None:
    assert resolve(ROOT, {"$ref": "#/components/parameters/Alias", "description": "d"}) == {
        "name": "id",
        "description": "d",
    }
    assert resolve(ROOT, {"name": "plain"}) == {"name": "plain"}


@pytest.mark.parametrize(
    "value", [{"$ref": "#/components/circle"}, "text", None, {"$ref": "#/paths/~1a~1{b}~0c/get/x"}]
)
def test_circles_and_what_is_no_object_are_refused(value: JsonValue) -> None:
    with pytest.raises(UnresolvableReference):
        resolve(ROOT, value)


def test_a_reference_is_split_into_its_parts() -> None:
    assert pointer("#/a/~01/%25") == ("", "a", "~1", "%")
    assert pointer("pets.yaml#/a") == ("pets.yaml", "a")
    assert (pointer("pets.yaml"), pointer("#")) == (("pets.yaml",), ("",))
    assert pointer("#pet") == ("", "#pet")
