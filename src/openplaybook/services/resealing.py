"""Sealing stored resources anew after the master key was exchanged."""

from collections.abc import Iterable

from openplaybook.credentials.sealing import Sealer
from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.resources.names import AgentName, ToolName, ToolVersionName
from openplaybook.services.collection import every_record
from openplaybook.services.locations import ANY, locations_in_use
from openplaybook.storage.base import Put, Record, Store


async def reseal_resources(store: Store, sealer: Sealer) -> int:
    """Seal the secrets in agents, tools and tools' versions with the current key; how many records had another, or
    none. Raises `SealedValueUnreadable`."""
    count = 0
    for location in await locations_in_use(store, ANY):
        for agent in await every_record(store, str(location), AgentName.kind):
            changes = list(_changes(await store.scan(agent.name), sealer))
            await store.apply(changes)
            count += len(changes)
    return count


def _changes(records: Iterable[Record], sealer: Sealer) -> Iterable[Put]:
    for record in records:
        if record.kind not in (AgentName.kind, ToolName.kind, ToolVersionName.kind):
            continue
        body = as_object(loads(record.body))
        if _reseal(as_object(body["tool"]) if record.kind == ToolVersionName.kind else body, sealer):
            yield _put(record, body)


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
        unique_key=body["displayName"] if record.kind == ToolName.kind else None,
        expect=record.version,
    )
