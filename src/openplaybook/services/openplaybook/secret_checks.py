"""What doctor says about the master key and the stores of secrets."""

import stat
from pathlib import Path

from openplaybook.credentials.errors import CredentialError, MasterKeyUnusable
from openplaybook.credentials.master_key import KeyPlaces, find_master_keys
from openplaybook.credentials.sealer import key_id
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.store_sealer import NO_SHARED_KEY
from openplaybook.services.openplaybook.doctor_checks import Check


def check_master_key(places: KeyPlaces) -> Check:
    """Where the master key comes from, its id, and who can read its file; the key itself is not shown."""
    try:
        found = find_master_keys(places)
    except MasterKeyUnusable as error:
        return Check("master key", False, str(error), "correct the key, or who can read it")
    if found is None and places.database:
        return Check("master key", False, NO_SHARED_KEY, "give one")
    if found is None:
        return Check("master key", True, f"none yet: the first start creates {places.own_file}")
    seals, *opens = map(key_id, found.keys)
    older = f", decrypts what {', '.join(opens)} encrypted" if opens else ""
    return Check("master key", True, f"{seals} from {found.source}{_mode(found.source)}{older}")


async def check_backend(backend: SecretBackend) -> Check:
    """Whether a store of secrets can be asked."""
    try:
        await backend.check()
    except CredentialError as error:
        return Check("secrets", False, f"{backend.about}: {error}", "correct secret_backends, or make it reachable")
    return Check("secrets", True, backend.about)


def _mode(source: str) -> str:
    path = Path(source)
    return f" (mode {stat.S_IMODE(path.stat().st_mode):04o})" if path.is_absolute() else ""
