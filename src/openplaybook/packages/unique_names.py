"""Names made unique: display names that several resources of a package have, though only one can have it here, and
names of what a conversion makes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from openplaybook.packages.errors import DuplicateName


def refuse_equal_ids(ids: Iterable[tuple[str, str]]) -> None:
    """Raise `DuplicateName` where two of the (file, id) have one id."""
    files: dict[str, str] = {}
    for file, resource_id in ids:
        if resource_id in files:
            raise DuplicateName(file, f"has the name of {files[resource_id]}: {resource_id}")
        files[resource_id] = file


def distinct_names(called: Sequence[tuple[str, str]], tell: Callable[[str, str], None]) -> Iterator[str]:
    """A display name for each (file, display name), in order: the first of several equal ones keeps it, the others get
    a number behind it, of which `tell` is given the file and a sentence.

    References by that display name mean the first.
    """
    taken = {name for _, name in called}
    first: dict[str, str] = {}
    numbers: Counter[str] = Counter()
    for file, name in called:
        if not name or first.setdefault(name, file) == file:
            yield name
            continue
        fresh = name
        while fresh in taken:
            numbers[name] += 1
            fresh = f"{name} ({numbers[name] + 1})"
        taken.add(fresh)
        tell(file, f"has the displayName of {first[name]}: {name}; it is imported as {fresh!r}")
        yield fresh


class UniqueNames:
    """Gives each thing a name that no other has."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """The name that is wanted, with a number behind it where it is taken."""
        name, number = wanted, 1
        while name.casefold() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.casefold())
        return name
