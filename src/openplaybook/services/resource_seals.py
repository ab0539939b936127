"""Sealing stored resources anew after the master key was exchanged."""

from collections.abc import Iterable, Iterator

from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.resources.names import AGENTS, APP_TOOLS, APP_TOOLSETS, APP_VERSIONS, APPS, TOOL_VERSIONS, TOOLS
from openplaybook.services.connectors.stored_connections import reseal_consents
from openplaybook.services.locations import ANY, locations_in_use
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Put, Record, Store

_ROOTS = (AGENTS.kind, APPS.kind)
_WITH_SECRETS = (
    AGENTS.kind,
    TOOLS.kind,
    TOOL_VERSIONS.kind,
    *(one.kind for one in (APP_TOOLS, APP_TOOLSETS, APP_VERSIONS)),
)
_CALLED_UNIQUELY = (TOOLS.kind, APP_TOOLS.kind, APP_TOOLSETS.kind)


async def reseal_resources(store: Store, sealer: Sealer) -> int:
    """Seal the secrets in agents and apps, their tools, and versions, and the refresh tokens of connections, with the
    current key; how many records had another, or none. Raises `SealedValueUnreadable`."""
    count = await reseal_consents(store, sealer)
    for location in await locations_in_use(store, ANY):
        for kind in _ROOTS:
            for root in await every_record(store, str(location), kind):
                apart = await every_record(store, root.name, APP_VERSIONS.kind)
                changes = list(_changes([*await store.scan(root.name), *apart], sealer))
                await store.apply(changes)
                count += len(changes)
    return count


def _changes(records: Iterable[Record], sealer: Sealer) -> Iterator[Put]:
    for record in records:
        if record.kind not in _WITH_SECRETS:
            continue
        body = as_object(loads(record.body))
        if sum(_reseal(resource, sealer) for resource in _resources(record.kind, body)):
            yield _put(record, body)


def _resources(kind: str, body: JsonObject) -> list[JsonObject]:
    """The resources whose secrets a record holds: of a version, those in it."""
    if kind == TOOL_VERSIONS.kind:
        return [as_object(body["tool"])]
    if kind == APP_VERSIONS.kind:
        snapshot = as_object(body.get("snapshot"))
        return [as_object(one) for field in ("tools", "toolsets") for one in as_list(snapshot.get(field))]
    return [body]


def _reseal(resource: JsonObject, sealer: Sealer) -> bool:
    """Seal what the current key did not seal, in place; whether there was any."""
    old = [place for place in secret_places(resource) if place.is_secret and not sealer.is_current(place.value)]
    for place in old:
        place.holder[place.field.key] = sealer.seal(sealer.unseal(place.value, resource["name"]), resource["name"])
    return bool(old)


def _put(record: Record, body: JsonObject) -> Put:
    return Put(
        name=record.name,
        kind=record.kind,
        parent=record.parent,
        root=record.root,
        body=dumps(body),
        unique_key=(body.get("displayName") or None) if record.kind in _CALLED_UNIQUELY else None,
        expect=record.version,
    )
