"""Names of what a conversion makes."""

import re

APP = "projects/-/locations/-/apps/-"
"""The app, wherever it is going to be: whoever reads the package gives it a name."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


def function_name(display_name: str) -> str:
    """A display name in the form that names of tools have: letters, digits and `_`, no digit in front."""
    name = _ILLEGAL.sub("_", display_name).strip("_") or "tool"
    return f"_{name}" if name[0].isdigit() else name


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
