"""Bodies of every kind as samples show them."""

from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description_report import inspect
from tests.unit.drafting.written import API, document, got, made, sent

FORM = "application/x-www-form-urlencoded"


def posted(*bodies: str, **headers: str) -> list[Sample]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return [Sample(f"{API}/pets", "POST", named, body) for body in bodies]


def body(samples: list[Sample]) -> JsonObject:
    return document(samples)["paths"]["/pets"]["post"].get("requestBody", {})


def test_a_form_has_the_types_that_all_its_texts_have() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "tag": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name", "age"],
    }
    assert body(posted("name=Rex&age=3&tag=a&tag=b", "name=Tom&age=4", "name=7&age=5&tag=c")) == {
        "required": True,
        "content": {FORM: {"schema": schema}},
    }


def test_a_body_that_one_sample_lacks_is_not_required() -> None:
    assert "required" not in body([*posted("a=1"), *posted("")])


def test_each_media_type_is_described_by_its_own_samples() -> None:
    content = body([*posted('{"a": 1}'), *posted("b=1"), *posted("<a/>"), *posted("x,y", Content_Type="text/csv")])[
        "content"
    ]
    assert list(content) == ["application/json", FORM, "application/xml", "text/csv"]
    assert content["application/xml"] == content["text/csv"] == {"schema": {"type": "string"}}


def test_a_multipart_body_is_left_to_people_with_a_remark() -> None:
    generated = made(posted("--x\r\n\r\n--x--", Content_Type="multipart/form-data; boundary=x"))
    assert "requestBody" not in generated.schema
    assert generated.remarks == [
        "POST /pets: multipart/form-data bodies are not read from samples; describe the body by hand."
    ]


def test_answers_are_told_apart_by_status_and_by_type() -> None:
    html = Sample(f"{API}/pets", response_body="<html>down</html>", status=503)
    responses = document([got("/pets", []), got("/pets", {"error": "no"}, 400), html, got("/pets", None, 204)])[
        "paths"
    ]["/pets"]["get"]["responses"]
    assert {status: (each["description"], list(each.get("content", {}))) for status, each in responses.items()} == {
        "200": ("OK", ["application/json"]),
        "204": ("No Content", []),
        "400": ("Bad Request", ["application/json"]),
        "503": ("Service Unavailable", ["text/html"]),
    }


def test_json_of_another_name_is_json() -> None:
    problem = Sample(
        f"{API}/pets", response_body='{"title": "no"}', status=400, response_type="application/problem+json"
    )
    content = document([problem])["paths"]["/pets"]["get"]["responses"]["400"]["content"]
    assert content["application/problem+json"]["schema"]["properties"] == {"title": {"type": "string"}}


def test_a_body_nested_very_deeply_still_gives_a_tool() -> None:
    value: JsonValue = {"end": 1}
    for _ in range(95):
        value = {"next": value, "also": [value]} if isinstance(value, dict) and "end" in value else {"next": value}
    report = inspect(made([sent("POST", "/pets", value, value)]).schema, "")
    assert [each["problems"] for each in report["actions"]] == [[]]
