"""Tokens in files that something else writes and replaces."""

import logging
from pathlib import Path

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable

_LOG = logging.getLogger("openplaybook.credentials")


def read_token(path: Path) -> str:
    """The one line of a file. Raises `CredentialUnavailable` when it cannot be read, `CredentialRefused` when it holds
    no token."""
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
