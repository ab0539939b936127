"""How an OpenAPI tool behaves: what its settings say, and what is wrong with them."""

import pytest

from openplaybook.egress.base import HttpLimits
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import InvalidTool
from openplaybook.tools.openapi.tool_settings import Selection, ToolSettings, settings_of


def problems(settings: JsonValue) -> list[tuple[str, str]]:
    with pytest.raises(InvalidTool) as refused:
        settings_of({"settings": settings})
    return [
        (problem.path.removeprefix("$.openApiSpec.settings"), problem.message) for problem in refused.value.problems
    ]


@pytest.mark.parametrize("spec", [{}, {"settings": None}, {"settings": {}}])
def test_without_settings_everything_is_as_usual(spec: JsonObject) -> None:
    assert settings_of(spec) == ToolSettings()


def test_every_setting_is_read() -> None:
    settings: JsonObject = {
        "operationSelection": {
            "operationIds": ["listPets", "getPet"],
            "tags": ["pets"],
            "pathPrefixes": ["/pets"],
            "search": "adopt a pet",
            "maxOperations": 7,
        },
        "responseFields": [
            {"operationId": "listPets", "fields": ["items.name", "items.*.id"]},
            {"operationId": "listPets", "fields": ["nextPageToken", "items.name"]},
            {"operationId": "*", "fields": ["name"]},
        ],
        "documents": [
            {"uri": "https://api.example/schemas.yaml", "text": "Pet: {}"},
            {"uri": "more.json", "text": "{}"},
        ],
        "documentUri": "https://api.example/openapi.yaml",
        "serverUrl": "http://api.example:8080/v1",
        "serverVariables": {"region": "eu", "stage": ""},
        "idempotencyKeyHeader": "Idempotency-Key",
        "connectTimeout": "0.5s",
        "readTimeout": "300s",
        "totalTimeout": "1.250s",
        "maxConcurrentRequests": 4,
    }
    assert settings_of({"settings": settings}) == ToolSettings(
        selection=Selection(frozenset({"listPets", "getPet"}), frozenset({"pets"}), ("/pets",), "adopt a pet", 7),
        response_fields={"listPets": ("items.name", "items.*.id", "nextPageToken"), "*": ("name",)},
        documents={"https://api.example/schemas.yaml": "Pet: {}", "more.json": "{}"},
        document_uri="https://api.example/openapi.yaml",
        server_url="http://api.example:8080/v1",
        server_variables={"region": "eu", "stage": ""},
        idempotency_key_header="Idempotency-Key",
        limits=HttpLimits(connect_s=0.5, read_s=300.0, total_s=1.25, max_concurrent=4),
    )


def test_fields_of_an_operation_go_before_those_of_all() -> None:
    settings = ToolSettings(response_fields={"listPets": ("items",), "*": ("name",)})
    assert [settings.fields_of(each) for each in ("listPets", "getPet")] == [("items",), ("name",)]
    assert ToolSettings().fields_of("listPets") == ()


@pytest.mark.parametrize(
    ("settings", "path", "message"),
    [
        ("fast", "", "must be an object"),
        ({"operationSelection": []}, ".operationSelection", "must be an object"),
        ({"operationSelection": {"tags": "pets"}}, ".operationSelection.tags", "must be a list"),
        ({"operationSelection": {"tags": ["a", 5]}}, ".operationSelection.tags[1]", "must be text, not 5"),
        ({"operationSelection": {"operationIds": [" "]}}, ".operationSelection.operationIds[0]", "must not be empty"),
        (
            {"operationSelection": {"pathPrefixes": ["pets"]}},
            ".operationSelection.pathPrefixes[0]",
            "must start with /, as paths of the description do",
        ),
        (
            {"operationSelection": {"maxOperations": -1}},
            ".operationSelection.maxOperations",
            "must be a whole number from 0 (no limit) to 1,000,000, not -1",
        ),
        (
            {"operationSelection": {"pathPrefixes": [f"/{at}" for at in range(101)]}},
            ".operationSelection.pathPrefixes",
            "has 101 entries; allowed are 100",
        ),
        (
            {"operationSelection": {"search": "pet " * 200}},
            ".operationSelection.search",
            "must have at most 500 characters",
        ),
        ({"responseFields": [{"fields": ["a"]}]}, ".responseFields[0].operationId", "is required"),
        ({"responseFields": [{"operationId": "*"}]}, ".responseFields[0].fields", "is required"),
        (
            {"responseFields": [{"operationId": "*", "fields": ["a", "items[].name"]}]},
            ".responseFields[0].fields[1]",
            "arrays are looked through: write items.name, not items[].name",
        ),
        ({"documents": [{"text": "{}"}]}, ".documents[0].uri", "is required"),
        ({"documents": [{"uri": "a.json"}]}, ".documents[0].text", "is required"),
        (
            {"documents": [{"uri": "a.json#/x", "text": "{}"}]},
            ".documents[0].uri",
            "must name a whole document, without a fragment (#…)",
        ),
        (
            {"documents": [{"uri": "a.json", "text": "{}"}, {"uri": "a.json", "text": "[]"}]},
            ".documents[1].uri",
            "'a.json' is given twice",
        ),
        ({"serverUrl": "/v1"}, ".serverUrl", "must be an absolute URL such as https://api.example.com/v1"),
        ({"serverUrl": "https://a:99999"}, ".serverUrl", "must be an absolute URL such as https://api.example.com/v1"),
        (
            {"documentUri": "file:///etc/a"},
            ".documentUri",
            "must be an absolute URL such as https://api.example.com/v1",
        ),
        (
            {"serverUrl": "https://me:hunter2@api.example"},
            ".serverUrl",
            "must not contain a user name or password: those belong in openApiSpec.authentication",
        ),
        ({"serverUrl": "https://api.example/#a"}, ".serverUrl", "must have no fragment (#…)"),
        ({"serverVariables": {"port": 443}}, ".serverVariables.port", "must be text, not 443"),
        (
            {"idempotencyKeyHeader": "Key: 5"},
            ".idempotencyKeyHeader",
            "must be the name of a header, such as Idempotency-Key",
        ),
        (
            {"idempotencyKeyHeader": "Authorization"},
            ".idempotencyKeyHeader",
            "is a header that requests use for something else",
        ),
        (
            {"idempotencyKeyHeader": "Proxy-Connection"},
            ".idempotencyKeyHeader",
            "is a header that requests use for something else",
        ),
        (
            {"connectTimeout": "61s"},
            ".connectTimeout",
            'must be a duration such as "5s", at most "60s", not \'61s\'',
        ),
        ({"readTimeout": "0s"}, ".readTimeout", 'must be a duration such as "5s", at most "300s", not \'0s\''),
        ({"totalTimeout": 5}, ".totalTimeout", 'must be a duration such as "5s", at most "300s", not 5'),
        (
            {"maxConcurrentRequests": 1.5},
            ".maxConcurrentRequests",
            "must be a whole number from 0 (no limit) to 1,000, not 1.5",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_its_place_and_what_is_allowed(
    settings: JsonValue, path: str, message: str
) -> None:
    assert problems(settings) == [(path, message)]


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert [path for path, _ in problems({"connectTimeout": "x", "serverUrl": "y", "documents": {}})] == [
        ".documents",
        ".serverUrl",
        ".connectTimeout",
    ]


def test_a_long_wrong_value_is_not_repeated_in_full() -> None:
    assert problems({"totalTimeout": "9" * 1000}) == [
        (".totalTimeout", f'must be a duration such as "5s", at most "300s", not \'{"9" * 39}…')
    ]
