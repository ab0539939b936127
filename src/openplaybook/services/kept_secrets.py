"""Inline secrets that stay when a package replaces their resource.

Packages hold no secrets. Where one leaves a place for a secret blank, the stored secret stays there, unless the package
would send it elsewhere: a package may come from anybody, and must not be a way to get at secrets.
"""

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.secret_fields import SecretPlace, secret_places
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.package_secrets import missing_secrets
from openplaybook.packages.report import Note, NoteKind
from openplaybook.resources.ces.toolbox_forms import specification
from openplaybook.resources.tool_kinds import KindField, SecretField, tool_kinds
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.tools.base import InvalidTool
from openplaybook.tools.kind_registry import kind_of
from openplaybook.tools.tool_kind import CredentialRoutes, DescribedRoutes

_FREE_OF_AGENTS: Mapping[str, frozenset[str]] = {"gitIntegrationSettings": frozenset({"githubSettings"})}
"""By the member of an agent that leads to a secret: what may change there. Of tools, their kinds say it."""
_HARMLESS = frozenset({"scopes"})
"""What may change next to a secret."""
_ENTRY = re.compile(r"\$\.\w+\.(\w+)\[(\d+)\]")

_Routes: TypeAlias = tuple[CredentialRoutes, CredentialRoutes]
"""Of the stored tool, and of the package's."""
_Key: TypeAlias = tuple[SecretField, str]
"""The field, and the security scheme where there are several."""


@dataclass(frozen=True, slots=True)
class CarriedSecrets:
    """A resource of a package with the secrets that stay."""

    resource: JsonObject
    kept: tuple[str, ...] = ()
    """JSON paths of secrets that stay."""
    dropped: Mapping[str, str] = field(default_factory=dict[str, str])
    """By JSON path of a secret that is stored and does not stay: why."""


class StoredSecrets:
    """Resources of one kind as they are stored before an import."""

    def __init__(self, resources: Iterable[JsonObject], secrets: InlineSecrets) -> None:
        self._secrets = secrets
        self._by_name: dict[str, JsonObject] = {}
        self._by_title: dict[str, list[JsonObject]] = {}
        for resource in resources:
            if any(each.is_secret for each in secret_places(resource)):
                self._by_name[str(resource["name"])] = resource
                self._by_title.setdefault(str(resource.get("displayName")), []).append(resource)

    def into(self, resource: JsonObject, names: frozenset[str] = frozenset()) -> CarriedSecrets:
        """The resource of a package with what stays of the stored one of its name, or else of its display name.

        `names` are those of the whole package: a stored resource that one of them replaces is not another's. Blocks,
        as descriptions may have to be read: not for the event loop.
        """
        if not self._by_name or next(missing_secrets(resource), None) is None:
            return CarriedSecrets(resource)
        before = self._before(resource, names)
        return CarriedSecrets(resource) if before is None else self._carried(before, deepcopy(resource))

    def _before(self, resource: JsonObject, names: frozenset[str]) -> JsonObject | None:
        by_name = self._by_name.get(str(resource.get("name")))
        if by_name is not None:
            return by_name
        by_title = self._by_title.get(str(resource.get("displayName")), [])
        return next((each for each in by_title if each["name"] not in names), None)

    def _carried(self, before: JsonObject, resource: JsonObject) -> CarriedSecrets:
        replacement = _Replacement(before, resource)
        stored = {_key(before, place): place for place in secret_places(before) if place.is_secret}
        kept_paths: list[str] = []
        dropped: dict[str, str] = {}
        for place in missing_secrets(resource):
            old = stored.get(_key(resource, place))
            if old is None:
                continue
            why = replacement.objection(old, place)
            if not why:
                try:
                    moved = self._secrets.moved(str(old.value), str(before["name"]), str(resource["name"]))
                except SealedValueUnreadable:
                    why = "it cannot be opened with this server's master key"
                else:
                    place.holder[place.field.key] = moved
                    kept_paths.append(place.path)
            if why:
                dropped[place.path] = why
        return CarriedSecrets(resource, tuple(kept_paths), dropped)


