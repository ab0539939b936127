"""A schema to merge into may be damaged anywhere: it is merged into as far as it goes, or refused with a sentence."""

from copy import deepcopy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.drafting.errors import UnusableSchema
from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.openapi.description.source_text import load_document
from tests.kit.thoroughness import examples
from tests.unit.drafting.written import API, got, made, read, sent

SAMPLES = [
    Sample(f"{API}/pets?limit=2&tags=a,b&filter[x]=1", headers={"X-Tenant": "a", "X-Api-Key": "k"}, response_body="[]"),
    got("/pets/3", {"id": 3, "owner": {"name": "Kim", "age": 3}}),
    got("/pets/3", {"code": 1, "message": "no"}, 404),
    sent("PUT", "/pets/3", {"name": "Rex"}, {"id": 3, "owner": None}),
]
WHOLE = read(made(SAMPLES).schema)
JUNK: st.SearchStrategy[JsonValue] = st.sampled_from(
    [
        None,
        3,
        True,
        "text",
        "",
        [],
        [None],
        [3],
        {},
        {"a": None},
        {"$ref": "#/paths"},
        {"$ref": 3},
        {"$ref": "x.yaml#/a"},
    ]
)


def places(value: JsonValue) -> list[tuple[str | int, ...]]:
    """The paths of all values within a value."""
    if isinstance(value, dict):
        members = as_object(value).items()
        return [(key, *rest) for key, item in members for rest in [(), *places(item)]]
    return [(at, *rest) for at, item in enumerate(as_list(value)) for rest in [(), *places(item)]]


PLACES = [place for place in places(WHOLE) if place != ("openapi",)]


def damaged(place: tuple[str | int, ...], junk: JsonValue) -> JsonObject:
    root = deepcopy(WHOLE)
    holder: JsonValue = root
    for part in place[:-1]:
        holder = holder[part]
    holder[place[-1]] = junk
    return root


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PLACES), JUNK)
def test_samples_go_into_what_is_left(place: tuple[str | int, ...], junk: JsonValue) -> None:
    text = dumps(damaged(place, junk)).decode()
    try:
        once = made(SAMPLES, text)
    except UnusableSchema:
        return
    assert made(SAMPLES, once.schema).schema == once.schema
    assert load_document(once.schema).root["openapi"] == "3.0.3"
