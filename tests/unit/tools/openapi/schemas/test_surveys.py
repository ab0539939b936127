"""What stands in a schema and in all that it needs."""

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.surveys import Survey, Surveys, survey
from openplaybook.tools.schema.dialect import Direction

SOURCE: JsonObject = {"x-agent-input-parameter": "here"}
ROOT: JsonObject = {
    "components": {
        "schemas": {
            "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
            "B": {"items": {"$ref": "#/components/schemas/A"}, **SOURCE},
            "C": {"default": 1},
            "D": {},
        }
    }
}


def whole(*names: str) -> Survey:
    definitions = Definitions(ROOT, Direction.INPUT)
    schema, _ = definitions.convert({"allOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]})
    surveys = Surveys(definitions)
    assert surveys.of(schema) is surveys.of(schema)
    return surveys.of(schema)


def test_a_schema_is_looked_into_at_any_depth() -> None:
    schema: JsonObject = {"items": [{"properties": {"a": {"default": None, **SOURCE}}}, {"$ref": "#/$defs/A"}]}
    assert survey(schema) == Survey(("here",), True, ("A",))
    assert survey({}) == Survey((), False, ())


def test_definitions_that_need_each_other_are_looked_into_once() -> None:
    assert whole("A") == Survey(("here",), False, ("A", "B"))
    assert whole("C", "D") == Survey((), True, ("C", "D"))
    assert whole("D") == Survey((), False, ("D",))


@given(st.recursive(st.just(0), lambda inner: st.lists(inner, max_size=3) | st.fixed_dictionaries({"k": inner})))
def test_what_stands_nowhere_is_not_found(value: object) -> None:
    assert survey({"x": value}) == Survey((), False, ())


NAMES = [f"s{number}" for number in range(6)]
GRAPHS = st.fixed_dictionaries(
    {
        name: st.tuples(st.lists(st.sampled_from(NAMES), max_size=3), st.sampled_from(["", "", "", "d", "s"]))
        for name in NAMES
    }
)


@given(GRAPHS, st.permutations(NAMES))
def test_what_is_filled_in_is_found_however_definitions_need_each_other(
    graph: dict[str, tuple[list[str], str]], order: list[str]
) -> None:
    schemas: JsonObject = {
        name: {
            "allOf": [{"$ref": f"#/components/schemas/{other}"} for other in needed],
            **({"default": 1} if mark == "d" else {}),
            **(SOURCE if mark == "s" else {}),
        }
        for name, (needed, mark) in graph.items()
    }
    definitions = Definitions({"components": {"schemas": schemas}}, Direction.INPUT)
    surveys = Surveys(definitions)
    for name in order:
        schema, _ = definitions.convert({"items": {"$ref": f"#/components/schemas/{name}"}})
        found = Surveys(definitions).of(schema)
        assert surveys.sources(schema) == found.sources
        assert surveys.is_filled(schema) == (found.has_default or bool(found.sources))
