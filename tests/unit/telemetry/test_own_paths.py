"""Paths of the server in messages for callers."""

from pathlib import Path

import pytest

from openplaybook.telemetry import own_paths
from openplaybook.telemetry.own_paths import SHOWN, hide_own, without_own_paths
from openplaybook.tools.base import Failure

SOURCE = Path(own_paths.__file__).parents[1]


@pytest.fixture(autouse=True)
def hidden(tmp_path: Path) -> Path:
    hide_own([tmp_path / "data", Path("/data"), Path("relative/keys")])
    return tmp_path / "data"


def test_a_file_of_the_server_is_not_named(hidden: Path) -> None:
    assert without_own_paths(f"[Errno 28] No space left: '{hidden}/openplaybook.db-wal'") == (
        f"[Errno 28] No space left: '{SHOWN}'"
    )
    assert without_own_paths(f"{hidden}: the disk is full") == f"{SHOWN}: the disk is full"
    assert without_own_paths(f"file://{hidden}/x") == f"file://{SHOWN}"
    assert without_own_paths(f'File "{SOURCE}/turns/engine.py", line 3') == f'File "{SHOWN}", line 3'


def test_paths_that_only_begin_alike_are_others(hidden: Path) -> None:
    for text in (f"{hidden}-of-another/x", f"/mnt{hidden}/x", f"{hidden}.d", "no path at all"):
        assert without_own_paths(text) == text


def test_pointers_into_documents_stay() -> None:
    for text in ("/data/items/0: must be text", "a/b", "relative/keys", "/paths/~1data/get"):
        assert without_own_paths(text) == text


def test_the_message_of_a_failed_call_names_none(hidden: Path) -> None:
    assert Failure("X", f"{hidden}/a cannot be read").message == f"{SHOWN} cannot be read"
