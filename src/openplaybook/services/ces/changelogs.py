"""Changelogs: get and list."""

from collections.abc import Mapping
from typing import ClassVar

from openplaybook.services.collection import Collection
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, APP_CHANGELOG
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Record
from openplaybook.wire.messages import ApiMessage


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
        super().__init__(APP_CHANGELOG, parts, parent=APP)
        self.records = _Entries(APP_CHANGELOG, parts)
