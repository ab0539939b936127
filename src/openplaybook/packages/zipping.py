"""The zip archive of a package: equal files give equal bytes."""

import io
import zipfile
from collections.abc import Mapping

_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = 0o100644 << 16


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """The archive of files by path, sorted, without times. Packs: not for the event loop."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = _FILE_MODE
            archive.writestr(entry, files[path])
    return buffer.getvalue()
