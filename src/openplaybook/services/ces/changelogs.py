"""Changelogs: get and list."""

from collections.abc import Mapping
from typing import ClassVar

from openplaybook.services.ces import kinds
from openplaybook.services.collection import Collection
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Record
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import UnaryHandler


class _Entries(Collection):
    """Entries as they are shown, numbered in the order in which they were stored: no two are alike."""

    def message_of(self, record: Record) -> ApiMessage:
        """The entry in a record."""
        entry = super().message_of(record)
        entry.sequence_number = record.position
        return entry


class Changelogs(ResourceService):
    """The changes of an app, oldest first where the request orders nothing else."""

    filter_aliases: ClassVar[Mapping[str, str]] = {"resource_name": "resource"}

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(kinds.CHANGELOG, parts, parent=kinds.APP)
        self.records = _Entries(kinds.CHANGELOG, parts)

    def methods(self) -> Mapping[str, UnaryHandler]:
        """Handlers by the RPC's name."""
        return {"GetChangelog": self.get, "ListChangelogs": self.list}
