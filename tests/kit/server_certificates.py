"""Certificates for a server of ours, in files as an operator has them."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)


@dataclass(frozen=True)
class Pair:
    """A certificate and its key."""

    tls_cert: Path
    tls_key: Path

    @property
    def settings(self) -> dict[str, Path]:
        """As settings of a server."""
        return {"tls_cert": self.tls_cert, "tls_key": self.tls_key}


def write_pair(
    authority: trustme.CA,
    folder: Path,
    *names: str,
    passphrase: bytes = b"",
    key_type: trustme.KeyType = trustme.KeyType.ECDSA,
    not_before: datetime | None = None,
    not_after: datetime | None = None,
) -> Pair:
    """A certificate for `names` (none: this machine), replacing what is in the folder; the key encrypted if asked."""
    issued = authority.issue_cert(
        *(names or ("127.0.0.1", "localhost")), key_type=key_type, not_before=not_before, not_after=not_after
    )
    pair = Pair(folder / "server.crt", folder / "server.key")
    pair.tls_cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    key = issued.private_key_pem.bytes()
    if passphrase:
        form = (Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase))
        key = load_pem_private_key(key, None).private_bytes(*form)
    pair.tls_key.write_bytes(key)
    return pair
