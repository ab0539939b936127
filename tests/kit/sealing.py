"""A sealer whose key everybody knows, and seals that tell who asked them."""

from dataclasses import dataclass, field

from openplaybook.credentials.base import Unsealer
from openplaybook.credentials.sealer import Sealer

KEY = bytes(range(32))
SEALER = Sealer([KEY])


@dataclass
class AskedSeals:
    """Opens one text, in each place as another one, and remembers the places: every tool asks for its own while it is
    built."""

    built: list[str] = field(default_factory=list[str])
    """Names of the tools that were built."""
    place: str = ""

    def unseal(self, text: str) -> str:
        """What is sealed there."""
        return f"the key of {self.place}" if text == "sealed" else text

    def at(self, place: str) -> Unsealer:
        """For that place."""
        self.built.append(place)
        return AskedSeals(self.built, place)