def notes_on_secrets(notes: Iterable[Note], carried: Mapping[str, CarriedSecrets]) -> list[Note]:
    """The notes of an import without those on secrets that stay, and with why others do not.

    `carried` by the file that a resource was read from, as the notes' places begin.
    """
    kept_places = {f"{file} {path}" for file, each in carried.items() for path in each.kept}
    dropped = {f"{file} {path}": why for file, each in carried.items() for path, why in each.dropped.items()}
    remaining: list[Note] = []
    for note in notes:
        if note.kind is NoteKind.MISSING_SECRET and note.place in kept_places:
            continue
        if note.kind is NoteKind.MISSING_SECRET and note.place in dropped:
            note = replace(note, message=f"{_not_kept(dropped.pop(note.place))}; {note.message}")
        remaining.append(note)
    more = [Note(NoteKind.MISSING_SECRET, place, _not_kept(why)) for place, why in dropped.items()]
    return [*remaining, *more]


def _not_kept(why: str) -> str:
    return f"the stored secret is not kept, because {why}"


def _key(resource: JsonObject, place: SecretPlace) -> _Key:
    return place.field, _scheme(resource, place)


def _scheme(resource: JsonObject, place: SecretPlace) -> str:
    """The security scheme whose credential this is; empty for the one of all operations."""
    entry = _ENTRY.search(place.path)
    if entry is None:
        return ""
    member = place.field.holder[0]
    entries = as_list(as_object(resource.get(member)).get(entry[1]))
    return str(as_object(entries[int(entry[2])]).get("scheme") or "")


class _Replacement:
    """A stored resource and that of a package which takes its place. A tool may have many secrets: what they share is
    compared once."""

    def __init__(self, before: JsonObject, after: JsonObject) -> None:
        self._before = before
        self._after = after
        self._compared: dict[str, tuple[str, _Routes | None]] = {}

    def objection(self, old: SecretPlace, place: SecretPlace) -> str:
        """Why the secret must not stay; empty where it may."""
        if _beside(old) != _beside(place):
            return "the package changes the authentication that it belongs to"
        member = place.field.holder[0]
        if member not in self._compared:
            self._compared[member] = self._compare(member)
        why, uses = self._compared[member]
        if why or uses is None:
            return why
        scheme = _scheme(self._after, place)
        before, after = (use.destinations(scheme) for use in uses)
        is_covered = before.cover(after)
        return "" if is_covered else "the package changes the servers that it is sent to, or its security scheme"

    def _compare(self, member: str) -> tuple[str, _Routes | None]:
        """Why no secret may stay below a member, empty where one may; and how descriptions that differ use them."""
        if _connection(self._before, member) != _connection(self._after, member):
            return "the package changes where requests go, or whom they trust", None
        kind, field = kind_of({member: {}}), tool_kinds().field({member: {}})
        if kind is None or kind.routes is None or field is None:
            return "", None
        routes = kind.routes
        was, becomes = _routing(self._before, field, routes), _routing(self._after, field, routes)
        if was == becomes:
            return "", None
        try:
            return "", (routes.read(was), routes.read(becomes))
        except (UnreadableDocument, InvalidTool):
            return "the old or the new description cannot be read", None


def _beside(place: SecretPlace) -> JsonObject:
    left_out = {place.field.key, place.field.version_key, *_HARMLESS}
    return {name: value for name, value in place.holder.items() if name not in left_out}


def _connection(resource: JsonObject, member: str) -> JsonObject:
    field = tool_kinds().field({member: {}})
    free = _FREE_OF_AGENTS[member] if field is None else field.free
    return {name: value for name, value in as_object(resource.get(member)).items() if name not in free}


def _routing(resource: JsonObject, field: KindField, routes: DescribedRoutes) -> JsonObject:
    """What decides on the servers of a tool, as the toolbox is given it."""
    spec = as_object(next(iter(specification(resource, field).values())))
    return {name: spec[name] for name in routes.members if name in spec}
