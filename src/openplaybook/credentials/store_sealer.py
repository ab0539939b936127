"""Joining the master key and the data it sealed: a key that does not fit opens nothing, so nothing is begun with it."""

from openplaybook.credentials.errors import MasterKeyUnusable
from openplaybook.credentials.master_key import KeyPlaces, MasterKeys, find_master_keys, make_master_key
from openplaybook.credentials.sealer import Sealer, key_id, sealing_key
from openplaybook.jsonvalues import dumps, loads
from openplaybook.storage.base import Put, Record, Store
from openplaybook.storage.errors import RecordExists

NO_SHARED_KEY = (
    "servers that share a database need the same master key: set OPENPLAYBOOK_MASTER_KEY or master_key_file at each, "
    "to what `openssl rand -base64 32` printed once"
)

_CHECK = "keys/check"
"""Name of the record with a sealed value that every later key must open."""


async def unlock(store: Store, places: KeyPlaces) -> Sealer:
    """The sealer of a store; its key is made when the store has never had one.

    Raises `MasterKeyUnusable` when the key is malformed, missing, or not the one that sealed the store. Nothing that
    is stored changes then.
    """
    record = await store.get(_CHECK)
    keys = find_master_keys(places)
    if keys is None and places.database:
        raise MasterKeyUnusable(NO_SHARED_KEY)
    if keys is None and record is not None:
        raise MasterKeyUnusable(
            f"the data in {places.data_dir} is sealed with the master key {_sealed_with(record)}, and there is none: "
            f"put it back into {places.own_file}, or set OPENPLAYBOOK_MASTER_KEY"
        )
    keys = keys or make_master_key(places)
    sealer = Sealer(keys.keys)
    if record is None:
        record = await _leave_check(store, sealer)
    _check(record, sealer, keys, places)
    return sealer


async def renew_check(store: Store, sealer: Sealer) -> None:
    """From now on the current key must be among those at hand."""
    await store.apply([_put(sealer, expect=None)])


async def _leave_check(store: Store, sealer: Sealer) -> Record:
    try:
        [record] = await store.apply([_put(sealer, expect=0)])
    except RecordExists:
        record = await store.get(_CHECK)
        assert record is not None, "it was there a moment ago, and nothing deletes it"
    return record


def _put(sealer: Sealer, *, expect: int | None) -> Put:
    body = dumps({"check": sealer.seal("", _CHECK)})
    return Put(name=_CHECK, kind="key_check", parent="keys", root="keys", body=body, expect=expect)


def _check(record: Record, sealer: Sealer, keys: MasterKeys, places: KeyPlaces) -> None:
    if not sealer.opens(_value(record), _CHECK):
        key_ids = ", ".join(map(key_id, keys.keys))
        raise MasterKeyUnusable(
            f"the master key in {keys.source} ({key_ids}) does not fit the data in {places.data}, which is sealed "
            f"with {_sealed_with(record)}; give that key, behind a new one and a comma if it is to be replaced"
        )


def _sealed_with(record: Record) -> str:
    return sealing_key(_value(record))


def _value(record: Record) -> str:
    return str(loads(record.body)["check"])
