"""`openplaybook datastores` beside a running server."""

import json
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Run, refusal

COLLECTION = "projects/local/locations/global/collections/default_collection/dataStores"


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "returns.md").write_text("# Returns\n\nShoes can be returned within 30 days of delivery.\n")
    (folder / "delivery.txt").write_text("Delivery to France takes four days.\n")
    return folder


def documents(run: Run, store: str) -> list[str]:
    return sorted(
        each["structData"]["uri"] for each in json.loads(run("datastores", "show", store).stdout)["documents"]
    )


@pytest.mark.proves("D15")
def test_a_folder_becomes_a_store_that_is_searched(run: Run, handbook: Path) -> None:
    ingested = run("datastores", "ingest", "handbook", str(handbook))
    assert ingested.stdout == f"{COLLECTION}/handbook took 2 documents\n"
    assert ingested.stderr == f"created {COLLECTION}/handbook (UNSTRUCTURED)\n"

    [result] = json.loads(run("datastores", "search", "handbook", "returning shoes", "--json").stdout)["results"]
    assert (result["title"], result["uri"]) == ("Returns", "returns.md")
    assert result["text"] == "Shoes can be returned within 30 days of delivery."
    assert {each["term"] for each in result["matched"]} == {"returning", "shoes"}
    shown = run("datastores", "search", "handbook", "shoes").stdout
    assert shown.startswith("1. Returns · returns.md\n   Shoes can be returned within 30 days of delivery.\n   score ")


def test_a_changed_file_takes_the_place_of_the_old_one_and_full_deletes_the_rest(run: Run, handbook: Path) -> None:
    run("datastores", "ingest", "changing", str(handbook))
    (handbook / "returns.md").write_text("# Returns\n\nShoes can be returned within 60 days of delivery.\n")
    (handbook / "delivery.txt").unlink()

    run("datastores", "ingest", "changing", str(handbook))
    assert documents(run, "changing") == ["delivery.txt", "returns.md"]
    run("datastores", "ingest", "changing", str(handbook), "--full")

    assert documents(run, "changing") == ["returns.md"]
    assert "within 60 days" in run("datastores", "search", "changing", "shoes").stdout


