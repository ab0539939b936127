"""What is odd about descriptions that can be used all the same."""

from decimal import Decimal

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.openapi.description.operation_index import index
from openplaybook.tools.openapi.description_report import inspect
from openplaybook.tools.openapi.oddities.description_oddities import oddities
from tests.kit.openapi import description

GET = "$.paths./pets/{petId}.get"
PET_ID: JsonObject = {"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}


def told(root: JsonObject) -> list[tuple[str, str]]:
    """Path and message of everything odd, all of it as warnings of a report, whose operations can be called."""
    report = inspect(dumps(root).decode(), "spec")
    assert {each["severity"] for each in report["problems"]} <= {"warning"}
    assert all(action["inputSchema"] is not None for action in report["actions"])
    return [(each["path"], each["message"]) for each in report["problems"]]


def get(*parameters: JsonObject, **more: JsonValue) -> JsonObject:
    """A description with one operation."""
    operation: JsonObject = {"operationId": "getPet", "parameters": list(parameters), "responses": {}, **more}
    return description({"/pets/{petId}": {"get": operation}})


def in_query(**more: JsonValue) -> JsonObject:
    return {"name": "q", "in": "query", **more}


def shared(schema: JsonValue) -> JsonObject:
    """A description with a schema that nothing uses."""
    return description({"/a": {"get": {"responses": {}}}}, components={"schemas": {"Pet": schema}})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "petID",
            "{petId} of the path is not declared, declared is petID: names are case-sensitive; petId is taken as a "
            "text, and petID is not sent",
        ),
        (
            "pet_id",
            "{petId} of the path is not declared, declared is pet_id; petId is taken as a text, and pet_id is not sent",
        ),
        ("id", "{petId} of the path is not declared, declared is id; petId is taken as a text, and id is not sent"),
    ],
)
def test_a_path_parameter_under_another_name_is_told_where_it_is_declared(name: str, message: str) -> None:
    assert told(get({**PET_ID, "name": name})) == [(f"{GET}.parameters[0]", message)]


def test_a_parameter_of_the_path_item_is_told_once_where_it_stands() -> None:
    item: JsonObject = {"parameters": [{**PET_ID, "name": "petID"}], "get": {"responses": {}}, "delete": {}}
    ((path, message),) = told(description({"/pets/{petId}": item}))
    assert (path, message[:48]) == (
        "$.paths./pets/{petId}.parameters[0]",
        "{petId} of the path is not declared, declared is",
    )


def test_a_name_of_the_path_that_nothing_declares_is_told() -> None:
    undeclared = "{petId} of the path is not declared as a parameter; it is taken as a text"
    assert told(get()) == [(f"{GET}.parameters", undeclared)]
    elsewhere = "{petId} of the path is not declared in path, only in query; it is taken as a text"
    assert told(get({**PET_ID, "in": "query"})) == [(f"{GET}.parameters", elsewhere)]


def test_a_declared_name_that_the_path_does_not_have_is_told() -> None:
    assert told(get(PET_ID, {**PET_ID, "name": "shopId"})) == [
        (f"{GET}.parameters[1]", "shopId is declared in path, and the path has no {shopId}; it is not sent")
    ]


@pytest.mark.parametrize("path", ["/v1/{+name}", "/v1/{name+}", "/v1/{name*}"])
def test_operators_of_templates_are_no_part_of_names(path: str) -> None:
    assert told(description({path: {"get": {"parameters": [{**PET_ID, "name": "name"}]}}})) == []


def test_a_brace_without_its_other_half_is_told() -> None:
    assert told(description({"/a/{b": {"get": {}}})) == [
        ("$.paths./a/{b", "a brace of the path has no other half and is sent as it is")
    ]


def test_a_parameter_that_is_declared_twice_is_told_and_one_that_overrides_its_paths_is_not() -> None:
    twice = get(PET_ID, in_query(schema={}), in_query(schema={"type": "integer"}))
    assert told(twice) == [(f"{GET}.parameters[2]", "q in query is declared before; the last one counts")]
    item: JsonObject = {"parameters": [PET_ID], "get": {"parameters": [PET_ID]}}
    assert told(description({"/pets/{petId}": item})) == []


