"""What the command line says of a connection: `KEY=VALUE` pairs, and secrets, which are kept at the server."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError

_LARGEST_FILE = 65_536
"""Bytes that a secret may have."""


@dataclass(frozen=True, slots=True)
class GivenValues:
    """What the command line says."""

    texts: Mapping[str, str]
    versions: Mapping[str, str]
    """Names of secret versions, by key."""
    asked: tuple[str, ...] = ()
    """Keys of secrets whose values are still to be asked for."""
    read: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Values of secrets that files hold, by key."""

    @property
    def keys(self) -> frozenset[str]:
        """All that are given."""
        return frozenset({*self.texts, *self.versions})


def given_values(connection: str, pairs: list[str], secrets: list[str]) -> GivenValues:
    """Read `KEY=VALUE` pairs, and secrets: `KEY=projects/P/secrets/S/versions/V`, or one that is to be kept under
    `secret_name`: `KEY=@FILE`, or `KEY` alone, whose value is still to be asked for. Raises `CommandError`."""
    texts: dict[str, str] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not key or not sign:
            raise CommandError(f"--set must be KEY=VALUE, not {_without_value(pair)}", exit_code=2)
        texts[key] = value
    versions: dict[str, str] = {}
    asked: list[str] = []
    read: dict[str, str] = {}
    for secret in secrets:
        key, sign, version = secret.partition("=")
        is_file = version.startswith("@")
        if not key or (sign and not is_file and not version.startswith("projects/")):
            raise CommandError(
                f"--secret {key} takes the name of a secret's version, or @FILE, or no value: then it is asked for",
                exit_code=2,
            )
        if is_file:
            read[key] = _content(key, Path(version[1:]))
        versions[key] = version if version and not is_file else f"{secret_name(connection, key)}/versions/latest"
        asked += [] if version else [key]
    if twice := next((key for key in texts if key in versions), None):
        raise CommandError(f"{twice} is given with --set and with --secret", exit_code=2)
    return GivenValues(texts, versions, tuple(asked), read)


def _content(key: str, file: Path) -> str:
    try:
        text = file.read_bytes()[: _LARGEST_FILE + 1].decode()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--secret {key}: {file} cannot be read as text: {error}", exit_code=2) from error
    if not text.strip() or len(text.encode()) > _LARGEST_FILE:
        raise CommandError(f"--secret {key}: {file} must have 1 to {_LARGEST_FILE:,} bytes", exit_code=2)
    return text


def _without_value(pair: str) -> str:
    return repr(pair) if "=" not in pair else repr(f"={'…' if pair[1:] else ''}")


def secret_name(connection: str, key: str) -> str:
    """Under which the server keeps what was asked for."""
    project, id = connection.split("/")[1], connection.rpartition("/")[2]
    return f"projects/{project}/secrets/{id}-{key.replace('_', '-')}"


def keep_secret(api: ApiClient, connection: str, key: str, value: str) -> None:
    """Keep a secret of a connection as the newest version under its name."""
    data = b64encode(value.encode()).decode("ascii")
    api.post(f"v1/{secret_name(connection, key)}:addVersion", {"payload": {"data": data}})
