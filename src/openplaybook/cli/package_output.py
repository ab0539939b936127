"""Where packages go: a zip file, a folder, standard output."""

import sys
from collections.abc import Mapping
from pathlib import Path

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.packages.errors import PackageError
from openplaybook.packages.package_files import file_in, read_files
from openplaybook.packages.package_formats import FORMATS


def write_package(package: bytes, typed: str | None, default: str, *, quiet: bool = False) -> None:
    """Write a package where `-o` says: `-` is standard output, a folder gets its files, all else is a zip file.

    A folder that held a package before loses the files of resources that are gone, and nothing else. What was
    written is told on standard output unless it is to be `quiet`.
    """
    if typed == "-":
        sys.stdout.buffer.write(package)
        return
    output = Path(typed or default)
    try:
        if output.is_dir() or (typed or "").endswith("/"):
            written = f"{write_folder(read_files(package), output):,} files"
        else:
            written = f"{output.write_bytes(package):,} bytes"
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from error
    except PackageError as error:
        raise CommandError(f"{output}: {error}") from error
    if not quiet:
        typer.echo(f"{output}: {written}")


def write_folder(files: Mapping[str, bytes], folder: Path) -> int:
    """Write the files of a package; how many there are. Raises `UnsafeArchive` before anything is changed."""
    targets = {path: file_in(folder, path) for path in files}
    if any((folder / root).is_file() for form in FORMATS for root in form.roots):
        _remove_gone(files, folder)
    for path, content in files.items():
        target = targets[path]
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != content:
            target.write_bytes(content)
    return len(files)


def _remove_gone(files: Mapping[str, bytes], folder: Path) -> None:
    for name in sorted(name for name in _own_folders() if not (folder / name).is_symlink()):
        for path in sorted((folder / name).rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path.relative_to(folder).as_posix() not in files:
                path.unlink()


def _own_folders() -> frozenset[str]:
    """Folders of a package in which a file that is not in the next one is of something that is gone."""
    # They bring all that reads and writes packages, which most exports do without.
    from openplaybook.packages.ces.app_layout import COLLECTIONS
    from openplaybook.packages.dialogflow.agent_layout import GENERATIVE_SETTINGS, PLAYBOOKS

    return frozenset({*COLLECTIONS, PLAYBOOKS, GENERATIVE_SETTINGS})
