"""Where a tool's credentials go."""

import pytest

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.openapi.credential_destinations import CredentialUse
from openplaybook.tools.tool_kind import Destinations


def spec(settings: JsonObject | None = None, **members: object) -> JsonObject:
    document: JsonObject = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, **members}
    return {"textSchema": dumps(document).decode(), **({"settings": settings} if settings else {})}


OPERATION: JsonObject = {"operationId": "a", "responses": {}}
SERVERS = [{"url": "https://api.example/v1"}]


def servers(settings: JsonObject | None = None, **members: object) -> frozenset[str]:
    return CredentialUse(spec(settings, **members)).destinations().servers


def test_servers_of_the_document_of_paths_and_of_operations_count() -> None:
    paths: JsonObject = {
        "/a": {"get": OPERATION},
        "/b": {"servers": [{"url": "https://b.example"}], "get": OPERATION},
        "/c": {"get": {**OPERATION, "servers": [{"url": "//c.example/"}]}},
    }
    assert servers(servers=SERVERS, paths=paths) == {
        "https://api.example/v1",
        "https://b.example",
        "https://c.example",
    }


def test_a_path_that_is_kept_elsewhere_counts() -> None:
    elsewhere = {"a": {"servers": [{"url": "https://b.example"}], "get": OPERATION}}
    settings = {
        "documents": [{"uri": "https://api.example/more.json", "text": dumps(elsewhere).decode()}],
        "documentUri": "https://api.example/openapi.json",
    }
    paths = {"/a": {"$ref": "more.json#/a"}}
    assert servers(settings, servers=SERVERS, paths=paths) == {"https://b.example"}


def test_variables_and_settings_count() -> None:
    named = [{"url": "https://{region}.example", "variables": {"region": {"default": "eu"}}}]
    paths = {"/a": {"get": OPERATION}}
    assert servers(servers=named, paths=paths) == {"https://eu.example"}
    assert servers({"serverVariables": {"region": "us"}}, servers=named, paths=paths) == {"https://us.example"}
    assert servers({"serverUrl": "https://own.example/"}, servers=named, paths=paths) == {"https://own.example"}
    assert servers({"documentUri": "https://d.example/x.json"}, paths=paths) == {"https://d.example"}
    assert servers(paths=paths) == frozenset()


def test_hosts_of_swagger_count() -> None:
    text = dumps(
        {
            "swagger": "2.0",
            "info": {"title": "t", "version": "1"},
            "host": "api.example",
            "basePath": "/v1",
            "paths": {"/a": {"get": OPERATION, "post": {**OPERATION, "schemes": ["http"]}}},
        }
    ).decode()
    assert CredentialUse({"textSchema": text}).destinations().servers == {
        "https://api.example/v1",
        "http://api.example/v1",
    }


def test_an_operation_that_cannot_be_called_sends_nothing() -> None:
    broken = {"parameters": [{"$ref": "#/parameters/gone"}], "responses": {}}
    document = {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "api.example"}
    text = dumps({**document, "paths": {"/a": {"get": OPERATION}, "/b": {"get": broken}}}).decode()
    assert CredentialUse({"textSchema": text}).destinations().servers == {"https://api.example"}


def test_a_scheme_counts_where_operations_ask_for_it() -> None:
    paths: JsonObject = {
        "/a": {"get": {**OPERATION, "security": [{"one": []}]}},
        "/b": {"servers": [{"url": "https://b.example"}], "get": {**OPERATION, "security": [{"two": [], "three": []}]}},
    }
    schemes = {"one": {"type": "http", "scheme": "bearer", "description": "d"}, "two": {"type": "http", "scheme": "x"}}
    tool = spec(servers=SERVERS, paths=paths, components={"securitySchemes": schemes})
    bearer = {"type": "http", "scheme": "bearer"}
    assert CredentialUse(tool).destinations("one") == Destinations(frozenset({"https://api.example/v1"}), bearer)
    assert CredentialUse(tool).destinations("two").servers == {"https://b.example"}
    assert CredentialUse(tool).destinations("gone") == Destinations(frozenset(), {})


def test_fewer_servers_are_covered_and_others_or_another_scheme_are_not() -> None:
    both, one = Destinations(frozenset("ab"), {}), Destinations(frozenset("a"), {})
    assert both.cover(one)
    assert not one.cover(both)
    assert not both.cover(Destinations(frozenset("a"), {"type": "apiKey"}))


def test_a_text_that_is_no_description_is_refused() -> None:
    with pytest.raises(UnreadableDocument):
        CredentialUse({"textSchema": "broken"})