def test_full_keeps_documents_whose_ids_follow_from_what_they_are(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "notes.jsonl"
    first, second, third = {"structData": {"n": 1}}, {"jsonData": '{"n": 2}'}, {"id": "c", "structData": {"n": 3}}
    lines.write_text("\n".join(map(json.dumps, (first, second, third))))
    run("datastores", "ingest", "notes", str(lines), "--full")
    assert len(json.loads(run("datastores", "show", "notes").stdout)["documents"]) == 3


def test_full_is_refused_for_a_site(run: Run) -> None:
    refused = run("datastores", "ingest", "site", "http://127.0.0.1:1/", "--full")
    assert refusal(refused) == "--full is for files: pages that a site does not have any more leave by themselves"


def test_records_are_filtered_and_many_queries_are_answered_line_by_line(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "shops.jsonl"
    records.write_text(
        '{"id": "berlin", "title": "Shop in Berlin", "size": 120}\n{"id": "ulm", "title": "Shop in Ulm", "size": 30}\n'
    )
    run("datastores", "ingest", "shops", str(records))
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": "1", "query": "shop in Ulm"}\n{"id": "2", "query": "shop"}\n')

    found = json.loads(run("datastores", "search", "shops", "shop", "--filter", "size > 100", "--json").stdout)
    lines = run("datastores", "search", "shops", "--queries", str(queries), "-k", "1").stdout.splitlines()

    assert [each["id"] for each in found["results"]] == ["berlin"]
    assert [(json.loads(line)["id"], len(json.loads(line)["results"])) for line in lines] == [("1", 1), ("2", 1)]
    assert json.loads(lines[0])["results"][0]["id"] == "ulm"


def test_one_document_and_then_the_store_are_deleted(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "pets.csv"
    records.write_text("id,name\na,Bella\nb,Milo\n")
    run("datastores", "ingest", "pets", str(records))

    assert run("datastores", "delete", "pets", "a").exit_code == 0
    assert refusal(run("datastores", "show", "pets", "a")).startswith("NOT_FOUND: ")
    kept = run("datastores", "delete", "pets", typed="n\n")
    assert refusal(kept) == "nothing was deleted"
    assert run("datastores", "delete", "pets", "--yes").exit_code == 0
    assert f"{COLLECTION}/pets" not in run("datastores", "list").stdout


def test_numbers_of_a_table_are_filtered_and_a_bad_line_keeps_no_other_out(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "towns.csv"
    table.write_text("id,city,size\na,Bonn,120\nb,Bonn\nc,Bonn,340\n")
    ingested = run("datastores", "ingest", "towns", str(table))
    assert (ingested.exit_code, ingested.stdout) == (1, f"{COLLECTION}/towns took 2 documents; 1 could not be taken\n")
    assert f"error: {table}, line 3: " in ingested.stderr
    found = run("datastores", "search", "towns", "Bonn", "--filter", "size > 200", "--json").stdout
    assert [each["id"] for each in json.loads(found)["results"]] == ["c"]
    table.write_text("id,city,size\na,Bonn,120\nc,Bonn\n")
    assert "error: nothing was deleted" in run("datastores", "ingest", "towns", str(table), "--full").stderr
    assert len(json.loads(run("datastores", "show", "towns").stdout)["documents"]) == 2


def test_a_document_is_replaced_shown_and_deleted_by_the_name_that_it_came_with(run: Run, handbook: Path) -> None:
    (handbook / "sub").mkdir()
    (handbook / "sub" / "page.md").write_text("# Page\n\nThe first edition.\n")
    (handbook / "sub" / "README").write_text("Not taken.")
    run("datastores", "ingest", "named", str(handbook))
    other = handbook.parent / "other.md"
    other.write_text("# Page\n\nThe second edition.\n")
    assert run("datastores", "ingest", "named", str(other), "--as", "sub/page.md").exit_code == 0
    assert documents(run, "named") == ["delivery.txt", "returns.md", "sub/page.md"]
    assert "second edition" in run("datastores", "search", "named", "edition").stdout
    shown = json.loads(run("datastores", "show", "named", "sub/page.md").stdout)
    assert shown["structData"] == {"uri": "sub/page.md"}
    run("datastores", "ingest", "named", str(handbook / "sub" / "README"), "--as", "README")
    assert run("datastores", "delete", "named", "README").exit_code == 0
    assert run("datastores", "delete", "named", "sub/page.md").exit_code == 0
    assert documents(run, "named") == ["delivery.txt", "returns.md"]
    missing = refusal(run("datastores", "delete", "named", "sub/page.md"))
    assert missing.startswith(f"NOT_FOUND: {COLLECTION}/named has no document sub/page.md; ")
    assert "dataStores/missing" in refusal(run("datastores", "delete", "missing", "a"))


def test_stores_are_listed_with_their_types(run: Run) -> None:
    created = run("datastores", "create", "manuals", "--type", "UNSTRUCTURED", "--language", "de")
    assert created.stdout == f"{COLLECTION}/manuals\n"
    rows = [line.split() for line in run("datastores", "list").stdout.splitlines()]
    assert [f"{COLLECTION}/manuals", "UNSTRUCTURED"] in [row[:2] for row in rows]
    listed = json.loads(run("datastores", "list", "--json").stdout)["dataStores"]
    assert [each["languageInfo"] for each in listed if each["displayName"] == "manuals"] == [{"languageCode": "de"}]


def test_stores_of_passages_and_of_whole_documents_live_side_by_side(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "sky.md"
    page.write_text("# Night\n\nOne moon.\n\n# Day\n\nOne sun.\n")
    run("datastores", "create", "uncut", "--type", "UNSTRUCTURED", "--chunk-size", "0")
    for store in ("uncut", "cut"):
        run("datastores", "ingest", store, str(page))

    def text(store: str) -> str:
        return json.loads(run("datastores", "search", store, "moon", "--json").stdout)["results"][0]["text"]

    assert "One sun." in text("uncut")
    assert text("cut") == "One moon."


def test_a_document_that_cannot_be_read_is_named_and_the_rest_is_taken(run: Run, handbook: Path) -> None:
    (handbook / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    ingested = run("datastores", "ingest", "broken", str(handbook))
    assert ingested.exit_code == 1
    assert ingested.stdout == f"{COLLECTION}/broken took 2 documents; 1 could not be taken\n"
    assert "broken.pdf" in ingested.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("search", "handbook"), "give either a query or --queries"),
        (("show", "a/b"), "a/b is not the name of a data store"),
        (("create", "x", "--type", "OTHER"), "--type is 'OTHER'; it must be PUBLIC_WEB, UNSTRUCTURED, STRUCTURED"),
        (("ingest", "x", __file__, __file__, "--as", "page"), "--as is for a single file"),
        (("search", "none", "words"), "NOT_FOUND: Data store"),
        (("search", "handbook", "words", "--filter", "size >"), "INVALID_ARGUMENT: "),
    ],
)
def test_what_cannot_be_done_is_refused(run: Run, words: tuple[str, ...], message: str, handbook: Path) -> None:
    run("datastores", "ingest", "handbook", str(handbook))
    assert refusal(run("datastores", *words)).startswith(message)
