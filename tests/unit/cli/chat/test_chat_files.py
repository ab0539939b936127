"""Files of a conversation, both ways."""

from base64 import b64encode
from pathlib import Path

import pytest

from openplaybook.cli.chat.chat_files import (
    MAX_FILE_BYTES,
    ChatAttachment,
    FileInbox,
    SentFile,
    files_of,
    images_of,
    read_attachment,
    without_contents,
)
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools import session_files


def output(**files: bytes) -> JsonObject:
    """What the code interpreter gives."""
    given: JsonValue = [
        {"name": name.replace("_", "."), "contents": b64encode(data).decode()} for name, data in files.items()
    ]
    return {"generate_and_execute output": {"execution_result": "8", "output_files": given}}


def image(url: str, **more: JsonValue) -> JsonObject:
    """A message with an image."""
    return {"payload": {"richContent": [[{"type": "image", "rawUrl": url, **more}]]}}


def test_the_files_of_an_output_are_found() -> None:
    found = list(files_of(output(a_csv=b"1", plot_png=b"2")))
    assert found == [SentFile("a.csv", b"1"), SentFile("plot.png", b"2", is_image=True)]


@pytest.mark.parametrize(
    "output",
    [
        None,
        {},
        {"200": {"id": 3}},
        {"200": [1]},
        {"x": {"output_files": [{"name": "", "contents": ""}]}},
        {"x": {"output_files": [{"name": "a", "contents": "no base64!"}, {"name": 1, "contents": ""}, "text"]}},
    ],
)
def test_what_is_no_file_is_none(output: JsonObject | None) -> None:
    assert list(files_of(output)) == []


def test_images_given_as_data_are_found_and_others_are_not_fetched() -> None:
    data = image("data:image/png;base64,AQI=", accessibilityText="figure_1.png")
    assert list(images_of(data)) == [SentFile("figure_1.png", b"\x01\x02", is_image=True)]
    assert list(images_of(image("data:image/png;base64,AQI="))) == [SentFile("image", b"\x01\x02", is_image=True)]
    for other in (image("https://example.com/a.png"), image("data:text/html;base64,AQI="), {"payload": {"stars": 5}}):
        assert list(images_of(other)) == []


def test_outputs_are_shown_without_contents() -> None:
    assert without_contents(output(a_csv=b"1")) == {
        "generate_and_execute output": {"execution_result": "8", "output_files": ["a.csv"]}
    }
    assert without_contents({"200": [1]}) == {"200": [1]}
    assert without_contents(None) is None


def test_a_file_is_taken_once_a_turn() -> None:
    inbox, file = FileInbox(), SentFile("a.csv", b"1")
    assert [len(inbox.take([file, file])), len(inbox.take([file])), len(inbox.take([SentFile("a.csv", b"2")]))] == [
        1,
        0,
        1,
    ]
    inbox.end_turn()
    assert len(inbox.take([file])) == 1


def test_files_are_saved_only_where_a_folder_is_given(tmp_path: Path) -> None:
    file = SentFile("../a\u202e.csv", b"1" * 2000)
    [arrived] = FileInbox().take([file])
    assert (arrived.line(), arrived.to_json()) == (
        "[file ../a\\u202e.csv 2 KB]",
        {"name": "../a\u202e.csv", "bytes": 2000, "image": False},
    )
    [arrived] = FileInbox(tmp_path).take([file])
    assert arrived.path == tmp_path / "a .csv"
    assert (tmp_path / "a .csv").read_bytes() == file.data
    assert arrived.line() == f"[file ../a\\u202e.csv 2 KB] → {tmp_path / 'a .csv'}"
    assert arrived.to_json()["path"] == str(tmp_path / "a .csv")


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
