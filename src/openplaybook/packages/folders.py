"""Where the files of a package stand in a folder: never outside of it."""

from pathlib import Path

from openplaybook.packages.errors import UnsafeArchive
from openplaybook.packages.package_files import check_path


def file_in(folder: Path, path: str) -> Path:
    """The place of a package's file in a folder, which need not be there yet.

    Raises `UnsafeArchive` where the path is no plain relative one, or a symbolic link below the folder lies on the way:
    a checkout of somebody else's may hold links to anywhere.
    """
    check_path(path)
    file = folder
    for part in path.split("/"):
        file /= part
        if file.is_symlink():
            raise UnsafeArchive(path, f"cannot be written: {file} is a symbolic link")
    return file
