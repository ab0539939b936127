"""An agent or an app, wherever it comes from, as files that can be compared and sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.ces.app_writer import app_files
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import package_files
from openplaybook.packages.package_files import read_files, zip_of
from openplaybook.packages.package_formats import APP, DIALOGFLOW, PackageFormat, format_of
from openplaybook.packages.report import Report
from openplaybook.sync.comparable_lines import lines_of

_NOWHERE = "projects/-/locations/-"
_ROOT_ENDINGS = (".json", ".yaml", ".txt")
"""Of files that an app may have at its root: its own, an environment, a global instruction."""


@dataclass(frozen=True)
class ComparableFiles:
    """The files of one package, written our way, so that equal agents have equal files."""

    format: PackageFormat
    files: Mapping[str, bytes]
    report: Report
    """What was noticed as it was read."""

    @cached_property
    def lines(self) -> Mapping[str, tuple[str, ...]]:
        """What is compared, by path."""
        return {path: lines_of(path, content) for path, content in self.files.items()}

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of what is compared, in hexadecimal, by path."""
        return {path: sha256("\n".join(lines).encode()).hexdigest() for path, lines in self.lines.items()}

    def archive(self) -> bytes:
        """The package as a zip archive."""
        return zip_of(self.files)


def read_contents(source: bytes | Path, name: str = "") -> ComparableFiles:
    """The package in an archive or a folder, as the agent or app `name`; two that are compared take the same.

    Secrets are left out, and so is what a repository has beside an agent (a README, hidden files). Raises
    `PackageError`.
    """
    form = format_of(read_files(source))
    if form is DIALOGFLOW:
        package, report = read_package(source, name or f"{_NOWHERE}/agents/-")
        files = package_files(package)
    else:
        app, report = read_app(source, name or f"{_NOWHERE}/apps/-")
        files = app_files(app)
    return ComparableFiles(form, {path: content for path, content in files.items() if _is_own(path, form)}, report)


def _is_own(path: str, form: PackageFormat) -> bool:
    if "/" in path:
        return not path.startswith(".")
    return path in form.roots or (form is APP and path.endswith(_ROOT_ENDINGS))
