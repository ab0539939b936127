import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.compiled_forms import ParameterDefinition
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.parameter_definitions import compile_parameters

TEXTS = {"type": "array", "items": {"type": "string"}}


def inline(name: str, items: JsonObject | None = None) -> JsonObject:
    return {"inlineSchema": {"type": name} | ({} if items is None else {"items": items})}


@pytest.mark.parametrize(
    ("definition", "schema"),
    [
        ({"typeSchema": inline("STRING")}, {"type": "string"}),
        ({"typeSchema": inline("NUMBER")}, {"type": "number"}),
        ({"typeSchema": inline("BOOLEAN")}, {"type": "boolean"}),
        ({"typeSchema": inline("ARRAY")}, {"type": "array"}),
        ({"typeSchema": inline("ARRAY", inline("STRING"))}, TEXTS),
        ({"typeSchema": inline("ARRAY", inline("ARRAY", inline("STRING")))}, {"type": "array", "items": TEXTS}),
        ({"typeSchema": inline("DATA_TYPE_UNSPECIFIED")}, {}),
        ({"typeSchema": {}}, {}),
        ({"parameterType": {"openapiJsonSchema": TEXTS}}, TEXTS),
        ({"parameterType": {"openapiJsonSchema": '{"type": "number"}'}}, {"type": "number"}),
        ({"type": "OBJECT"}, {"type": "object"}),
        ({"type": "LIST"}, {"type": "array"}),
        ({"type": "PARAMETER_TYPE_UNSPECIFIED"}, {}),
        ({}, {}),
        ({"typeSchema": inline("STRING"), "parameterType": {"openapiJsonSchema": TEXTS}}, {"type": "string"}),
    ],
)
def test_every_form_of_a_type_becomes_json_schema(definition: JsonObject, schema: JsonObject) -> None:
    found: list[Finding] = []
    definitions = [{"name": "city", "description": "Where", **definition}]
    assert compile_parameters(definitions, "$.p", found.append) == (ParameterDefinition("city", "Where", schema),)
    assert found == []


def test_a_schema_of_a_tool_is_not_looked_up_and_that_is_remarked() -> None:
    found: list[Finding] = []
    definition = {"name": "pet", "typeSchema": {"schemaReference": {"tool": "t", "schema": "Pet"}}}
    assert compile_parameters([definition], "$.p", found.append)[0].schema == {}
    assert found == [
        Finding(
            "$.p[0].typeSchema.schemaReference",
            "any value is taken: schema 'Pet' of a tool is not looked up",
            Severity.REMARK,
        )
    ]


def test_without_a_name_there_is_no_parameter() -> None:
    found: list[Finding] = []
    assert compile_parameters([{"type": "STRING"}, 7], "$.p", found.append) == ()
    assert [finding.path for finding in found] == ["$.p[0]", "$.p[1]"]


def test_names_that_differ_in_case_only_are_one_parameter() -> None:
    found: list[Finding] = []
    both = compile_parameters([{"name": "City", "type": "STRING"}, {"name": "city"}], "$.p", found.append)
    assert [parameter.name for parameter in both] == ["City"]
    assert [(finding.path, finding.severity) for finding in found] == [("$.p[1].name", Severity.ERROR)]


@pytest.mark.parametrize(
    ("definition", "path"),
    [
        ({"typeSchema": inline("DATE")}, "$.p[0].typeSchema.inlineSchema.type"),
        ({"type": 3}, "$.p[0].type"),
        ({"parameterType": {"openapiJsonSchema": "{"}}, "$.p[0].parameterType.openapiJsonSchema"),
        ({"parameterType": {"openapiJsonSchema": [1]}}, "$.p[0].parameterType.openapiJsonSchema"),
    ],
)
def test_an_unknown_type_takes_any_value_and_is_told(definition: JsonObject, path: str) -> None:
    found: list[Finding] = []
    assert compile_parameters([{"name": "x", **definition}], "$.p", found.append)[0].schema == {}
    assert [finding.path for finding in found] == [path]


def test_what_is_no_list_defines_nothing() -> None:
    assert compile_parameters(None, "$.p") == ()
    assert compile_parameters("x", "$.p") == ()