@pytest.mark.parametrize(
    ("declared", "place", "message"),
    [
        ("intger", "", "the type 'intger' is not known, so any value is taken; did you mean integer?"),
        ("str", "", "the type 'str' is not known, so any value is taken"),
        ("Strnig", "", "the type 'Strnig' is not known, so any value is taken; did you mean string?"),
        ("Integer", "", "the type 'Integer' is not a type of JSON Schema; it is read as integer"),
        ("float", "", "the type 'float' is not a type of JSON Schema; it is read as number"),
        (["string", "nul"], "[1]", "the type 'nul' is not known, so it is left out; did you mean null?"),
        (["string", None], "[1]", "the type null is not known, so it is left out; did you mean 'null'?"),
        (["any"], "[0]", "the type 'any' is not known, so any value is taken"),
        ({"a": 1}, "", "a type is a text, not an object, so any value is taken"),
        (7, "", "a type is a text, not 7, so any value is taken"),
    ],
)
def test_a_type_that_json_schema_does_not_know_is_told(declared: JsonValue, place: str, message: str) -> None:
    assert told(shared({"type": declared})) == [(f"$.components.schemas.Pet.type{place}", message)]


@pytest.mark.parametrize(
    ("holder", "step"),
    [
        ({"items": 0}, "items"),
        ({"properties": {"a": 0}}, "properties.a"),
        ({"allOf": [{}, 0]}, "allOf[1]"),
        ({"oneOf": [0]}, "oneOf[0]"),
        ({"anyOf": [{"items": 0}]}, "anyOf[0].items"),
        ({"additionalProperties": 0}, "additionalProperties"),
        ({"not": 0}, "not"),
        ({"prefixItems": [0]}, "prefixItems[0]"),
        ({"patternProperties": {"^a": 0}}, "patternProperties.^a"),
    ],
)
def test_types_are_judged_wherever_a_schema_stands(holder: JsonObject, step: str) -> None:
    def put(value: JsonValue) -> JsonValue:
        if isinstance(value, dict):
            return {key: put(item) for key, item in value.items()}
        if isinstance(value, list):
            return [put(item) for item in value]
        return {"type": "intger"}

    ((path, _),) = told(shared(put(holder)))
    assert path == f"$.components.schemas.Pet.{step}.type"


def test_types_are_judged_in_parameters_bodies_parts_and_answers() -> None:
    odd: JsonObject = {"schema": {"type": "intger"}}
    media: JsonObject = {"multipart/form-data": {**odd, "encoding": {"a": {"headers": {"X-A": odd}}}}}
    operation = get(
        PET_ID,
        in_query(**odd),
        in_query(name="r", content={"application/json": odd}),
        requestBody={"content": media},
        responses={"200": {"description": "", "content": {"application/json": odd}, "headers": {"X-B": odd}}},
    )
    content = f"{GET}.requestBody.content.multipart/form-data"
    assert {path for path, _ in told(operation)} == {
        f"{GET}.parameters[1].schema.type",
        f"{GET}.parameters[2].content.application/json.schema.type",
        f"{content}.schema.type",
        f"{content}.encoding.a.headers.X-A.schema.type",
        f"{GET}.responses.200.content.application/json.schema.type",
        f"{GET}.responses.200.headers.X-B.schema.type",
    }


