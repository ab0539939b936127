"""Differences between our judgement and another author's that are known and explained, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from openplaybook.jsonvalues import loads

_FOLDER = Path(__file__).parents[1] / "fixtures" / "openapi_corpus"


@dataclass(frozen=True, slots=True)
class Explained:
    """One difference, or several of one cause."""

    document: str
    """Id in the corpus."""
    operation: str
    """`GET /pets/{id}`; `*` for all of the document."""
    says: str
    """Part of what is said of it."""
    reason: str
    """Why it is no fault of ours."""

    def covers(self, document: str, operation: str, message: str) -> bool:
        """Whether this explains a difference."""
        is_operation = self.operation in ("*", operation)
        return fnmatchcase(document, self.document) and is_operation and self.says in message


def explained(name: str) -> Sequence[Explained]:
    """The list `NAME.json` among the fixtures."""
    return [Explained(**each) for each in loads((_FOLDER / f"{name}.json").read_bytes())]
