"""Packages in the store: their resources, each checked against its message, and what they have beyond resources."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.packages.package_secrets import named_secrets
from openplaybook.packages.report import Note, NoteKind
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import ResourceKind
from openplaybook.storage.base import Put, Record
from openplaybook.wire.codec import JsonError

_KIND = "package_rest"
"""Kind of the one record that holds what a package has beyond resources."""


@dataclass(frozen=True, slots=True)
class PackageRest:
    """What a package holds beyond resources."""

    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    more: JsonObject = field(default_factory=dict[str, object])
    """What else its format wants kept, as JSON."""

    @staticmethod
    def name(root: str) -> str:
        """Name of the record of the agent or the app of that name."""
        return f"{root}/package"

    @classmethod
    def among(cls, records: Iterable[Record]) -> "PackageRest":
        """That of an agent or an app, out of all records of it; an empty one where there is none."""
        body = next((body_of(record) for record in records if record.kind == _KIND), None)
        if body is None:
            return cls()
        files = {path: base64.b64decode(text) for path, text in body["files"].items()}
        return cls(files, {key: value for key, value in body.items() if key != "files"})

    def put(self, root: str) -> Put:
        """The change that stores it for the agent or the app of that name, whether there was one or not."""
        files = {path: base64.b64encode(content).decode("ascii") for path, content in self.files.items()}
        return Put(self.name(root), _KIND, root, root, dumps({"files": files, **self.more}))


def put_of(parts: ServiceParts, kind: ResourceKind, resource: JsonObject, *, expect: int = 0, file: str = "") -> Put:
    """The change that stores a resource of a package, its members in their order.

    INVALID_ARGUMENT where it is not what the API says; `file` is the one it was read from.
    """
    collection = Collection(kind, parts)
    message = collection.new()
    try:
        parts.api.codec.from_json(resource, message)
    except JsonError as error:
        raise invalid((file or f"{kind.field} {resource.get('displayName', '')!r}", str(error))) from error
    for moment in ("create_time", "update_time"):
        if collection.has_field(moment) and not message.HasField(moment):
            getattr(message, moment).FromMicroseconds(parts.now_us())
    return collection.put(message, expect=expect, like=resource)


async def unmet(parts: ServiceParts, tools: Iterable[JsonObject]) -> AsyncIterator[Note]:
    """What tools of an agent name and cannot have from this server, as `unmet_by` tells it, by display names."""
    for tool in tools:
        async for note in unmet_by(parts, tool, _after(str(tool.get("displayName")))):
            yield note


async def unmet_by(parts: ServiceParts, tool: JsonObject, place: Callable[[str], str]) -> AsyncIterator[Note]:
    """What a tool, as the toolbox takes it, names and cannot have from this server: versions of secrets, with the
    command that keeps them. `place` says where in the package a JSON path of the tool is."""
    # Tools are many, and what they need is mostly at hand: others have their turn between two of them.
    await asyncio.sleep(0)
    secrets = dict(named_secrets(tool))
    for problem in await parts.toolbox.unmet(tool):
        if problem.path in secrets:
            command = f"openplaybook secrets set {secrets[problem.path]}"
            yield Note(NoteKind.MISSING_SECRET, place(problem.path), problem.message, command)
        else:
            yield Note(NoteKind.PROBLEM, place(problem.path), problem.message)


def _after(display_name: str) -> Callable[[str], str]:
    return lambda path: f"{display_name} {path}"


def body_of(record: Record) -> JsonObject:
    """The resource in a record."""
    return as_object(loads(record.body))
