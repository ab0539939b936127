"""The file beside an index that says of what version it is, and how far it has followed the catalog.

It is written after the index has committed: after a crash between the two, changes are followed once more, which does
no harm, and none is ever left out.
"""

import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.retrieval.catalog.base import ChangeMark
from openplaybook.retrieval.index.passage_entry import LAYOUT_VERSION
from openplaybook.retrieval.language.analysis import ANALYSIS_VERSION

_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class IndexState:
    """Version and mark of an index."""

    version: str
    """Of its fields, of the analysis of languages, and of the engine that wrote the files."""
    mark: ChangeMark
    is_complete: bool
    """Whether it once held all that the catalog had; until then it is being built, and searches wait."""


def current_version() -> str:
    """The version of indexes that are made now."""
    return f"{LAYOUT_VERSION}.{ANALYSIS_VERSION}/{version('tantivy')}"


def read_state(folder: Path) -> IndexState | None:
    """What is known of the index in a folder; None where there is none, or the file cannot be understood."""
    try:
        kept = as_object(loads((folder / _FILE).read_bytes()))
        written, incarnation, sequence = kept["version"], kept["incarnation"], kept["sequence"]
        is_complete = kept["complete"]
    except (OSError, ValueError, KeyError):
        return None
    if not (isinstance(written, str) and isinstance(incarnation, str) and isinstance(sequence, int)):
        return None
    return IndexState(written, ChangeMark(incarnation, sequence), is_complete is True)


def write_state(folder: Path, state: IndexState) -> None:
    """Put a new state in the place of the old one, at once: a reader, also after a crash, has one or the other."""
    text = dumps(
        {
            "version": state.version,
            "incarnation": state.mark.incarnation,
            "sequence": state.mark.sequence,
            "complete": state.is_complete,
        }
    )
    fresh = folder / f"{_FILE}.new"
    with fresh.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, folder / _FILE)
