"""Tokens in files that something else writes and replaces."""

from pathlib import Path

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable


def read_token(path: Path) -> str:
    """The one line of a file. Raises `CredentialUnavailable` when it cannot be read, `CredentialRefused` when it holds
    no token."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise CredentialUnavailable(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise CredentialRefused(f"{path} holds no token: it is not ASCII text") from None
    if not text or not text.isprintable():
        raise CredentialRefused(f"{path} is empty, or holds more than one line")
    return text
