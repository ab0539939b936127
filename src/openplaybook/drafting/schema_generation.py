"""The whole way: samples, words and a schema in, a schema and remarks out."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.yaml_output import to_yaml
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.errors import NothingToGoOn, UnusableSchema
from openplaybook.drafting.sample_merge import absorbed
from openplaybook.drafting.samples import ApiExchange, Sample, read_samples
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.tools.openapi.description.source_text import load_document

MAX_SCHEMA_BYTES = 5_000_000
"""Of the schema to merge into."""

_ORDER = ("openapi", "info", "servers", "security", "tags", "paths", "components")


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a schema is wanted for."""

    samples: Sequence[Sample] = ()
    words: str = ""
    """What the API does."""
    schema: str = ""
    """A schema to merge into, YAML or JSON; empty for a new one."""


@dataclass(frozen=True, slots=True)
class GeneratedSchema:
    """A schema that was written."""

    schema: str
    """OpenAPI 3, YAML."""
    used_model: bool
    remarks: Sequence[str]


def generate(assignment: Assignment) -> GeneratedSchema:
    """The schema that the samples alone show. Raises `GenerationError`."""
    exchanges, document = read(assignment)
    if not exchanges:
        raise NothingToGoOn(
            "there is nothing to start from: give samples, or words and a model other than offline to write from them"
        )
    remarks = remarks_on(assignment)
    inferred = entitled(absorbed(document, exchanges, remarks), document, assignment.words)
    return GeneratedSchema(to_yaml(inferred), False, remarks.sentences)


def read(assignment: Assignment) -> tuple[list[ApiExchange], JsonObject | None]:
    """The exchanges, and the document to merge into; None when there is none. Raises `GenerationError`."""
    return read_samples(assignment.samples), _document(assignment.schema) if assignment.schema.strip() else None


def _document(text: str) -> JsonObject:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_SCHEMA_BYTES:
        raise UnusableSchema(f"the schema is longer than {MAX_SCHEMA_BYTES:,} bytes")
    try:
        root = load_document(text).root
    except UnreadableDocument as error:
        raise UnusableSchema(f"the schema cannot be merged into: {error}") from error
    if "openapi" not in root:
        raise UnusableSchema("the schema cannot be merged into: it is OpenAPI 2.0; convert it to OpenAPI 3 first")
    # Written out and read again, so that what YAML aliases share is shared no more: each place is widened by itself.
    written = dumps(dict(root))
    if len(written) > 4 * MAX_SCHEMA_BYTES:
        raise UnusableSchema("the schema cannot be merged into: its aliases stand for too much")
    return as_object(loads(written))


def remarks_on(assignment: Assignment) -> Remarks:
    """Remarks on what merging itself loses."""
    remarks = Remarks()
    lines = assignment.schema.splitlines() if assignment.schema.lstrip()[:1] != "{" else []
    if any(line.lstrip().startswith("#") or " #" in line for line in lines):
        remarks.add("The comments of the schema are not kept, because its YAML is rewritten.")
    return remarks


def entitled(document: JsonObject, before: JsonObject | None, words: str) -> JsonObject:
    """The document with the caller's words where a new one has room for them."""
    if before is not None:
        return document
    document = in_usual_order(document)
    text = " ".join(words.split())
    if text:
        operations = [operation for item in document["paths"].values() for operation in _operations(as_object(item))]
        if len(operations) == 1:
            operations[0]["description"] = text[:1_000]
        else:
            document["info"]["description"] = text[:1_000]
    return document


def _operations(item: JsonObject) -> list[JsonObject]:
    return [as_object(operation) for operation in item.values() if isinstance(operation, dict)]


def in_usual_order(document: JsonObject) -> JsonObject:
    """The members of a new document in the order in which people expect them."""
    known: JsonObject = {key: document[key] for key in _ORDER if key in document}
    return {**known, **document}
