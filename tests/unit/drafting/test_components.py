"""Shapes that places share are named once."""

from openplaybook.jsonvalues import JsonObject
from tests.unit.drafting.written import document, got, sent

REX: JsonObject = {"id": 1, "name": "Rex", "owner": {"id": 7, "name": "Kim"}}
ERROR: JsonObject = {"code": "GONE", "message": "no"}
PET = {"$ref": "#/components/schemas/Pet"}


def schema(root: JsonObject, path: str, method: str, status: str) -> JsonObject:
    return root["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]


def test_a_thing_and_its_list_share_a_component_that_holds_for_both() -> None:
    root = document([got("/pets", [REX, {"id": 2, "name": "Tom"}]), got("/pets/1", {**REX, "age": 3})])
    assert schema(root, "/pets", "get", "200") == {"type": "array", "items": PET}
    assert schema(root, "/pets/{petId}", "get", "200") == PET
    pet = root["components"]["schemas"]["Pet"]
    assert list(pet["properties"]) == ["id", "name", "owner", "age"]
    assert pet["required"] == ["id", "name"]


def test_a_list_in_a_frame_shares_its_items() -> None:
    root = document([got("/pets", {"data": [REX], "total": 1}), got("/pets/1", REX)])
    assert schema(root, "/pets", "get", "200")["properties"]["data"] == {"type": "array", "items": PET}


def test_what_is_sent_and_what_comes_back_are_told_apart() -> None:
    new = {"name": "Rex", "kind": "dog"}
    root = document([sent("POST", "/pets", new, REX), sent("PUT", "/pets/1", new, REX)])
    for path, method in (("/pets", "post"), ("/pets/{petId}", "put")):
        body = root["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
        assert body == {"$ref": "#/components/schemas/PetInput"} or method == "put"
        assert schema(root, path, method, "200") == PET


def test_errors_are_one_component() -> None:
    root = document([got("/pets/1", ERROR, 404), got("/owners/1", ERROR, 404)])
    assert schema(root, "/pets/{petId}", "get", "404") == {"$ref": "#/components/schemas/Error"}
    assert schema(root, "/owners/{ownerId}", "get", "404") == {"$ref": "#/components/schemas/Error"}


def test_things_that_are_not_alike_stay_apart() -> None:
    root = document([got("/pets", [REX]), got("/pets/1", {"colour": "red", "size": 3, "legs": 4})])
    assert "components" not in root


def test_inner_objects_of_one_shape_are_named_by_where_they_stand() -> None:
    address = {"street": "High St", "city": "Ulm"}
    root = document([got("/shops/1", {"a": 1, "address": address}), got("/owners/2", {"b": 1, "address": address})])
    assert list(root["components"]["schemas"]) == ["Address"]
    assert schema(root, "/shops/{shopId}", "get", "200")["properties"]["address"] == {
        "$ref": "#/components/schemas/Address"
    }
