"""Paths with RFC 6570's operators in them."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Failure, Success
from openplaybook.tools.openapi.requests.parameter_places import (
    keeps_slashes,
    parameter_name,
    path_expressions,
    path_literal,
)
from tests.kit.openapi import harness, operation


@pytest.mark.parametrize(
    ("expression", "declared", "name", "has_slashes"),
    [
        ("id", {"id"}, "id", False),
        ("+parent", {"parent"}, "parent", True),
        ("+parent", set[str](), "parent", True),
        ("+parent", {"+parent"}, "+parent", False),
        ("proxy+", {"proxy"}, "proxy", True),
        ("proxy+", {"proxy+"}, "proxy+", False),
        ("path*", {"path"}, "path", True),
        ("+", set[str](), "+", False),
    ],
)
def test_an_expression_names_a_parameter(expression: str, declared: set[str], name: str, has_slashes: bool) -> None:
    assert parameter_name(expression, declared) == name
    assert keeps_slashes(expression, declared) is has_slashes


def test_a_path_is_read_as_literals_and_expressions() -> None:
    assert path_expressions("/a/{b}/c{+d}{}") == ["b", "+d", ""]
    assert path_literal("/a b/ü:c") == "/a%20b/%C3%BC:c"


@pytest.mark.proves("O11")
async def test_a_value_may_be_several_segments_where_the_template_says_so() -> None:
    parameter: JsonObject = {"in": "path", "name": "parent", "required": True, "description": "Whose", "schema": {}}
    tool = harness(operation([parameter], path="/v1/{+parent}/things"))
    assert tool.action().input_schema["properties"] == {"parent": {"description": "Whose"}}
    assert isinstance(await tool.call({"parent": "projects/p/a b?c#d"}), Success)
    assert tool.sent.url == "https://api.example/v1/v1/projects/p/a%20b%3Fc%23d/things"


@pytest.mark.parametrize("value", ["../secrets", "a/../b", "a/."])
async def test_several_segments_do_not_lead_elsewhere(value: str) -> None:
    tool = harness(operation(path="/v1/{+parent}/things"))
    message = "the arguments must not turn a part of the path into '.' or '..'"
    assert await tool.call({"parent": value}) == Failure("INVALID_ARGUMENTS", message)
