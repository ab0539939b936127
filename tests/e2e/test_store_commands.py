"""`openplaybook datastores` on a website, beside a server that may reach it."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.main import app
from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import running

STORE = "projects/local/locations/global/collections/default_collection/dataStores/lamps"


class QuietPages(SimpleHTTPRequestHandler):
    """The files of a folder."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def page(words: str, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<html><head><title>{words}</title></head><body><main><p>{words} is lit.</p></main>{anchors}</body></html>"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder of a site, and its address."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(page("The first lamp", "two.html", "three.html"))
    (folder / "two.html").write_text(page("The second lamp"))
    (folder / "three.html").write_text(page("The third lamp"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietPages, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_url_makes_a_store_and_asked_again_takes_what_changed(tmp_path: Path, site: tuple[Path, str]) -> None:
    folder, url = site
    server = running(tmp_path, "--crawl-delay-ms", "0", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.1")
    with server:

        def run(*words: str) -> Result:
            return CliRunner().invoke(app, ["datastores", *words, "--data-dir", str(tmp_path / "data")])

        done = run("ingest", "lamps", url)
        assert (done.stdout, done.stderr) == (f"{STORE} took 3 documents\n", f"created {STORE} (PUBLIC_WEB)\n")
        [found] = json.loads(run("search", "lamps", "second", "--json").stdout)["results"]
        assert found["uri"] == f"{url}two.html"
        (folder / "index.html").write_text(page("The only lamp", "two.html"))
        (folder / "three.html").unlink()
        assert run("ingest", "lamps", url).stdout == f"{STORE} took 2 documents; 1 left the store\n"
        assert json.loads(run("search", "lamps", "third", "--json").stdout)["results"] == []
        assert run("delete", "lamps", f"{url}two.html").exit_code == 0
        assert str(run("show", "lamps", f"{url}two.html").exception).startswith("NOT_FOUND: ")


def test_one_operations_service_answers_for_stores_agents_and_apps(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        rest = Rest(server.http)

        def operation(path: str, body: JsonObject) -> str:
            return str(rest.send("POST", path, dumps(body)).json["name"])

        place = "projects/local/locations/global"
        agent = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        agent_name = rest.send("POST", f"/v3/{place}/agents", dumps(agent)).json["name"]
        store = f"{STORE.partition('/dataStores/')[0]}/dataStores?dataStoreId=lamps"
        names = [
            operation(f"/v1/{store}", {"displayName": "Lamps"}),
            operation(f"/v3/{agent_name}:export", {}),
            operation(f"/v1/{place}/apps?appId=shop-app", {"displayName": "Shop app"}),
        ]
        for name in names:
            found = rest.send("GET", f"/v1/{name}").json
            while not found.get("done"):
                found = rest.send("GET", f"/v1/{name}").json
            assert (found["name"], "error" in found) == (name, False)
