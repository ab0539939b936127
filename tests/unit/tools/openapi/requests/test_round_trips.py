"""What is written is what was given, as an independent reader of OpenAPI requests sees it (openapi-core, werkzeug)."""

from collections.abc import Mapping
from string import ascii_letters, digits
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st
from openapi_core import OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Success
from tests.kit.openapi import Harness, harness, operation

STRINGS: JsonObject = {"type": "array", "items": {"type": "string"}}
MEMBERS: JsonObject = {
    "type": "object",
    "properties": {"R": {"type": "string"}, "G": {"type": "integer"}, "B": {"type": "boolean"}},
}


def parameter(place: str, name: str, schema: JsonObject, style: str, *, explode: bool) -> JsonObject:
    more: JsonObject = {"required": True} if place == "path" else {}
    return {"in": place, "name": name, "schema": schema, "style": style, "explode": explode, **more}


PARAMETERS = [
    parameter("path", "pathText", {"type": "string"}, "simple", explode=False),
    parameter("path", "pathList", STRINGS, "simple", explode=False),
    parameter("query", "text", {"type": "string"}, "form", explode=True),
    parameter("query", "number", {"type": "number"}, "form", explode=True),
    parameter("query", "integer", {"type": "integer"}, "form", explode=True),
    parameter("query", "boolean", {"type": "boolean"}, "form", explode=True),
    parameter("query", "list", STRINGS, "form", explode=True),
    parameter("query", "joined", STRINGS, "form", explode=False),
    parameter("query", "pipes", STRINGS, "pipeDelimited", explode=False),
    parameter("query", "flat", MEMBERS, "form", explode=False),
    parameter("query", "deep", MEMBERS, "deepObject", explode=True),
    parameter("header", "X-Text", {"type": "string"}, "simple", explode=False),
    parameter("header", "X-List", STRINGS, "simple", explode=False),
    parameter("header", "X-Flat", MEMBERS, "simple", explode=False),
    parameter("header", "X-Pairs", MEMBERS, "simple", explode=True),
    parameter("cookie", "cookieText", {"type": "string"}, "form", explode=True),
    parameter("cookie", "cookieList", STRINGS, "form", explode=True),
    {"in": "query", "name": "json", "content": {"application/json": {"schema": {"type": "object"}}}},
]
ANSWERS: JsonObject = {"200": {"description": "Done"}}
DOCUMENT = operation(PARAMETERS, path="/things/{pathText}/{pathList}", responses=ANSWERS)
READER = OpenAPI.from_dict(DOCUMENT)
TOOL = harness(DOCUMENT)

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=",|"), min_size=1, max_size=8)
PLAIN = st.text(ascii_letters + digits + "-_.~ ", min_size=1, max_size=8).map(str.strip).filter(bool)
COOKIES = st.text(ascii_letters + digits + "-_.~!#$&'()*+/:<=>?@[]^`{|}", min_size=1, max_size=8)
# This reader decodes a path before it takes it apart.
SEGMENTS = TEXTS.filter(lambda text: not set(text) & set("./\\;?#%"))
OBJECTS = st.fixed_dictionaries({}, optional={"R": PLAIN, "G": st.integers(-1000, 1000), "B": st.booleans()})
JSON = st.dictionaries(TEXTS, st.integers() | TEXTS | st.lists(TEXTS, max_size=2), min_size=1, max_size=3)


def lists(of: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(of, min_size=1, max_size=3)


ARGUMENTS = st.fixed_dictionaries(
    {"pathText": SEGMENTS, "pathList": lists(SEGMENTS)},
    optional={
        "text": TEXTS,
        "number": st.floats(-1e6, 1e6).filter(lambda number: not number.is_integer()),
        "integer": st.integers(-(2**70), 2**70),
        "boolean": st.booleans(),
        "list": lists(TEXTS),
        "joined": lists(TEXTS),
        "pipes": lists(TEXTS),
        "flat": OBJECTS.filter(bool),
        "deep": OBJECTS.filter(bool),
        "X-Text": PLAIN,
        "X-List": lists(PLAIN),
        "X-Flat": OBJECTS.filter(bool),
        "X-Pairs": OBJECTS.filter(bool),
        # This reader leaves cookies encoded, as many services do, and others do not (RFC 6265 says nothing of it).
        "cookieText": COOKIES,
        "cookieList": lists(COOKIES),
        "json": JSON,
    },
)


def read(request: HttpRequest) -> JsonObject:
    """The parameters by name."""
    url = urlsplit(request.url)
    builder = EnvironBuilder(
        path=url.path,
        base_url=f"{url.scheme}://{url.netloc}",
        query_string=url.query,
        method=request.method,
        headers=list(request.headers),
    )
    result = READER.unmarshal_request(WerkzeugOpenAPIRequest(Request(builder.get_environ())))
    parameters = result.parameters
    places: list[Mapping[str, JsonValue]] = [parameters.path, parameters.query, parameters.header, parameters.cookie]
    return {name: value for place in places for name, value in place.items()}


async def sent(tool: Harness, arguments: JsonObject) -> HttpRequest:
    tool.transport.sent.clear()
    assert isinstance(await tool.call(arguments), Success)
    return tool.sent


@given(ARGUMENTS)
async def test_any_parameters_are_read_as_they_were_given(arguments: JsonObject) -> None:
    assert read(await sent(TOOL, arguments)) == arguments
