"""Files of a response, read from the store."""

from pathlib import Path

from openplaybook.services.response_files import MAX_SHOWN_BYTES, read_files
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.session_files import MAX_FILE_BYTES, SessionFiles

SESSION = "projects/p/locations/global/agents/a/sessions/s"


async def test_a_response_has_what_fits_of_its_files(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    kept = SessionFiles(store, SESSION)
    sizes = {"a": MAX_FILE_BYTES, "b": MAX_SHOWN_BYTES - MAX_FILE_BYTES - 1, "c": 2, "d": 1}
    handles = {name: (await kept.put(name, "", bytes(size))).handle for name, size in sizes.items()}
    shown = await read_files(
        store, SESSION, [{"output_files": [{"name": name, "contents": handles[name]}]} for name in sizes]
    )
    await store.close()

    assert list(shown.files) == [handles[name] for name in ("a", "b", "d")]
    assert shown.output({"output_files": [{"name": "c", "contents": handles["c"]}]}) == {
        "output_files": [
            {
                "name": "c",
                "contents": "",
                "note": f"Left out: the files of a response have at most {MAX_SHOWN_BYTES} bytes. Get it by its name. "
                + handles["c"],
            }
        ]
    }
