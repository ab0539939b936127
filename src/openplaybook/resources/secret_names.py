"""Names of secrets and their versions, as Google's Secret Manager writes them."""

import re
from dataclasses import dataclass
from typing import ClassVar

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import is_valid_id

LATEST = "latest"
"""The version that was added last."""

_SECRET = re.compile(r"projects/([^/]+)/secrets/([A-Za-z0-9_-]{1,255})")
_VERSION = re.compile(_SECRET.pattern + r"/versions/([1-9][0-9]{0,18}|latest)")


def _is_project(text: str) -> bool:
    """Whether a segment names a project, and is no step to another path (RFC 3986 §5.2.4) of a remote store."""
    return is_valid_id(text) and text not in (".", "..")


@dataclass(frozen=True, slots=True)
class SecretName:
    """`projects/P/secrets/S`; S is at most 255 letters, digits, hyphens and underscores."""

    kind: ClassVar[str] = "secret"
    template: ClassVar[str] = "projects/{project}/secrets/{secret}"

    project: str
    id: str

    @classmethod
    def parse(cls, text: str) -> "SecretName":
        """The name that `text` spells; `InvalidName` otherwise."""
        match = _SECRET.fullmatch(text)
        if match is None or not _is_project(match[1]):
            raise InvalidName(text, cls.template)
        return cls(match[1], match[2])

    def __str__(self) -> str:
        return f"projects/{self.project}/secrets/{self.id}"

    def version(self, version: str) -> "SecretVersionName":
        """The name of one of its versions."""
        return SecretVersionName(self, version)


@dataclass(frozen=True, slots=True)
class SecretVersionName:
    """`projects/P/secrets/S/versions/V`; V is a number from 1, or `latest`."""

    kind: ClassVar[str] = "secret_version"
    template: ClassVar[str] = SecretName.template + "/versions/{version}"

    secret: SecretName
    version: str

    @classmethod
    def parse(cls, text: str) -> "SecretVersionName":
        """The name that `text` spells; `InvalidName` otherwise."""
        match = _VERSION.fullmatch(text)
        if match is None or not _is_project(match[1]):
            raise InvalidName(text, cls.template)
        return cls(SecretName(match[1], match[2]), match[3])

    def __str__(self) -> str:
        return f"{self.secret}/versions/{self.version}"

    @property
    def is_latest(self) -> bool:
        """Whether it names no fixed version."""
        return self.version == LATEST
