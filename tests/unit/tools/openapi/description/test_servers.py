"""The base URL of an operation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description.servers import NoServer, UnknownServer, base_url
from openplaybook.tools.openapi.tool_settings import ToolSettings

NONE = ToolSettings()
DOCUMENT = ToolSettings(document_uri="https://docs.example/v3/openapi.yaml")


def at(url: object, **variables: object) -> JsonObject:
    return {"servers": [{"url": url, "variables": {name: {"default": value} for name, value in variables.items()}}]}


@pytest.mark.parametrize(
    ("holder", "url"),
    [
        (at("https://api.example"), "https://api.example"),
        (at("https://api.example/"), "https://api.example"),
        (at("https://api.example/v1///"), "https://api.example/v1"),
        (at("  http://api.example/v1 "), "http://api.example/v1"),
        (at("HTTPS://API.example/V1"), "https://API.example/V1"),
        (at("https://api.example:8443/v1"), "https://api.example:8443/v1"),
        (at("https://[::1]:80/v1"), "https://[::1]:80/v1"),
        (at("https://api.example/a b/ü"), "https://api.example/a%20b/%C3%BC"),
        (at("https://api.example/a%20b"), "https://api.example/a%20b"),
        (at("https://api.example/v1#part"), "https://api.example/v1"),
        (at("https://api.example/v1?key=1"), "https://api.example/v1?key=1"),
        (at("https://{region}.example/{version}", region="eu", version="v2"), "https://eu.example/v2"),
        (at("https://api.example:{port}", port=8080), "https://api.example:8080"),
        (at("{base}/v1", base="https://api.example"), "https://api.example/v1"),
    ],
)
def test_a_server_is_an_absolute_url_without_a_slash_at_its_end(holder: JsonObject, url: str) -> None:
    assert base_url(NONE, holder) == url


@pytest.mark.parametrize(
    ("holder", "message"),
    [
        ({"servers": [{}]}, "a server has no url"),
        ({"servers": ["https://api.example"]}, "a server has no url"),
        (at(5), "a server has no url"),
        (at("ftp://x"), "the server URL 'ftp://x' must start with http:// or https://"),
        (at("data:text/plain,x"), "the server URL 'data:text/plain,x' must start with http:// or https://"),
        (at("Data:,"), "the server URL 'Data:,' must start with http:// or https://"),
    ],
)
def test_what_is_no_server_is_refused(holder: JsonObject, message: str) -> None:
    with pytest.raises(NoServer) as caught:
        base_url(NONE, holder)
    assert str(caught.value) == message


def test_the_first_server_of_the_nearest_holder_counts() -> None:
    two: JsonObject = {"servers": [{"url": "https://one.example"}, {"url": "https://two.example"}]}
    assert base_url(NONE, {}, two, at("https://root.example")) == "https://one.example"
    assert base_url(NONE, {"servers": []}, {"servers": None}, at("https://root.example")) == "https://root.example"


SET_IT = "set settings.serverUrl to where the service is, or settings.documentUri to where the description is"


@pytest.mark.parametrize(
    ("holder", "message"),
    [
        ({}, f"the description names no server; {SET_IT}"),
        ({"servers": []}, f"the description names no server; {SET_IT}"),
        ({"servers": "https://api.example"}, f"the description names no server; {SET_IT}"),
        (at("/v1"), f"the server URL '/v1' is relative; {SET_IT}"),
        (at(""), f"the server URL '' is relative; {SET_IT}"),
        (
            at("https://{region}.example"),
            "the server variable region of https://{region}.example has no default; set "
            "settings.serverVariables.region or settings.serverUrl",
        ),
    ],
)
def test_what_the_description_leaves_open_has_to_be_set(holder: JsonObject, message: str) -> None:
    with pytest.raises(UnknownServer) as caught:
        base_url(NONE, holder)
    assert str(caught.value) == message


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("holder", "url"),
    [
        ({}, "https://docs.example"),
        (at("/v1"), "https://docs.example/v1"),
        (at("v1/"), "https://docs.example/v3/v1"),
        (at("../v2"), "https://docs.example/v2"),
        (at(""), "https://docs.example/v3/openapi.yaml"),
        (at("."), "https://docs.example/v3"),
        (at("//other.example/v1"), "https://other.example/v1"),
        (at("http://api.example"), "http://api.example"),
    ],
)
def test_a_relative_server_starts_where_the_description_stands(holder: JsonObject, url: str) -> None:
    assert base_url(DOCUMENT, holder) == url


def test_a_server_without_a_scheme_is_reached_by_tls() -> None:
    assert base_url(NONE, at("//api.example/v1")) == "https://api.example/v1"


def test_a_file_is_no_place_for_a_server() -> None:
    with pytest.raises(UnknownServer):
        base_url(ToolSettings(document_uri="file:///home/me/openapi.yaml"), at("/v1"))


def test_the_settings_server_wins() -> None:
    settings = ToolSettings(server_url="https://mine.example/base/", document_uri="https://docs.example/")
    assert base_url(settings, at("https://api.example"), {}) == "https://mine.example/base"


REGIONS: JsonObject = {
    "servers": [
        {
            "url": "https://{region}.example:{port}/{version}",
            "variables": {
                "region": {"default": "eu", "enum": ["eu", "us"]},
                "port": {"default": 443, "enum": [443, 8443]},
                "version": {"default": "v1"},
            },
        }
    ]
}


def test_variables_have_the_values_of_the_settings() -> None:
    variables = {"region": "us", "port": "8443", "version": "v2", "unknown": "x"}
    assert base_url(ToolSettings(server_variables=variables), REGIONS) == "https://us.example:8443/v2"
    assert base_url(NONE, REGIONS) == "https://eu.example:443/v1"


def test_a_value_that_a_variable_does_not_take_is_refused() -> None:
    with pytest.raises(NoServer) as caught:
        base_url(ToolSettings(server_variables={"region": "asia"}), REGIONS)
    assert str(caught.value) == "settings.serverVariables.region is 'asia'; allowed are eu, us"


@given(st.text(max_size=30))
def test_any_path_of_a_server_is_written_in_legal_characters(path: str) -> None:
    url = base_url(NONE, at("https://api.example/" + path.replace("{", "").replace("}", "")))
    assert url.isascii()
    assert url.startswith("https://api.example")
    assert not set(url) & set(' <>"\\^`{|}\n')
