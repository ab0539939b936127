"""Files that the user sends along."""

from pathlib import Path

import pytest

from openplaybook.cli.chat.attaching import MAX_FILE_BYTES, ChatAttachment, read_attachment
from openplaybook.cli.errors import CommandError
from openplaybook.tools import session_files


def test_a_file_is_sent_by_its_name_as_base64(tmp_path: Path) -> None:
    (tmp_path / "umsätze.csv").write_bytes(b"a\n1\n")
    attachment = read_attachment(tmp_path / "umsätze.csv")
    assert attachment == ChatAttachment("umsätze.csv", b"a\n1\n")
    assert attachment.to_json() == {"name": "umsätze.csv", "contents": "YQoxCg=="}


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError, match=r"is not an existing file$"):
        read_attachment(tmp_path / name)


def test_a_file_that_the_server_would_refuse_is_not_sent(tmp_path: Path) -> None:
    assert MAX_FILE_BYTES == session_files.MAX_FILE_BYTES
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(CommandError, match="is larger than 16,777,216 bytes, the most for a file"):
        read_attachment(tmp_path / "large.csv")
