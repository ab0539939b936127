"""Files read in child processes: one that would cost too much, or ends its parser, is refused, and the rest goes on.

Small files share a job. Where the child dies under a job, its files are read one by one, so that one bears the blame.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from openplaybook.jsonvalues import as_list, dumps, loads
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import (
    ExtractedDocument,
    ExtractionLimits,
    ExtractionOptions,
    SourceFile,
)
from openplaybook.retrieval.extraction.extraction_child import task
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkTimedOut

_MB: Final = 1_000_000
_MIB: Final = 1024 * 1024
_BATCH_FILES: Final = 16
_BATCH_BYTES: Final = 4 * _MB
"""Files that are read by one job, and their bytes together; a larger one has a job of its own."""
_CHILDREN: Final = 2
_CLOCK: Final = 3.0
"""How much more time a file has on the clock than on a processor: others compute too."""
_PATIENCE_S: Final = 300.0
"""How long a job waits for a child: ingestion is in no hurry."""
_MAX_ANSWER: Final = 128 * _MIB
_GROWN: Final = 400 * _MIB
"""Bytes in use from which on a child is replaced: the libraries alone take some 150."""

_LIMITS: Final = ExtractionLimits()
_OPTIONS: Final = ExtractionOptions()

Extraction: TypeAlias = ExtractedDocument | InvalidSource
"""What came of a file: its text, or why there is none."""


def extract(
    data: bytes,
    media_type: str,
    name: str,
    options: ExtractionOptions = _OPTIONS,
    limits: ExtractionLimits = _LIMITS,
) -> ExtractedDocument:
    """The text of a file. Blocks: for a thread of a lane, or a command.

    `media_type` is as it was declared, or empty. Raises `InvalidSource`, and `WorkersBusy` or `WorkTimedOut` when too
    much waits to be read.
    """
    (found,) = extract_all([SourceFile(name, data, media_type, options)], limits)
    if isinstance(found, InvalidSource):
        raise found
    return found


def extract_all(sources: Sequence[SourceFile], limits: ExtractionLimits = _LIMITS) -> list[Extraction]:
    """The texts of some files in their order, and an error in place of each that cannot be read. Blocks.

    Raises `WorkersBusy` or `WorkTimedOut` when too much waits to be read.
    """
    return [found for batch in _batches(sources) for found in _read_batch(batch, limits)]


def _batches(sources: Sequence[SourceFile]) -> Iterator[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for source in sources:
        if batch and (len(batch) >= _BATCH_FILES or size + len(source.data) > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += len(source.data)
    if batch:
        yield batch


def _read_batch(batch: Sequence[SourceFile], limits: ExtractionLimits) -> list[Extraction]:
    fit = [source for source in batch if len(source.data) <= limits.max_binary]
    found = iter(_read_fitting(fit, limits))
    refusal = f"it has more than {limits.max_binary / _MB:g} MB"
    return [next(found) if len(source.data) <= limits.max_binary else InvalidSource(refusal) for source in batch]


def _read_fitting(batch: Sequence[SourceFile], limits: ExtractionLimits) -> list[Extraction]:
    if not batch:
        return []
    seconds = limits.time_for(sum(len(source.data) for source in batch))
    try:
        return _answers(batch, limits, seconds)
    except WorkTimedOut as error:
        if not error.was_begun:
            raise
        refusal = f"reading it takes more than {seconds} s"
    except WorkEnded as error:
        refusal = f"reading it takes more than {seconds} s"
        if error.ending is not ExitReason.PROCESSOR_TIME:
            refusal = f"reading it ends the parser, which may take {limits.memory // _MIB:,} MB of memory"
    if len(batch) == 1:
        return [InvalidSource(refusal)]
    return [found for source in batch for found in _read_fitting([source], limits)]


def _answers(batch: Sequence[SourceFile], limits: ExtractionLimits, seconds: int) -> list[Extraction]:
    files = [
        {
            "name": source.name,
            "media_type": source.media_type,
            "size": len(source.data),
            "options": source.options.to_json(),
        }
        for source in batch
    ]
    order = dumps({"limits": limits.to_json(), "files": files}) + b"\n"
    answer = _children(limits.memory).run(
        [order, *(source.data for source in batch)],
        seconds=seconds * _CLOCK,
        patience=_PATIENCE_S,
        processor_seconds=seconds,
    )
    return [
        ExtractedDocument.from_json(found["document"]) if "document" in found else InvalidSource(found["refusal"])
        for found in as_list(loads(answer))
    ]


@lru_cache(4)
def _children(memory: int) -> ChildProcesses:
    name = f"{task.__module__}:{task.__name__}"
    return ChildProcesses(name, most=_CHILDREN, memory=memory, waiting=64, grown=_GROWN, max_answer=_MAX_ANSWER)
