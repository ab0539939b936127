import io
import zipfile

import pytest

from openplaybook.packages.errors import PackageTooLarge
from openplaybook.packages.package_files import MAX_FILE_BYTES, MAX_FILES, read_files


def test_too_many_files_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(MAX_FILES + 1):
            archive.writestr(f"x/{number}", b"")
    with pytest.raises(PackageTooLarge, match=f"there are more than {MAX_FILES} files"):
        read_files(buffer.getvalue())


def test_a_file_that_is_too_large_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("agent.json", b" " * (MAX_FILE_BYTES + 1))
    with pytest.raises(PackageTooLarge, match=f"agent.json: is larger than {MAX_FILE_BYTES} bytes"):
        read_files(buffer.getvalue())