@pytest.mark.parametrize(
    ("schema", "name", "message"),
    [
        ({"requierd": ["a"]}, "requierd", "requierd is unknown in a schema and is ignored; did you mean required?"),
        ({"propertes": {}}, "propertes", "propertes is unknown in a schema and is ignored; did you mean properties?"),
        ({"Type": "string"}, "Type", "Type is unknown in a schema and is ignored; did you mean type?"),
        ({"additonalProperites": False}, "additonalProperites", "additonalProperites is unknown in a schema and is "
         "ignored; did you mean additionalProperties?"),
        ({"x-agent-input-paramter": "id"}, "x-agent-input-paramter", "x-agent-input-paramter is unknown in a schema "
         "and is ignored; did you mean x-agent-input-parameter?"),
        ({"x-agent-input-parameter": ["id"]}, "x-agent-input-parameter", "x-agent-input-parameter is a text, not a "
         "list; it is ignored"),
        ({"properties": [1]}, "properties", "properties is an object, not a list; it is ignored"),
        ({"properties": {"name": {}}, "required": ["nmae"]}, "required", "nmae is required but not a property; did you "
         "mean name?"),
        ({"items": "string"}, "items", "items is an object, not the text 'string'; it is ignored"),
        ({"allOf": {}}, "allOf", "allOf is a list, not an object; it is ignored"),
        ({"enum": "a"}, "enum", "enum is a list, not the text 'a'; it is ignored"),
    ],
)  # fmt: skip
def test_a_slip_in_a_schema_is_told(schema: JsonObject, name: str, message: str) -> None:
    assert told(shared(schema)) == [(f"$.components.schemas.Pet.{name}", message)]


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {"type": ["string", "null"], "x-type": "intger", "typename": "a"},
        {"types": {"a": 1}, "discription": {"type": "string"}, "requird": "a"},
        {"const": {"type": "intger"}, "default": {"type": "intger"}, "enum": [{"type": "x"}], "example": {"tpye": 1}},
        {"properties": {"type": {"type": "string"}, "requierd": {}, "propertes": {}}},
        {"$ref": "#/components/schemas/Pet", "requierd": ["a"]},
        {"$defs": {"a": {}}, "definitions": {}, "dependencies": {}, "divisibleBy": 1, "format": "anything"},
        {"required": ["other"], "properties": {"name": {}}},
        {"required": True, "nullable": "true", "additionalProperties": "true"},
        {"maximum": Decimal("0.12345678901234567890"), "minimum": -(10**30), "example": Decimal("1e400")},
    ],
)
def test_what_is_no_slip_is_not_told(schema: JsonValue) -> None:
    assert told(shared(schema)) == []


@pytest.mark.parametrize(
    ("parameter", "path", "message"),
    [
        (in_query(), "", "q has no schema and is taken as a text"),
        (in_query(type="integer"), "", "q has no schema and is taken as a text; type next to it is ignored; since "
         "OpenAPI 3 it belongs in schema"),
        (in_query(schema={}, minimum=1), "", "q: minimum next to schema is ignored; since OpenAPI 3 it belongs in "
         "schema"),
        (in_query(content={"text/plain": {}, "application/json": {}}), ".content", "q has several media types, where "
         "one is allowed; text/plain is used"),
        (in_query(schema={}, requierd=True), ".requierd", "requierd is unknown in a parameter and is ignored; did "
         "you mean required?"),
        (in_query(schema={}, exploed=False), ".exploed", "exploed is unknown in a parameter and is ignored; did you "
         "mean explode?"),
        (in_query(schema=[]), ".schema", "schema is an object, not a list; it is ignored"),
    ],
)  # fmt: skip
def test_a_guess_about_a_parameter_is_told(parameter: JsonObject, path: str, message: str) -> None:
    assert told(get(PET_ID, parameter)) == [(f"{GET}.parameters[1]{path}", message)]


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({}, "", "the requestBody has no content, so no body is sent"),
        ({"contents": {"text/plain": {}}}, ".contents", "contents is unknown in a requestBody and is ignored; did "
         "you mean content?"),
        ({"content": {"application/x-www-form-urlencoded": {"encoding": {"a": {"style": "frm"}}}}},
         ".content.application/x-www-form-urlencoded.encoding.a.style", "the style 'frm' is not one of form, "
         "spaceDelimited, pipeDelimited, tabDelimited, deepObject; form is used"),
        ({"content": {"text/plain": {"shema": {}}}}, ".content.text/plain.shema", "shema is unknown in a media type "
         "and is ignored; did you mean schema?"),
    ],
)  # fmt: skip
def test_a_guess_about_a_body_is_told(body: JsonObject, path: str, message: str) -> None:
    assert (f"{GET}.requestBody{path}", message) in told(get(PET_ID, requestBody=body))


def test_a_method_that_is_none_is_told() -> None:
    paths: JsonObject = {"/a": {"get": {}, "POST": {}, "dlete": {}, "connect": {"responses": {}}}, "/b": {"GET": {}}}
    assert sorted(told(description(paths))) == [
        ("$.paths./a.POST", "POST is unknown in a path and is ignored; did you mean post?"),
        ("$.paths./a.connect", "connect is not a method that can be called; it is left out"),
        ("$.paths./a.dlete", "dlete is unknown in a path and is ignored; did you mean delete?"),
        ("$.paths./b.GET", "GET is unknown in a path and is ignored; did you mean get?"),
    ]


