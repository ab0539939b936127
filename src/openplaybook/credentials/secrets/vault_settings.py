"""Where a Vault is and how it is used: the argument of `vault:` in the setting `secret_backends`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

from openplaybook.credentials.errors import InvalidBackend
from openplaybook.egress.base import HttpRequest

_OPTIONS = ("field", "prefix", "namespace", "ca_file", "token_file", "role_id_file", "secret_id_file", "auth_mount")
_FORM = "vault:https://HOST:PORT/MOUNT?field=value&prefix=PATH"


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """How to reach one mount of one Vault."""

    origin: str
    mount: str = "secret"
    """Where the KV engine is mounted."""
    prefix: str = ""
    """Path within the mount above all secrets."""
    field: str = "value"
    """The field of a secret that holds its value."""
    namespace: str = ""
    ca_certificate: bytes = b""
    """Trusted instead of the system's authorities."""
    token_file: Path | None = None
    role_id_file: Path | None = None
    """With `secret_id_file`: log in with AppRole."""
    secret_id_file: Path | None = None
    auth_mount: str = "approle"

    def request(self, method: str, path: str, *headers: tuple[str, str], body: bytes | None = None) -> HttpRequest:
        """A request to the API, `path` below `/v1/`."""
        namespace = (("X-Vault-Namespace", self.namespace),) if self.namespace else ()
        return HttpRequest(
            method=method,
            url=f"{self.origin}/v1/{path}",
            headers=(("X-Vault-Request", "true"), ("Accept", "application/json"), *namespace, *headers),
            body=body,
            ca_certificates=(self.ca_certificate,) if self.ca_certificate else (),
            repeatable=True,
        )


def parse_vault(argument: str, environment: Mapping[str, str]) -> VaultSettings:
    """The settings in a URL; `VAULT_NAMESPACE` and `VAULT_CACERT` stand in for options of those names.

    Raises `InvalidBackend`.
    """
    url = urlsplit(argument)
    if url.scheme not in ("http", "https") or not url.hostname or url.username is not None:
        raise InvalidBackend(f"vault takes a URL without user name, such as {_FORM}")
    options = dict(parse_qsl(url.query))
    if unknown := sorted(options.keys() - set(_OPTIONS)):
        raise InvalidBackend(f"vault has no option {unknown[0]!r}; allowed are {', '.join(_OPTIONS)}")
    if ("role_id_file" in options) != ("secret_id_file" in options):
        raise InvalidBackend("vault requires role_id_file and secret_id_file together")
    ca_file = options.get("ca_file") or environment.get("VAULT_CACERT", "")
    return VaultSettings(
        origin=f"{url.scheme}://{url.netloc}",
        mount=quote(url.path.strip("/") or "secret", safe="/%"),
        prefix=options.get("prefix", "").strip("/"),
        field=options.get("field", "value"),
        namespace=options.get("namespace") or environment.get("VAULT_NAMESPACE", ""),
        ca_certificate=_read(ca_file) if ca_file else b"",
        token_file=_path(options.get("token_file")),
        role_id_file=_path(options.get("role_id_file")),
        secret_id_file=_path(options.get("secret_id_file")),
        auth_mount=options.get("auth_mount", "approle").strip("/"),
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidBackend(f"the certificate file {path} of vault cannot be read: {error.strerror}") from error
