"""A system under test: how it is started, prepared and asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the peers are."""

    model: str
    """Base URL of the model server."""
    pets: str
    """Base URL of the API behind the tool."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a server is started."""

    arguments: Sequence[str]
    environment: Mapping[str, str]


class System(Protocol):
    """One column of the results."""

    @property
    def name(self) -> str:
        """Short name, for choosing it."""
        ...

    @property
    def title(self) -> str:
        """Name and version, for the table."""
        ...

    @property
    def ready_path(self) -> str:
        """Answers 200 once the server is up."""
        ...

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        """How to start the server; `folder` is empty and its own."""
        ...

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        """Make the agent."""
        ...

    async def session(self, connection: Connection) -> str:
        """A new session, made outside the time that is measured."""
        ...

    def turn(self, session: str, text: str) -> tuple[str, JsonObject]:
        """Path and body of the POST that says `text`."""
        ...

    def said(self, answer: JsonValue) -> str:
        """What the agent said, from the answer to a turn."""
        ...
