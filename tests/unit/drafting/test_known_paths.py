"""Where samples belong in a schema that is there."""

import pytest

from openplaybook.drafting.known_paths import KnownPaths
from openplaybook.drafting.samples import Sample, read_samples
from openplaybook.jsonvalues import JsonObject

ROOT: JsonObject = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://{region}.shop.example/v1/"}, {"url": "/relative"}],
    "paths": {
        "/pets/{id}": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}]},
        "/pets/mine": {},
        "/pets/{id}/toys/{toy}.json": {},
        "/{a}-{b}": {},
        "/{a}{b}{c}": {},
        "/deep/{x}": {"servers": [{"url": "https://deep.example"}]},
    },
}


@pytest.mark.parametrize(
    ("url", "server", "path", "values"),
    [
        ("https://eu.shop.example/v1/pets/3", "https://{region}.shop.example/v1", "/pets/{id}", {"id": "3"}),
        ("https://eu.shop.example/v1/pets/mine", "https://{region}.shop.example/v1", "/pets/mine", {}),
        ("https://eu.shop.example/v1/pets/{id}", "https://{region}.shop.example/v1", "/pets/{id}", {}),
        (
            "https://eu.shop.example/v1/pets/3/toys/a%20b.json",
            "https://{region}.shop.example/v1",
            "/pets/{id}/toys/{toy}.json",
            {"id": "3", "toy": "a b"},
        ),
        ("https://any.example/relative/x-y", "/relative", "/{a}-{b}", {"a": "x", "b": "y"}),
        ("https://deep.example/deep/1", "https://deep.example", "/deep/{x}", {"x": "1"}),
    ],
)
def test_a_known_path_is_found_below_its_server(url: str, server: str, path: str, values: dict[str, str]) -> None:
    (exchange,) = read_samples([Sample(url)])
    found = KnownPaths(ROOT).locate(exchange)
    assert found is not None
    assert (found.server, found.path, found.values) == (server, path, values)


@pytest.mark.parametrize(
    "url",
    [
        "https://eu.shop.example/v2/pets/3",
        "https://eu.shop.example/v1/pets/rex",
        "https://eu.shop.example/v1/pets/3/toys",
        "https://shop.example.evil/v1/pets/3",
        "https://eu.shop.example/v1/xyz",
    ],
)
def test_what_is_not_there_is_not_found(url: str) -> None:
    (exchange,) = read_samples([Sample(url)])
    assert KnownPaths(ROOT).locate(exchange) is None


def test_many_variables_and_a_long_segment_take_no_time() -> None:
    hostile = {"openapi": "3.0.3", "servers": [{"url": "https://" + "{a}." * 60 + "x"}, {"url": "https://a.example"}]}
    paths = {"/" + "{v}" * 30 + "!": {}, "/{a}{b}!": {}}
    (exchange,) = read_samples([Sample("https://a.example/" + "a" * 7_000)])
    assert KnownPaths({**hostile, "paths": paths}).locate(exchange) is None
