"""The default back end: values in the store, sealed with the master key."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import dumps, loads
from openplaybook.resources.secret_names import SecretName, SecretVersionName
from openplaybook.storage.base import Delete, Put, Record, Store

_PARENT = "secrets"
"""What the store lists all secrets under, whatever their project."""


@dataclass(frozen=True, slots=True)
class LocalSecretVersion:
    """One version of a secret, without its value."""

    name: str
    created_us: int


@dataclass(frozen=True, slots=True)
class LocalSecret:
    """A secret with its versions, oldest first."""

    name: str
    versions: tuple[LocalSecretVersion, ...]


class LocalSecrets:
    """Keeps the versions of secrets; a value never leaves but through `access`."""

    about = "local (encrypted in the data directory)"

    def __init__(self, store: Store, sealer: Sealer) -> None:
        self._store = store
        self._sealer = sealer

    async def access(self, name: SecretVersionName) -> str | None:
        """The value of a version; None when there is none. Raises `SealedValueUnreadable`."""
        if name.is_latest:
            secret = await self._store.get(str(name.secret))
            if secret is None:
                return None
            name = name.secret.version(str(_latest(secret)))
        record = await self._store.get(str(name))
        return None if record is None else self._sealer.unseal(_sealed(record), record.name)

    async def check(self) -> None:
        """The store is open, or no server would run."""

    async def add(self, name: SecretName, value: str) -> LocalSecretVersion:
        """Keep a value as the newest version; versions count from 1. Raises `VersionMismatch`, `RecordExists` when
        another one was added meanwhile."""
        before = await self._store.get(str(name))
        version = name.version(str(1 if before is None else _latest(before) + 1))
        latest = Put(
            name=str(name),
            kind=name.kind,
            parent=_PARENT,
            root=str(name),
            body=dumps({"latest": int(version.version)}),
            expect=0 if before is None else before.version,
        )
        _, record = await self._store.apply([latest, self._put(str(version), str(name), value)])
        return LocalSecretVersion(record.name, record.created_us)

    async def list(self, project: str) -> Sequence[LocalSecret]:
        """The secrets of a project, `-` for all projects, in order of insertion."""
        secrets = [SecretName.parse(record.name) for record in await self._all(_PARENT, SecretName.kind)]
        return [await self._kept(name) for name in secrets if project in ("-", name.project)]

    async def delete(self, name: SecretName) -> None:
        """Forget a secret with all its versions. Raises `RecordNotFound`."""
        await self._store.apply([Delete(str(name), tree=True)])

    async def reseal(self) -> int:
        """Seal every value anew that an older key sealed; how many there were. Raises `SealedValueUnreadable`."""
        names = [record.name for record in await self._all(_PARENT, SecretName.kind)]
        versions = [record for name in names for record in await self._all(name, SecretVersionName.kind)]
        old = [record for record in versions if not self._sealer.is_current(_sealed(record))]
        for record in old:
            value = self._sealer.unseal(_sealed(record), record.name)
            await self._store.apply([self._put(record.name, record.parent, value, expect=record.version)])
        return len(old)

    def _put(self, name: str, secret: str, value: str, *, expect: int = 0) -> Put:
        body = dumps({"value": self._sealer.seal(value, name)})
        return Put(name=name, kind=SecretVersionName.kind, parent=secret, root=secret, body=body, expect=expect)

    async def _kept(self, name: SecretName) -> LocalSecret:
        records = await self._all(str(name), SecretVersionName.kind)
        return LocalSecret(str(name), tuple(LocalSecretVersion(record.name, record.created_us) for record in records))

    async def _all(self, parent: str, kind: str) -> Sequence[Record]:
        records: list[Record] = []
        while page := await self._store.list(parent, kind, after=records[-1].position if records else 0):
            records.extend(page)
        return records


def _latest(secret: Record) -> int:
    return int(loads(secret.body)["latest"])


def _sealed(version: Record) -> str:
    return str(loads(version.body)["value"])
