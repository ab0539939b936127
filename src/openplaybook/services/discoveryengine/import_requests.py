"""From `ImportDocumentsRequest` to what is imported, in a form that outlives the process."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from openplaybook.buckets.errors import BucketError
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import DocumentSource, SourceFault, SourcePlace
from openplaybook.retrieval.ingestion.document_reader import DocumentReader
from openplaybook.retrieval.ingestion.file_source import FileForm, FileSource, NamedFile
from openplaybook.retrieval.ingestion.form_source import FormSource
from openplaybook.retrieval.ingestion.partial_forms import MEMBERS, PartialForms
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.services.bucket_objects import Buckets
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

FULL = 2
"""`ReconciliationMode.FULL`."""
MOST_URIS = 100
"""That one request names."""
MOST_FILES = 100_000

_OTHER_SOURCES = (
    "bigquery_source",
    "fhir_store_source",
    "spanner_source",
    "cloud_sql_source",
    "firestore_source",
    "alloy_db_source",
    "bigtable_source",
)
_WITH_IDS = (FileForm.CUSTOM, FileForm.CSV)


@dataclass(frozen=True, slots=True)
class ImportTask:
    """One import."""

    store: str
    form: FileForm | None
    """Of its files; None where the documents came with the request."""
    is_full: bool = False
    is_forced: bool = False
    id_field: str = ""
    total: int = 0
    """Documents or files, where each is one; else 0."""
    errors: str = ""
    """`gs://BUCKET/PREFIX` below which all faults are written; empty: they are not."""
    members: tuple[str, ...] = ()
    """Of the documents, those that are taken; none: all."""
    payload_bytes: int = 0
    """Of what came with the request, and is kept until the import ends."""

    @property
    def payload_documents(self) -> int:
        """Documents that came with the request."""
        return 0 if self.form else self.total

    def to_json(self) -> JsonObject:
        """Its stored form."""
        return {
            "store": self.store,
            "files": self.form.value if self.form else "",
            "isFull": self.is_full,
            "isForced": self.is_forced,
            "idField": self.id_field,
            "total": self.total,
            "errors": self.errors,
            "members": list(self.members),
            "payloadBytes": self.payload_bytes,
        }


def task_of(stored: JsonObject) -> ImportTask:
    """The import of its stored form."""
    form = FileForm(stored["files"]) if stored["files"] else None
    return ImportTask(
        stored["store"],
        form,
        stored["isFull"],
        stored["isForced"],
        stored["idField"],
        int(stored["total"]),
        str(stored.get("errors", "")),
        tuple(map(str, as_list(stored.get("members")))),
        int(stored.get("payloadBytes", 0)),
    )


async def read_import(request: ApiMessage, store: str, parts: ServiceParts) -> tuple[ImportTask, bytes]:
    """What a request asks for, and its payload: the documents, or the URIs of the files. Raises `RpcError`."""
    for name in _OTHER_SOURCES:
        if request.HasField(name):
            raise unimplemented(f"{name} is not served; use inline_source or gcs_source")
    task = ImportTask(
        store,
        None,
        is_full=request.reconciliation_mode == FULL,
        is_forced=request.force_refresh_content,
        id_field=request.id_field,
        errors=_errors(request, parts.buckets),
        members=_members(request),
    )
    if request.HasField("inline_source"):
        if task.id_field or request.auto_generate_ids:
            raise invalid(("id_field", "is for files of custom records and CSV alone"))
        found = await parts.json_of(request.inline_source)
        size = request.inline_source.ByteSize()
        payload = await done_aside(lambda: dumps(found.get("documents", [])), size)
        return replace(task, total=len(request.inline_source.documents)), payload
    if request.HasField("gcs_source"):
        return await _of_files(request, task, parts.buckets)
    raise invalid(("source", "is required: inline_source or gcs_source"))


def _errors(request: ApiMessage, buckets: Buckets) -> str:
    """Where faults are written. Raises INVALID_ARGUMENT, and FAILED_PRECONDITION for a bucket that is not known."""
    prefix = str(request.error_config.gcs_prefix).rstrip("/")
    if request.HasField("error_config"):
        buckets.object(f"{prefix}/errors", where="error_config.gcs_prefix")
    return prefix


def _members(request: ApiMessage) -> tuple[str, ...]:
    """The members of `update_mask`, in JSON's spelling; none where it names none, or all. Raises INVALID_ARGUMENT."""
    names = {name.replace("_", "").lower(): name for name in MEMBERS}
    paths = [path for path in request.update_mask.paths if path != "*"]
    if len(paths) < len(request.update_mask.paths):
        return ()
    unknown = [path for path in paths if path.replace("_", "").lower() not in names]
    if unknown:
        raise invalid(("update_mask", f"{unknown[0]!r:.100} is none of {', '.join(MEMBERS)}"))
    source = request.gcs_source
    if paths and request.HasField("gcs_source") and source.data_schema not in ("", FileForm.DOCUMENT.value):
        raise unimplemented(f"update_mask is not served for data_schema {source.data_schema}; use document")
    return tuple(dict.fromkeys(names[path.replace("_", "").lower()] for path in paths))


