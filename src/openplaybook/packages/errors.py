"""What can be wrong with a package.

PackageError
├── NotAPackage        there is no such file, or it holds no agent
├── DamagedArchive     the archive is cut or its contents fail their checksum
├── UnsafeArchive      a path that leads out of the package, a link, an encrypted entry
├── PackageTooLarge    more files or bytes than are taken, or suspiciously well compressed
├── MalformedFile      a file is not what its name says; with line and column where known
└── DuplicateName      two files, or two resources, of one name
"""

from typing import ClassVar


class PackageError(Exception):
    """A package that cannot be read or written; nothing of it was used."""

    code: ClassVar[str] = "PACKAGE_ERROR"

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}" if file else message)
        self.file = file
        """Path within the package; empty when the package as a whole is meant."""


class NotAPackage(PackageError):
    """Nothing that an agent can be read from."""

    code = "NOT_A_PACKAGE"


class DamagedArchive(PackageError):
    """The archive is broken."""

    code = "DAMAGED_ARCHIVE"


class UnsafeArchive(PackageError):
    """The archive holds what no export holds, and what could do harm."""

    code = "UNSAFE_ARCHIVE"


class PackageTooLarge(PackageError):
    """The package exceeds a limit."""

    code = "PACKAGE_TOO_LARGE"


class MalformedFile(PackageError):
    """A file of the package cannot be read."""

    code = "MALFORMED_FILE"

    def __init__(self, file: str, message: str, line: int | None = None, column: int | None = None) -> None:
        place = f" (line {line}, column {column})" if line is not None else ""
        super().__init__(file, f"{message}{place}")
        self.line = line
        """Counted from 1; None where it is not known."""
        self.column = column
        """In characters, counted from 1; None where it is not known."""


class DuplicateName(PackageError):
    """A name that may stand once stands twice."""

    code = "DUPLICATE_NAME"
