"""Schemas as the validator compiles them."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.expansion import MAX_EXPANSION, ValidationCost
from openplaybook.tools.schema.patterns import options, with_few_patterns

Compiled: TypeAlias = jsonschema_rs.Draft202012Validator
Formats: TypeAlias = Mapping[str, Callable[[str], bool]]


def compile_schema(
    schema: JsonObject, formats: Formats | None, found: ValidationCost, *, patient: bool = False
) -> Compiled:
    """What judges values by a schema of which `found` is known; raises `InvalidSchema`.

    Without `formats` none is checked. `patient`: its patterns may take long, since nobody else waits.
    """
    if found.expands_too_far:
        raise InvalidSchema(f"refers to more than {MAX_EXPANSION:,} schemas in place of one")
    try:
        return jsonschema_rs.Draft202012Validator(
            with_few_patterns(schema),
            offline=True,
            pattern_options=options(patient=patient),
            validate_formats=formats is not None,
            formats=dict(formats) if formats is not None else None,
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        first_line = str(error).partition("\n")[0]
        raise InvalidSchema(first_line[:300] or "not a JSON Schema") from error
