"""Credentials are described and never kept."""

import pytest

from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject
from tests.unit.drafting.written import API, document, got, made, read

SECRET = "s3cr3t-Value-0123456789"


BEARER: JsonObject = {"type": "http", "scheme": "bearer"}
BASIC: JsonObject = {"type": "http", "scheme": "basic"}
HEADER = "the header Authorization"


def key(name: str, place: str) -> JsonObject:
    return {"type": "apiKey", "in": place, "name": name}


@pytest.mark.parametrize(
    ("sample", "name", "scheme", "where"),
    [
        (got("/pets", Authorization=f"Bearer {SECRET}"), "bearerAuth", BEARER, HEADER),
        (got("/pets", Authorization=f"Basic {SECRET}"), "basicAuth", BASIC, HEADER),
        (got("/pets", Authorization=SECRET), "Authorization", key("Authorization", "header"), HEADER),
        (got("/pets", X_Api_Key=SECRET), "X-Api-Key", key("X-Api-Key", "header"), "the header X-Api-Key"),
        (got(f"/pets?api_key={SECRET}"), "api_key", key("api_key", "query"), "the query parameter api_key"),
        (got(f"/pets?key={SECRET}"), "key", key("key", "query"), "the query parameter key"),
        (got("/pets", Cookie=f"theme=dark; sessid={SECRET}"), "sessid", key("sessid", "cookie"), "the cookie sessid"),
        (Sample(f"https://kim:{SECRET}@api.shop.example/v1/pets"), "basicAuth", BASIC, "the user name in the URL"),
    ],
    ids=["bearer", "basic", "authorization", "header", "query", "key", "cookie", "user"],
)
@pytest.mark.proves("O8")
def test_a_credential_becomes_a_security_scheme_and_a_remark_without_its_value(
    sample: Sample, name: str, scheme: JsonObject, where: str
) -> None:
    generated = made([sample])
    root = read(generated.schema)
    assert root["components"] == {"securitySchemes": {name: scheme}}
    assert root["security"] == [{name: []}]
    assert "parameters" not in root["paths"]["/pets"]["get"]
    assert generated.remarks == [
        f"The samples carry a credential in {where}. It is described as the security scheme {name}, "
        "its value is not kept: set the tool's authentication."
    ]
    assert SECRET not in generated.schema


def test_operations_that_differ_say_for_themselves_what_they_take() -> None:
    root = document([got("/pets", X_Api_Key="k"), got("/pets"), got("/health")])
    assert root["paths"]["/pets"]["get"]["security"] == [{"X-Api-Key": []}, {}]
    assert "security" not in root["paths"]["/health"]["get"]
    assert "security" not in root


def test_a_short_key_is_a_parameter() -> None:
    root = document([Sample(f"{API}/pets?key=color")])
    assert [each["name"] for each in root["paths"]["/pets"]["get"]["parameters"]] == ["key"]


def test_what_is_sent_in_bodies_is_never_written_down() -> None:
    bodies = [{"password": "hunter2", "kind": kind} for kind in ("admin", "guest")] * 4
    samples = [Sample(f"{API}/logins", "POST", {}, str(body).replace("'", '"')) for body in bodies]
    schema = made(samples).schema
    assert "hunter2" not in schema
    assert "enum" in schema
