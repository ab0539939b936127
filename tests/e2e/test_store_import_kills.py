"""A server that is killed while it fills a store: what it told of is there, and the import goes on to its end."""

import json
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import killed, running
from tests.kit.thoroughness import IS_WHOLE

PARENT = "projects/p/locations/global/collections/default_collection"
BRANCH = f"{PARENT}/dataStores/many/branches/0"
COUNT = 3_000 if IS_WHOLE else 1_500


def send(rest: Rest, path: str, body: JsonObject) -> JsonObject:
    return rest.send("POST", f"/v1/{path}", json.dumps(body).encode()).json


def progress(rest: Rest, operation: str) -> tuple[bool, int]:
    """Whether an import is done, and how many documents it has told of."""
    found = rest.send("GET", f"/v1/{operation}").json
    assert "error" not in found, found
    return bool(found.get("done")), int(found["metadata"].get("successCount", 0))


@pytest.mark.parametrize("told", [0, 1, 1000])
def test_nothing_that_was_told_of_is_lost_and_the_rest_follows(tmp_path: Path, told: int) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    lines = [json.dumps({"id": f"d{number}", "structData": {"text": f"word{number}"}}) for number in range(COUNT)]
    (folder / "all.jsonl").write_text("\n".join(lines))
    flags = ("--bucket", f"lines={folder}")
    with killed(tmp_path, *flags) as server:
        rest = Rest(server.http)
        send(rest, f"{PARENT}/dataStores?dataStoreId=many", {"displayName": "Many"})
        source = {"gcsSource": {"inputUris": ["gs://lines/all.jsonl"]}}
        operation = str(send(rest, f"{BRANCH}/documents:import", source)["name"])
        while (before := progress(rest, operation))[1] < told:
            pass
    with running(tmp_path, *flags) as server:
        rest = Rest(server.http)
        after = progress(rest, operation)
        assert after[1] >= before[1]
        while not after[0]:
            after = progress(rest, operation)
        assert after == (True, COUNT)
        ids: list[str] = []
        token = ""
        while not ids or token:
            page = rest.send("GET", f"/v1/{BRANCH}/documents?pageSize=1000&pageToken={token}").json
            ids += [document["id"] for document in page["documents"]]
            token = str(page.get("nextPageToken", ""))
        assert ids == sorted(f"d{number}" for number in range(COUNT))
