"""Samples as a user names them on the command line, and the file a schema goes to."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.cli.errors import CommandError
from openplaybook.drafting.har import UnusableArchive, samples_of
from openplaybook.drafting.samples import MAX_SAMPLES, Sample
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_indented, dumps_line, loads
from openplaybook.tools.openapi.description.source_text import load_document

_STANDARD_INPUT = "-"
_MEMBERS = ("url", "method", "headers", "requestBody", "responseBody", "status")
_BAD_INPUT = 2


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """The options that name samples."""

    url: str
    method: str
    headers: Sequence[str]
    """`NAME:VALUE`."""
    request: str
    """A file, or `-`; empty for no body."""
    response: str
    status: int
    files: Sequence[Path]
    archive: Path | None
    only: str


def read_samples(options: SampleOptions) -> tuple[list[Sample], list[str]]:
    """All samples, and notes on what was left out. Raises `CommandError`."""
    samples = [*_from_options(options), *(each for path in options.files for each in _from_file(path))]
    if options.archive is None:
        return samples, []
    archived, notes = _from_archive(options.archive, options.only, MAX_SAMPLES - len(samples))
    return [*samples, *archived], notes


def text_of(path: Path) -> str:
    """The text of a file. Raises `CommandError`."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise _bad(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _bad(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def write_schema(schema: str, path: Path) -> None:
    """Write the schema, whole or not at all; as JSON where the name ends so. Raises `CommandError`."""
    text = schema
    if path.suffix.lower() == ".json":
        text = dumps_indented(dict(load_document(schema).root)) + "\n"
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            draft.write_text(text, encoding="utf-8")
            if target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error


def _from_options(options: SampleOptions) -> Iterator[Sample]:
    if not options.url:
        if options.request or options.response or options.headers:
            raise _bad("--request, --response and --header describe a request: give its --url")
        return
    if options.request == options.response == _STANDARD_INPUT:
        raise _bad("only one of --request and --response can be read from standard input")
    headers = dict(_header(number, text) for number, text in enumerate(options.headers, start=1))
    yield Sample(options.url, options.method, headers, _body(options.request), _body(options.response), options.status)


def _header(number: int, text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        # It may be a credential without its name, so it is not repeated.
        raise _bad(f"--header number {number} is not NAME:VALUE")
    return name.strip(), value.strip()


def _body(source: str) -> str:
    if source == _STANDARD_INPUT:
        return sys.stdin.read()
    return text_of(Path(source)) if source else ""


def _from_file(path: Path) -> list[Sample]:
    try:
        value: JsonValue = loads(text_of(path))
    except ValueError as error:
        raise _bad(f"{path} is not JSON: {error}") from error
    listed = as_list(value) if isinstance(value, list) else [value]
    return [_sample(each, f"{path}[{at}]" if isinstance(value, list) else str(path)) for at, each in enumerate(listed)]


def _sample(value: JsonValue, where: str) -> Sample:
    members = as_object(value)
    unknown = [key for key in members if key not in _MEMBERS]
    if not members or unknown:
        wrong = f"has {unknown[0]!r}" if unknown else "is not an object"
        raise _bad(f"{where} {wrong}; a sample has {', '.join(_MEMBERS)}")
    status: JsonValue = members.get("status", 200)
    if not isinstance(status, int):
        raise _bad(f"{where}.status is {status!r}; it must be a number such as 200")
    headers = {str(name): str(text) for name, text in as_object(members.get("headers")).items()}
    request, response = _body_text(members, "requestBody"), _body_text(members, "responseBody")
    return Sample(str(members.get("url", "")), str(members.get("method") or "GET"), headers, request, response, status)


def _body_text(sample: JsonObject, key: str) -> str:
    """A body that is text as it is, any other JSON written out."""
    value: JsonValue = sample.get(key)
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps_line(value)


def _from_archive(path: Path, only: str, room: int) -> tuple[list[Sample], list[str]]:
    try:
        samples = samples_of(text_of(path))
    except UnusableArchive as error:
        raise _bad(f"{path}: {error}") from error
    wanted = [each for each in samples if each.url.startswith(only)]
    if not wanted:
        raise _bad(
            f"{path} contains no API requests with responses" + (f" whose URL begins with {only}" if only else "")
        )
    if len(wanted) <= room:
        return wanted, []
    note = f"{path} contains {len(wanted)} requests; only the first {room} were read. Select requests with --only."
    return wanted[:room], [note]


def _bad(message: str) -> CommandError:
    return CommandError(message, exit_code=_BAD_INPUT)
