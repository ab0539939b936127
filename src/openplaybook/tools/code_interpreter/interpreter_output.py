"""What a call of the code interpreter gives, in Google's shape."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import CodeFile, Execution
from openplaybook.tools.base import Files, Success
from openplaybook.tools.code_interpreter.arguments import OUTPUT
from openplaybook.tools.file_types import media_type

NO_FILE: JsonObject = {"name": "", "contents": ""}
"""What stands in the list of files when there is none, as in Google's documentation; readers take an empty list too."""

OUTPUT_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        OUTPUT: {
            "type": "object",
            "properties": {
                "execution_result": {"type": "string", "description": "What the code printed."},
                "execution_error": {"type": "string", "description": "Empty when the code ran to its end."},
                "output_files": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "contents": {"type": "string"}},
                    },
                },
                "generated_code": {"type": "string"},
            },
        }
    },
}
"""JSON Schema of the output."""

_MAX_STDERR = 2_000


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A program and what came of it."""

    code: str
    execution: Execution | None = None
    """None where it was not run."""
    result: str = ""
    error: str = ""
    """What is told where it was not run."""
    notes: Sequence[str] = field(default=())


async def success(ran: ProgramRun, files: Files | None, notes: Sequence[str] = ()) -> Success:
    """The call's outcome. Files are kept with the conversation and named by their handles; without one, base64."""
    sentences = [*notes, *ran.notes]
    execution = ran.execution
    if execution is None:
        return Success(_output(ran.code, ran.result, ran.error, [NO_FILE]), " ".join(sentences))
    entries = [await _entry(file, files, sentences) for file in execution.files]
    sentences += [f"The file {each.name} is not given back: {each.reason}." for each in execution.skipped]
    if execution.dropped:
        sentences.append(f"{execution.dropped:,} bytes of output were left out.")
    if execution.succeeded and execution.stderr.strip():
        sentences.append(f"The code wrote to stderr: {execution.stderr.strip()[-_MAX_STDERR:]}")
    error = "" if execution.succeeded else execution.error().removesuffix("\n")
    listed = [entry for entry in entries if entry is not None] or [NO_FILE]
    return Success(_output(ran.code, execution.stdout.removesuffix("\n"), error, listed), " ".join(sentences))


def _output(code: str, result: str, error: str, files: Sequence[JsonObject]) -> JsonObject:
    # The result first: what is long is cut at its end for models.
    return {
        OUTPUT: {
            "execution_result": result,
            "execution_error": error,
            "output_files": list(files),
            "generated_code": code,
        }
    }


async def _entry(file: CodeFile, files: Files | None, notes: list[str]) -> JsonObject | None:
    """A file as the output names it; None where it cannot be kept."""
    kind = media_type(file.name, file.data)
    facts: JsonObject = {"name": file.name, "mime_type": kind, "size": len(file.data)}
    if files is None:
        return {**facts, "contents": base64.b64encode(file.data).decode("ascii")}
    try:
        stored = await files.put(file.name, kind, file.data)
    except ValueError as error:
        notes.append(f"The file {file.name} is not given back: {error}.")
        return None
    return {**facts, "contents": stored.handle}
