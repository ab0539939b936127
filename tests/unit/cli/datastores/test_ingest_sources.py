"""What paths and URLs become on their way into a data store."""

from base64 import b64decode
from pathlib import Path

import pytest

from openplaybook.cli.datastores.ingest_sources import plan_of, site_pattern
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject


def documents(*sources: Path) -> list[JsonObject]:
    return [document for batch in plan_of(map(str, sources)).batches() for document in batch.documents]


def test_a_folder_gives_each_file_under_its_path_and_leaves_others_out(tmp_path: Path) -> None:
    (tmp_path / "care").mkdir()
    (tmp_path / "care" / "dogs.md").write_text("# Dogs")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.md").write_text("no")

    plan = plan_of([str(tmp_path)])

    assert plan.store_type == "UNSTRUCTURED"
    assert plan.left_out == (str(tmp_path / "logo.png"),)
    [document] = documents(tmp_path)
    assert document["structData"] == {"uri": "care/dogs.md"}
    assert document["content"]["mimeType"] == "text/markdown"
    assert b64decode(document["content"]["rawBytes"]) == b"# Dogs"


def test_a_file_keeps_its_id_when_its_content_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("one")
    first = documents(page)[0]["id"]
    page.write_text("two")
    assert documents(page)[0]["id"] == first


def test_lines_are_records_or_documents_as_they_are(tmp_path: Path) -> None:
    lines = tmp_path / "records.jsonl"
    lines.write_text('{"id": "a", "name": "Bella"}\n\n{"id": "b", "structData": {"name": "Milo"}}\n{"name": "Kiwi"}\n')

    assert plan_of([str(lines)]).store_type == "STRUCTURED"
    first, second, third = documents(lines)
    assert first == {"id": "a", "structData": {"id": "a", "name": "Bella"}}
    assert second == {"id": "b", "structData": {"name": "Milo"}}
    assert (len(third["id"]), third["structData"]) == (32, {"name": "Kiwi"})


def test_a_record_whose_id_no_document_may_have_is_known_by_what_it_says(tmp_path: Path) -> None:
    lines = tmp_path / "records.jsonl"
    lines.write_text('{"id": "v1.2"}\n{"id": "-a"}\n{"id": 7}\n')
    assert [len(str(document["id"])) for document in documents(lines)] == [32, 32, 1]


def test_rows_of_a_table_are_records(tmp_path: Path) -> None:
    table = tmp_path / "faq.csv"
    table.write_text('\ufeffquestion,answer\n"How often, then?",Twice a day\n', encoding="utf-8")
    [document] = documents(table)
    assert document["structData"] == {"question": "How often, then?", "answer": "Twice a day"}


def test_values_of_a_table_have_the_types_of_their_columns(tmp_path: Path) -> None:
    table = tmp_path / "shops.csv"
    table.write_text("id;city;size;open;post\na;Bonn;120;true;01234\nb;Köln;7;false;50667\n", encoding="utf-8")
    first, second = documents(table)
    assert first == {"id": "a", "structData": {"id": "a", "city": "Bonn", "size": 120, "open": True, "post": "01234"}}
    assert second["structData"]["size"] == 7


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"a": 1}\n{"a"\n{"b": 2}\n', "line 2: not JSON"),
        ("a.jsonl", '[1]\n{"a": 1}\n{"b": 2}\n', "line 1: must be an object"),
        ("a.csv", "x,y\n1\n1,2\n3,4\n", "line 2: "),
        ("a.csv", "x,y\n1,2\n1,2,3\n4,5\n", "line 3: "),
        ("a.csv", "question,answer\nMay I?,Yes\nCan I?, No\nMust I?,No\n", "line 3: a blank stands before"),
    ],
)
def test_what_is_no_document_is_named_with_its_line_and_the_rest_is_taken(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    [batch] = plan_of([str(tmp_path / name)]).batches()
    assert len(batch.documents) == 2
    [fault] = batch.faults
    assert fault.startswith(f"{tmp_path / name}, {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"question, answer\nMay I?,Yes\n", "no blank may follow a comma"),
        (b"", "header"),
    ],
)
def test_a_table_whose_header_cannot_be_taken_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(CommandError, match=message):
        documents(tmp_path / "a.csv")


def test_large_files_are_sent_in_requests_of_their_own(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_bytes(b"x" * 3_000_000)
    assert [len(batch.documents) for batch in plan_of([str(tmp_path)]).batches()] == [1, 1, 1]


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (["nowhere"], "nowhere is neither a file, nor a folder, nor a URL"),
        (["https://example.com/", __file__], "either a site or files"),
    ],
)
def test_what_is_no_source_is_refused(sources: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        plan_of(sources)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://example.com", "example.com/*"),
        ("https://example.com/docs/", "example.com/docs/*"),
        ("http://127.0.0.1:8000/docs/index.html", "http://127.0.0.1:8000/docs/*"),
    ],
)
def test_a_url_stands_for_all_that_is_below_it(url: str, pattern: str) -> None:
    assert site_pattern(url) == pattern
