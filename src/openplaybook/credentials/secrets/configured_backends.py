"""From the setting `secret_backends` to the back ends it names."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl

from openplaybook.credentials.errors import InvalidBackend
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.secrets.file_secrets import FileSecrets, read_token
from openplaybook.credentials.secrets.google_secret_manager import SECRET_MANAGER, GoogleSecrets
from openplaybook.credentials.secrets.secret_cache import CachedSecrets
from openplaybook.credentials.secrets.vault_secrets import VaultSecrets
from openplaybook.credentials.secrets.vault_settings import parse_vault
from openplaybook.credentials.secrets.vault_tokens import VaultTokens
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.credentials.token_cache import IssuedToken, TokenCache
from openplaybook.egress.base import Transport
from openplaybook.resources.secret_names import SecretVersionName

LOCAL = "local"
_PREFIX = "OPENPLAYBOOK_SECRET_"


class EnvironmentSecrets:
    """The secret `my-key` of any project, in any version, is `OPENPLAYBOOK_SECRET_MY_KEY`."""

    about = f"environment ({_PREFIX}…)"

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    async def access(self, name: SecretVersionName) -> str | None:
        """The variable's value; None when it is not set, or empty."""
        return self._environment.get(variable_of(name)) or None

    async def check(self) -> None:
        """It is always there."""


def variable_of(name: SecretVersionName) -> str:
    """The variable that holds a secret."""
    return _PREFIX + name.secret.id.upper().replace("-", "_")


@dataclass(frozen=True, slots=True)
class BackendSources:
    """What back ends are made from."""

    environment: Mapping[str, str] = field(repr=False)
    transport: Transport
    """The way out to what the operator named; the address policy of tools does not hold here."""
    google_token: Callable[[Sequence[str]], Awaitable[IssuedToken]]
    """An access token with these scopes, as Google gives it to this server."""


def build_backends(setting: str, local: SecretBackend, surroundings: BackendSources) -> list[SecretBackend]:
    """The back ends of a setting such as `local,environment,files:/run/secrets`, in its order.

    Raises `InvalidBackend` that says which entry cannot be used and what is allowed.
    """
    backends: list[SecretBackend] = []
    for entry in filter(None, map(str.strip, setting.split(","))):
        kind, _, argument = entry.partition(":")
        if kind == LOCAL and not argument:
            backends.append(local)
        elif kind in _KINDS:
            backends.append(_KINDS[kind](argument, surroundings))
        else:
            raise InvalidBackend(f"{kind!r} is not a secret store; allowed are {_ALLOWED}")
    if not backends:
        raise InvalidBackend(f"no secret store is named; allowed are {_ALLOWED}")
    return backends


def has_local(setting: str) -> bool:
    """Whether the local store is among the back ends."""
    return LOCAL in map(str.strip, setting.split(","))


def _environment(argument: str, surroundings: BackendSources) -> SecretBackend:
    if argument:
        raise InvalidBackend(f"environment takes no argument, got {argument!r}")
    return EnvironmentSecrets(surroundings.environment)


def _files(argument: str, surroundings: BackendSources) -> SecretBackend:
    return FileSecrets(Path(argument))


def _vault(argument: str, surroundings: BackendSources) -> SecretBackend:
    settings = parse_vault(argument, surroundings.environment)
    tokens = VaultTokens(settings, surroundings.environment, surroundings.transport)
    return CachedSecrets(VaultSecrets(settings, tokens, surroundings.transport))


def _google(argument: str, surroundings: BackendSources) -> SecretBackend:
    url, _, query = (argument or SECRET_MANAGER).partition("?")
    options = dict(parse_qsl(query))
    if not url.startswith(("https://", "http://")) or options.keys() - {"token_file"}:
        raise InvalidBackend("google takes a URL and one option: google:https://HOST?token_file=PATH")
    token = _token_in(Path(options["token_file"])) if "token_file" in options else _own_token(surroundings)
    return CachedSecrets(GoogleSecrets(surroundings.transport, token, url.rstrip("/")))


def _token_in(path: Path) -> Callable[[], Awaitable[str]]:
    async def token() -> str:
        # Read each time: whoever writes it replaces it before it ends.
        return read_token(path)

    return token


def _own_token(surroundings: BackendSources) -> Callable[[], Awaitable[str]]:
    tokens, fetch = TokenCache(), partial(surroundings.google_token, (CLOUD_PLATFORM,))

    async def token() -> str:
        return await tokens.get("secrets", fetch, _TOKEN_TIMEOUT_S)

    return token


_Maker: TypeAlias = Callable[[str, BackendSources], SecretBackend]
_KINDS: Mapping[str, _Maker] = {"environment": _environment, "files": _files, "vault": _vault, "google": _google}
_ALLOWED = "local, environment, files:FOLDER, vault:URL and google"
_TOKEN_TIMEOUT_S = 20.0
