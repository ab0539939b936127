"""Secrets and tokens in files that something else mounts or writes: Kubernetes, Docker, systemd, an agent of Vault."""

import asyncio
import logging
import os
from pathlib import Path

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable, InvalidBackend
from openplaybook.credentials.secrets.base import MAX_SECRET_BYTES
from openplaybook.resources.secret_names import LATEST, SecretVersionName

_LOG = logging.getLogger("openplaybook.credentials")


class FileSecrets:
    """The secret S is the file `FOLDER/S`, whatever version is asked for, or `FOLDER/S/V`, a file for each version; of
    these `latest` is the highest, unless a file has that name.

    Symbolic links are followed as far as they stay in the folder; Kubernetes mounts secrets as links through
    `..data`, which it exchanges when a secret changes.
    """

    def __init__(self, folder: Path) -> None:
        """Raises `InvalidBackend` unless `folder` is an absolute path."""
        if not folder.is_absolute():
            raise InvalidBackend(f"files:{folder} must be an absolute path, such as files:/run/secrets")
        self._folder = folder
        self.about = f"files ({folder})"

    async def access(self, name: SecretVersionName) -> str | None:
        """The file's text; None when there is no such file. Raises `CredentialUnavailable` when it cannot be read."""
        return await asyncio.to_thread(self._read, name)

    async def check(self) -> None:
        """Raises `CredentialUnavailable` when the folder cannot be listed."""
        if not await asyncio.to_thread(os.access, self._folder, os.R_OK | os.X_OK):
            raise CredentialUnavailable(f"the folder {self._folder} does not exist or cannot be read")

    def _read(self, name: SecretVersionName) -> str | None:
        path = self._folder / name.secret.id
        try:
            if path.is_dir():
                path = path / (_newest(path) if name.is_latest else name.version)
            real = path.resolve()
            if not real.is_relative_to(self._folder.resolve()):
                _LOG.warning("the secret file %s leads out of %s", path, self._folder)
                raise CredentialUnavailable(f"the file of the secret {name.secret.id} leads out of the secrets' folder")
            with real.open("rb") as file:
                content = file.read(MAX_SECRET_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            _LOG.warning("the secret file %s cannot be read: %s", path, error.strerror)
            message = f"the file of the secret {name.secret.id} cannot be read: {error.strerror}"
            raise CredentialUnavailable(message) from error
        return _text(content, name.secret.id)


def _newest(folder: Path) -> str:
    """The version that `latest` stands for: a file of that name, else the highest number."""
    numbers = [int(path.name) for path in folder.iterdir() if path.name.isascii() and path.name.isdecimal()]
    return LATEST if (folder / LATEST).exists() or not numbers else str(max(numbers))


def _text(content: bytes, secret: str) -> str:
    if len(content) > MAX_SECRET_BYTES:
        raise CredentialUnavailable(f"the file of the secret {secret} is larger than {MAX_SECRET_BYTES} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise CredentialUnavailable(f"the file of the secret {secret} is not UTF-8 text") from None


def read_token(path: Path) -> str:
    """The token that is the one line of a file.

    Raises `CredentialUnavailable` when it cannot be read, `CredentialRefused` when it holds no token.
    """
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        _LOG.warning("the token file %s cannot be read: %s", path, error.strerror)
        raise CredentialUnavailable(f"{_named(path)} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise CredentialRefused(f"{_named(path)} contains no token: it is not ASCII text") from None
    if not text or not text.isprintable():
        raise CredentialRefused(f"{_named(path)} is empty or has more than one line")
    return text


def _named(path: Path) -> str:
    """The file, without the folder that it is in: callers of tools read this."""
    return f"the token file {path.name}"
