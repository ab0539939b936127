"""How far an import is: counts, the first faults and the place in the source, in a form that outlives the process."""

from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import SourceFault, SourcePlace

FORM = 1
"""Of the stored progress, and of all that stands beside it in the note of an operation; a change of their members has
the next number."""

MOST_FAULTS = 100
"""Faults that are told one by one; more are only counted."""
_LONGEST_WHERE, _LONGEST_MESSAGE = 2_048, 1_000
"""Characters of one: a source may have names of any length, and what is told is stored after each batch."""


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """What an import has done by now."""

    place: SourcePlace = field(default_factory=SourcePlace)
    put: int = 0
    """Documents that were new or changed."""
    unchanged: int = 0
    """Documents that the store had already as they are."""
    failed: int = 0
    deleted: int = 0
    """Documents that the source no longer has."""
    questions: int = 0
    """Of the documents that were put: questions with their answers."""
    total: int = 0
    """Items of the source, where it is known how many there are; else 0."""
    faults: tuple[SourceFault, ...] = field(default=())

    @property
    def succeeded(self) -> int:
        """Documents of the source that are in the store."""
        return self.put + self.unchanged

    def with_faults(self, *faults: SourceFault) -> "ImportProgress":
        """The same with more that went wrong."""
        told = (*self.faults, *map(_shortened, faults[: MOST_FAULTS - len(self.faults)]))
        return replace(self, failed=self.failed + len(faults), faults=told)


def _shortened(fault: SourceFault) -> SourceFault:
    where, message = fault.where, fault.message
    if len(where) <= _LONGEST_WHERE and len(message) <= _LONGEST_MESSAGE:
        return fault
    return SourceFault(_cut(where, _LONGEST_WHERE), _cut(message, _LONGEST_MESSAGE), fault.code)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def progress_to_json(progress: ImportProgress) -> JsonObject:
    """The progress as it is stored."""
    return {
        "form": FORM,
        "part": progress.place.part,
        "item": progress.place.item,
        "put": progress.put,
        "unchanged": progress.unchanged,
        "failed": progress.failed,
        "deleted": progress.deleted,
        "questions": progress.questions,
        "total": progress.total,
        "faults": [{"where": fault.where, "message": fault.message, "code": fault.code} for fault in progress.faults],
    }


def progress_from_json(stored: JsonObject) -> ImportProgress:
    """The progress that was stored. Raises `InvalidSource` for one of another form."""
    if stored.get("form") != FORM:
        raise InvalidSource(f"the import was begun by another version of the server (form {stored.get('form')!r})")
    faults = [as_object(fault) for fault in as_list(stored["faults"])]
    return ImportProgress(
        place=SourcePlace(stored["part"], stored["item"]),
        put=stored["put"],
        unchanged=stored["unchanged"],
        failed=stored["failed"],
        deleted=stored["deleted"],
        questions=stored["questions"],
        total=stored["total"],
        faults=tuple(SourceFault(fault["where"], fault["message"], fault["code"]) for fault in faults),
    )