def test_a_member_of_an_operation_that_is_nearly_known_is_told() -> None:
    paths: JsonObject = {"/a": {"post": {"paramters": [], "requestbody": {}, "parameters": {"name": "q"}}}}
    assert sorted(told(description(paths))) == [
        ("$.paths./a.post.parameters", "parameters is a list, not an object; it is ignored"),
        ("$.paths./a.post.requestbody", "requestbody is unknown in an operation and is ignored; did you mean "
         "requestBody?"),
    ]  # fmt: skip


def two(*parameters: JsonObject, **more: JsonValue) -> JsonObject:
    """A description in OpenAPI 2.0."""
    operation: JsonObject = {"parameters": list(parameters), "responses": {}}
    return {"swagger": "2.0", "host": "a.example", "schemes": ["https"], "paths": {"/a": {"post": operation}}, **more}


@pytest.mark.parametrize(
    ("parameters", "path", "message"),
    [
        ([{"name": "q", "in": "query", "type": "intger"}], "[0].type", "the type 'intger' is not known, so any value "
         "is taken; did you mean integer?"),
        ([{"name": "q", "in": "query", "type": "array", "items": {"type": "Sting"}}], "[0].items.type", "the type "
         "'Sting' is not known, so any value is taken; did you mean string?"),
        ([{"name": "q", "in": "query", "type": "array", "collectionFormat": "mutli"}], "[0].collectionFormat",
         "q: the collectionFormat 'mutli' is not one of csv, multi, pipes, ssv, tsv; csv is used"),
        ([{"name": "q", "in": "header", "type": "array", "collectionFormat": "multi"}], "[0].collectionFormat",
         "q: the collectionFormat multi is for queries and forms; csv is used"),
        ([{"name": "b", "in": "body", "schema": {}}, {"name": "f", "in": "formData", "type": "string"}], "[1]",
         "f is not sent: the body is b"),
        ([{"name": "b", "in": "body", "schema": {}}, {"name": "c", "in": "body", "schema": {}}], "[1]",
         "c is not sent: the body is b"),
        ([{"name": "id", "in": "path", "required": True, "type": "string"}], "[0]",
         "id is declared in path, and the path has no {id}; it is not sent"),
    ],
)  # fmt: skip
def test_openapi_2_is_judged_alike(parameters: list[JsonObject], path: str, message: str) -> None:
    assert told(two(*parameters)) == [(f"$.paths./a.post.parameters{path}", message)]


def test_what_openapi_2_knows_is_not_odd_there() -> None:
    fields = [{"name": "f", "in": "formData", "type": "file"}, {"name": "n", "in": "formData", "type": "integer"}]
    assert told(two(*fields, consumes=["multipart/form-data"], definitions={"A": {"type": "object"}})) == []


@pytest.mark.parametrize(("place", "hint"), [("Query", "; did you mean query?"), ("pth", "; did you mean path?")])
def test_a_shared_parameter_in_no_place_is_told_though_nothing_uses_it(place: str, hint: str) -> None:
    components: JsonObject = {"parameters": {"q": {"name": "q", "in": place, "schema": {}}}}
    message = f"in is {place!r}, which is not one of cookie, header, path, query{hint}"
    assert told(description({"/a": {"get": {}}}, components=components)) == [("$.components.parameters.q.in", message)]


def test_schemas_that_hold_themselves_and_parts_used_many_times_are_looked_at_once() -> None:
    layers: list[JsonObject] = [{"properties": {"a": {"type": "intger"}}}]
    for _ in range(60):
        layers.append({"allOf": [layers[-1], layers[-1]]})
    root = shared(layers[-1])
    entries, _ = index(root)
    assert len(oddities(root, entries)) == 1


def test_oddities_have_an_upper_limit() -> None:
    schemas: JsonObject = {f"s{number}": {"type": "intger"} for number in range(3_000)}
    found = told(description({"/a": {"get": {}}}, components={"schemas": schemas}))
    assert len(found) == 2_001
    assert found[-1] == ("$", "there are more than 2,000 oddities; the rest is not shown")


def test_of_selected_operations_only_their_own_parts_are_looked_at() -> None:
    odd: JsonObject = {"parameters": [in_query(schema={"type": "intger"})]}
    root = description({"/a": {"get": odd}, "/b": {"get": odd}, "/c": {"GET": {}}})
    entries, _ = index(root)
    assert [each.path for each in oddities(root, entries[:1], is_whole=False)] == [
        "$.paths./a.get.parameters[0].schema.type"
    ]
