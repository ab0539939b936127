"""The base URL of an operation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.servers import NoServer, base_url


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
    assert base_url(holder) == url


@pytest.mark.parametrize(
    ("holder", "message"),
    [
        ({}, "the description names no server; add servers with an absolute URL"),
        ({"servers": []}, "the description names no server; add servers with an absolute URL"),
        ({"servers": "https://api.example"}, "the description names no server; add servers with an absolute URL"),
        ({"servers": [{}]}, "a server has no url"),
        ({"servers": ["https://api.example"]}, "a server has no url"),
        (at(5), "a server has no url"),
        (at("https://{region}.example"), "the server variable region of https://{region}.example has no default"),
        (at("/v1"), "the server URL '/v1' is relative; it must be absolute, such as https://api.example.com"),
        (at("ftp://x"), "the server URL 'ftp://x' is relative; it must be absolute, such as https://api.example.com"),
        (at(""), "the server URL '' is relative; it must be absolute, such as https://api.example.com"),
    ],
)
def test_what_is_no_server_is_refused(holder: JsonObject, message: str) -> None:
    with pytest.raises(NoServer) as caught:
        base_url(holder)
    assert str(caught.value) == message


def test_the_first_server_of_the_nearest_holder_counts() -> None:
    two: JsonObject = {"servers": [{"url": "https://one.example"}, {"url": "https://two.example"}]}
    assert base_url({}, two, at("https://root.example")) == "https://one.example"
    assert base_url({"servers": []}, {"servers": None}, at("https://root.example")) == "https://root.example"


@given(st.text(max_size=30))
def test_any_path_of_a_server_is_written_in_legal_characters(path: str) -> None:
    url = base_url(at("https://api.example/" + path.replace("{", "").replace("}", "")))
    assert url.isascii()
    assert url.startswith("https://api.example")
    assert not set(url) & set(' <>"\\^`{|}\n')
