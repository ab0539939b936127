"""The two forms in which agents come as files, told apart by the file at the root."""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.packages.errors import NotAPackage


@dataclass(frozen=True, slots=True)
class PackageFormat:
    """One of the forms."""

    noun: str
    """What is in such a package."""
    roots: tuple[str, ...]
    """Names of the file that stands at the root; the first that is there counts."""

    def root_in(self, files: Mapping[str, bytes], folder: str = "") -> str | None:
        """The name of the root file among files of a folder; None: they are not of this form."""
        return next((root for root in self.roots if folder + root in files), None)


DIALOGFLOW = PackageFormat("an agent of Dialogflow CX", ("agent.json",))
APP = PackageFormat("an app of CX Agent Studio", ("app.json", "app.yaml"))
FORMATS = (DIALOGFLOW, APP)


def at_root(files: Mapping[str, bytes], *allowed: PackageFormat) -> dict[str, bytes]:
    """The files by their paths from the folder with the root file, in order of paths.

    That folder may be the root itself or, as in downloads of a repository and in exports of apps, the only folder
    there. Raises `NotAPackage`.
    """
    formats = allowed or FORMATS
    for folder in ("", *_only_folder(files)):
        if any(each.root_in(files, folder) for each in formats):
            return {path.removeprefix(folder): content for path, content in sorted(files.items())}
    wanted = " or ".join(root for each in formats for root in each.roots)
    raise NotAPackage("", f"there is no {wanted} at the root{_hint(files)}")


def format_of(files: Mapping[str, bytes]) -> PackageFormat:
    """The form of files that `at_root` gave."""
    return next(each for each in FORMATS if each.root_in(files))


def _only_folder(files: Mapping[str, bytes]) -> list[str]:
    roots = {path.split("/", 1)[0] for path in files}
    return [f"{root}/" for root in roots if len(roots) == 1]


def _hint(files: Mapping[str, bytes]) -> str:
    for each in FORMATS:
        if any(each.root_in(files, folder) for folder in ("", *_only_folder(files))):
            return f"; this is {each.noun}"
    return ""
