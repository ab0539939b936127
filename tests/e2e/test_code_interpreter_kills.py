"""Servers that are killed while code is written or run: the request again gives the answer, and each file once."""

import http.client
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.sqlite import SqliteStore
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.script import SCRIPT
from tests.e2e.kit.server import Server, killed

POINTS = [
    "begin.after:1",  # the files that the request brings are not kept yet
    "blob.after:2",  # they are
    "decide.after:2",  # code is written
    "blob.after:3",  # it has run, and one of its files is kept
    "call.after:1",  # it has run, and nobody knows
    "commit.after:2",  # its result is on record
]


EVERY = [pytest.param(POINTS[::2], id="some"), pytest.param(POINTS, id="all", marks=pytest.mark.proof)]


@pytest.mark.proves("X4")
@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("points", EVERY)
async def test_a_request_that_a_dead_server_left_is_answered_by_the_next_one(
    tmp_path: Path, points: Sequence[str]
) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    model = ["--model", f"scripted:{tmp_path / 'script.yaml'}"]
    with killed(tmp_path, *model) as server:
        agent = Rest(server.http).agent()
        Rest(server.http).start(agent, "Compute with ${TOOL: code-interpreter}.")
    left = ""
    for point in points:
        session = f"{agent}/sessions/{session_id(point)}"
        with killed(tmp_path, *model, fault=f"{point}:{session_id(point)}") as server:
            if left:
                assert asked(server, left) == "It is 3.", left
            with pytest.raises((http.client.HTTPException, OSError)):
                asked(server, session)
            server.process.wait(30)
        left = session
    with killed(tmp_path, *model) as server:
        assert asked(server, left) == "It is 3.", left
    assert await kept_files(tmp_path, agent, points) == [3] * len(points)


def session_id(point: str) -> str:
    """The session that is cut short at a point."""
    return point.replace(".", "-").replace(":", "-")


def asked(server: Server, session: str) -> str:
    """The answer to a question about a file that comes with it."""
    file = {"name": "trips.csv", "contents": b64encode(b"city,days\nBonn,3\nRome,5\n").decode()}
    params: JsonObject = {"payload": {"files": [file]}}
    return words(Rest(server.http).say(session, "compute the rows of the file", queryParams=params))


async def kept_files(folder: Path, agent: str, points: Sequence[str]) -> list[int]:
    """How many files each of the sessions has."""
    store = SqliteStore(next((folder / "data").glob("*.db")))
    await store.open()
    kept = [len(await store.blobs(f"{agent}/sessions/{session_id(point)}/files/")) for point in points]
    await store.close()
    return kept
