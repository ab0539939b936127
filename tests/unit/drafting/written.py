"""What the tests of this folder write schemas with."""

from collections.abc import Sequence

from openplaybook.drafting.samples import Sample
from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema, generate
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from openplaybook.tools.openapi.description.source_text import load_document

API = "https://api.shop.example/v1"


def got(path: str, answer: JsonValue = None, status: int = 200, /, **headers: str) -> Sample:
    """A GET below the API's address, and its answer; in header names `_` stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Sample(f"{API}{path}", "GET", named, "", _body(answer), status)


def sent(method: str, path: str, body: JsonValue = None, answer: JsonValue = None, status: int = 200) -> Sample:
    """A request with a JSON body."""
    return Sample(f"{API}{path}", method, {}, _body(body), _body(answer), status)


def _body(value: JsonValue) -> str:
    return "" if value is None else dumps(value).decode()


def made(samples: Sequence[Sample], schema: str = "", words: str = "") -> GeneratedSchema:
    """The schema of the samples only."""
    return generate(Assignment(samples, words, schema))


def read(schema: str) -> JsonObject:
    """A schema as plain values."""
    return as_object(loads(dumps(dict(load_document(schema).root))))


def document(samples: Sequence[Sample], schema: str = "") -> JsonObject:
    """The schema of the samples only, as plain values."""
    return read(made(samples, schema).schema)