async def _of_files(request: ApiMessage, task: ImportTask, buckets: Buckets) -> tuple[ImportTask, bytes]:
    source = request.gcs_source
    try:
        form = FileForm(source.data_schema or FileForm.DOCUMENT.value)
    except ValueError:
        allowed = ", ".join(each.value for each in FileForm)
        raise invalid(("gcs_source.data_schema", f"{source.data_schema!r} is none of {allowed}")) from None
    if (task.id_field or request.auto_generate_ids) and form not in _WITH_IDS:
        raise invalid(("id_field", "is for files of custom records and CSV alone"))
    if task.id_field and request.auto_generate_ids:
        raise invalid(("id_field", "must be empty where ids are generated"))
    if not 0 < len(source.input_uris) <= MOST_URIS:
        raise invalid(("gcs_source.input_uris", f"are {len(source.input_uris)}; 1 to {MOST_URIS} can be given"))
    uris: dict[str, None] = {}
    for index, uri in enumerate(source.input_uris):
        place = f"gcs_source.input_uris[{index}]"
        found = await buckets.matching(uri, where=place)
        if not found:
            raise invalid((place, f"no object matches {uri}"))
        uris.update(dict.fromkeys(found))
    if len(uris) > MOST_FILES:
        raise invalid(("gcs_source.input_uris", f"mean {len(uris)} files; {MOST_FILES} can be imported at once"))
    total = len(uris) if form is FileForm.CONTENT else 0
    return replace(task, form=form, total=total), dumps([*uris])


def source_of(
    task: ImportTask, payload: bytes, reading: StoreReading, buckets: Buckets, engine: SearchEngine
) -> DocumentSource:
    """The source of an import into an engine. Blocks while a large payload is read."""
    merge = PartialForms(engine, task.store, task.members).merged if task.members else None
    reader, load = DocumentReader(), partial(content_of, buckets)
    given = as_list(loads(payload))
    if task.form is None:
        documents: Sequence[JsonObject] = [as_object(document) for document in given]
        return FormSource(documents, reader, reading, load, "inline_source.documents, number", merge)
    files = [NamedFile(str(uri), partial(_opened, buckets, str(uri))) for uri in given]
    return FileSource(files, task.form, reader, reading, load, task.id_field, merge=merge)


async def write_faults(
    task: ImportTask, operation: str, buckets: Buckets, end: SourcePlace, faults: Sequence[SourceFault]
) -> None:
    """Write what went wrong in one batch into an object of its own, a `google.rpc.Status` a line. Raises `BucketError`.

    Written again after an interruption, it takes its own place.
    """
    name = f"errors-{operation.rpartition('/')[2]}-{end.part}-{end.item}.jsonl"
    found = buckets.object(f"{task.errors}/{name}", where="error_config.gcs_prefix")
    await found.bucket.write(found.name, b"".join(dumps(status_of(fault)) + b"\n" for fault in faults))


def status_of(fault: SourceFault) -> JsonObject:
    """A fault as a `google.rpc.Status`."""
    return {"code": int(Code[fault.code]), "message": f"{fault.where}: {fault.message}"}


async def content_of(buckets: Buckets, uri: str) -> bytes:
    """The contents of a document that lie in a bucket. Raises `InvalidSource`."""
    async with _opened(buckets, uri) as content:
        return content


@asynccontextmanager
async def _opened(buckets: Buckets, uri: str) -> AsyncGenerator[bytes]:
    try:
        found = buckets.object(uri, where="content.uri")
        content = await found.bucket.read(found.name)
    except (RpcError, BucketError) as error:
        raise InvalidSource(error.message) from error
    yield content
