"""Made-up APIs and the exchanges that somebody would see with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps

RESOURCES = ("pets", "owners", "invoices", "people", "order-items", "categories")
FIELDS = ("name", "kind", "total", "tags", "created_at", "address", "weight", "is_open", "note", "lines", "on", "1e3")
HEX = "0123456789abcdef"

SCALARS: Sequence[st.SearchStrategy[JsonValue]] = (
    st.integers(-(2**40), 2**40),
    st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    st.booleans(),
    st.text("abc é<>&'\":#- 019", max_size=12),
    st.dates().map(str),
    st.uuids().map(str),
    st.sampled_from(["open", "closed", "waiting"]),
    st.sampled_from(["2024-02-30", "2020-01-01", "x@y.example", "https://a.example/b?c", "10.0.0.1", "=", "yes", "~"]),
)


def values_of_a_kind(draw: st.DrawFn, depth: int) -> st.SearchStrategy[JsonValue]:
    """A strategy for the values of one place: scalars of one or more types, objects, arrays, maps, null among them."""
    kind = draw(st.sampled_from(["scalar", "scalar", "object", "array", "map", "mixed"])) if depth else "scalar"
    if kind == "scalar":
        made = draw(st.sampled_from(SCALARS))
    elif kind == "mixed":
        made = draw(st.sampled_from(SCALARS)) | values_of_a_kind(draw, depth - 1)
    elif kind == "array":
        made = st.lists(values_of_a_kind(draw, depth - 1), max_size=3)
    elif kind == "map":
        made = st.dictionaries(st.uuids().map(str), values_of_a_kind(draw, depth - 1), max_size=3)
    else:
        made = objects(draw, depth)
    return made | st.none() if draw(st.integers(0, 4)) == 0 else made


def objects(draw: st.DrawFn, depth: int) -> st.SearchStrategy[JsonValue]:
    """Objects with fields of their own kinds, of which some may be missing."""
    names = draw(st.lists(st.sampled_from(FIELDS), max_size=4, unique=True))
    kinds = {name: values_of_a_kind(draw, depth - 1) for name in names}
    optional = {name for name in names if draw(st.booleans())}
    return st.fixed_dictionaries(
        {name: kinds[name] for name in names if name not in optional}, optional={name: kinds[name] for name in optional}
    )


@dataclass(frozen=True)
class Resource:
    """A collection and how its things are told apart."""

    name: str
    ids: st.SearchStrategy[str]
    things: st.SearchStrategy[JsonValue]
    queries: dict[str, st.SearchStrategy[str]]


@st.composite
def sampled_apis(draw: st.DrawFn) -> list[Sample]:
    """The samples of an API with one to three resources below a base path."""
    base = draw(
        st.sampled_from(["https://api.shop.example", "https://shop.example/api/v2", "http://shop.example:8080/v1"])
    )
    names = draw(st.lists(st.sampled_from(RESOURCES), min_size=1, max_size=3, unique=True))
    resources = [_resource(draw, name) for name in names]
    return [_sample(draw, base, draw(st.sampled_from(resources))) for _ in range(draw(st.integers(1, 12)))]


def _resource(draw: st.DrawFn, name: str) -> Resource:
    hexadecimal = st.text(HEX, min_size=12, max_size=24).map("0".__add__)
    ids = draw(st.sampled_from([st.integers(0, 10**9).map(str), st.uuids().map(str), hexadecimal]))
    texts: list[st.SearchStrategy[str]] = [
        st.integers(-5, 1000).map(str), st.sampled_from(["true", "false"]), st.text("ab é,&=+%/", max_size=6),
        st.sampled_from(["new", "old"]),
    ]  # fmt: skip
    queries = {key: draw(st.sampled_from(texts)) for key in ("limit", "sort", "verbose", "q") if draw(st.booleans())}
    return Resource(name, ids, objects(draw, 2), queries)


def _sample(draw: st.DrawFn, base: str, resource: Resource) -> Sample:
    collection, thing = f"{base}/{resource.name}", resource.things
    method = draw(st.sampled_from(["GET", "GET", "LIST", "POST", "PUT", "DELETE"]))
    if method == "LIST":
        pairs = [(key, draw(value)) for key, value in resource.queries.items() if draw(st.booleans())]
        query = f"?{urlencode(pairs)}" if pairs else ""
        listed = draw(st.lists(thing, max_size=3))
        body: JsonValue = {"items": listed, "total": len(listed)} if draw(st.booleans()) else listed
        return Sample(f"{collection}{query}", response_body=_json(body))
    if method == "POST":
        return Sample(collection, "POST", {"X-Tenant": "acme"}, _json(draw(thing)), _json(draw(thing)), 201)
    url = f"{collection}/{quote(draw(resource.ids))}"
    if method == "DELETE":
        return Sample(url, "DELETE", status=204)
    sent = _json(draw(thing)) if method == "PUT" else ""
    if draw(st.integers(0, 3)) == 0:
        error: JsonObject = {"code": draw(st.integers(1, 9)), "message": "no"}
        return Sample(url, method, request_body=sent, response_body=_json(error), status=404)
    return Sample(url, method, request_body=sent, response_body=_json(draw(thing)))


def _json(value: JsonValue) -> str:
    return dumps(value).decode()
