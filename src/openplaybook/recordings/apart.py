"""Writing long recordings in a process of its own: YAML is written character by character, and nothing else runs
meanwhile."""

from openplaybook.jsonvalues import dumps, is_large, loads
from openplaybook.recordings.form import Recording
from openplaybook.recordings.recording_yaml import document_of, yaml_of
from openplaybook.workers.child_processes import ChildProcesses

_MIB = 1024 * 1024
_AT_ONCE = 50_000
"""Characters that are written where they are met."""
_SECONDS = 20.0

WRITERS = ChildProcesses(f"{__name__}:write", most=1, memory=1024 * _MIB)
"""Processes that write recordings."""


def write_in_process(recording: Recording) -> str:
    """As `write_recording`; blocks. Raises `WorkError` where a long one takes too long."""
    document = document_of(recording)
    if not is_large(document, _AT_ONCE):
        return yaml_of(document)
    return WRITERS.run(dumps(document), seconds=_SECONDS).decode()


def write(job: bytearray) -> bytes:
    """What a process does."""
    return yaml_of(loads(memoryview(job))).encode()
