"""One value that fits a JSON Schema, the same in every run."""

import zlib

import jsonschema_rs
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.schema_values import Draw, drawn


def made_value(schema: JsonObject, label: str) -> JsonValue:
    """A value for `schema`, whose references lead to its own `$defs`; another one for another `label`.

    An `AssertionError` where none was found.
    """
    found: list[JsonValue] = []
    is_valid = jsonschema_rs.Draft202012Validator(schema).is_valid

    # A strategy that took the schema would write all of it out for its own description.
    @st.composite
    def fitting(draw: Draw) -> JsonValue:
        return drawn(draw, schema)

    @seed(zlib.crc32(label.encode()))
    @settings(
        max_examples=1,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
    )
    @given(fitting())
    def collect(value: JsonValue) -> None:
        assume(is_valid(value))
        found.append(value)

    collect()
    assert found != [], label
    return found[0]
