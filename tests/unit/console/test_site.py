"""What is below `/console/`, without a server around it."""

import os
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from openplaybook.console.site import ConsoleSite

PAGE = "<!doctype html><title>The page</title>"
SCRIPT = "let a = 1;"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "assets/main-1a.js").write_text(SCRIPT)
    (tmp_path / "assets/main-1a.js.br").write_bytes(b"packed by brotli")
    (tmp_path / "messenger.js").write_text(SCRIPT)
    return TestClient(ConsoleSite(tmp_path), follow_redirects=False)


@pytest.mark.parametrize("path", ["/console/", "/console/health", "/console/projects/p/locations/l/agents/a/tools/t"])
def test_every_address_is_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_the_first_views_have_pages_that_name_their_files(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "start.html").write_text("start")
    (tmp_path / "talk.html").write_text("talk")
    talk = "/console/projects/p/locations/l/agents/a/sessions/s"
    pages = [client.get(path).text for path in ("/console/", talk, f"{talk}?turn=2", "/console/health")]
    assert pages == ["start", "talk", "talk", PAGE]


def test_the_policy_lets_no_inline_script_or_style_run(client: TestClient) -> None:
    headers = client.get("/console/").headers
    parts = [part.strip().partition(" ") for part in headers["content-security-policy"].split(";")]
    policy = {name: value for name, _, value in parts}
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == ("'none'", "'self'", "'self'")
    assert (policy["frame-ancestors"], policy["base-uri"]) == ("'none'", "'none'")
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


def test_html_of_agents_is_shown_where_no_script_runs(client: TestClient) -> None:
    policy = client.get("/console/frame").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy


def test_files_with_a_hash_are_kept_for_good(client: TestClient) -> None:
    answer = client.get("/console/assets/main-1a.js", headers={"Accept-Encoding": "identity"})
    assert (answer.text, answer.headers["content-type"]) == (SCRIPT, "text/javascript; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_browser_gets_the_file_as_the_build_packed_it(client: TestClient) -> None:
    with client.stream("GET", "/console/assets/main-1a.js", headers={"Accept-Encoding": "gzip, br"}) as answer:
        assert answer.headers["content-encoding"] == "br"
        assert answer.headers["vary"] == "Accept-Encoding"
    refused = client.get("/console/assets/main-1a.js", headers={"Accept-Encoding": "br;q=0"})
    assert "content-encoding" not in refused.headers


def test_a_file_of_an_older_build_is_not_the_page(client: TestClient) -> None:
    assert client.get("/console/assets/main-0z.js").status_code == 404


@pytest.mark.parametrize("path", ["/console/../secret", "/console/assets/../../secret", "/console/%2e%2e/secret"])
def test_no_path_leads_out_of_the_folder(client: TestClient, tmp_path: Path, path: str) -> None:
    (tmp_path.parent / "secret").write_text("not for you")
    assert "not for you" not in client.get(path).text


def test_pages_of_other_origins_load_the_messenger_alone(client: TestClient) -> None:
    assert client.get("/console/messenger.js").headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in client.get("/console/assets/main-1a.js").headers


def test_the_folder_itself_is_the_page_too(client: TestClient) -> None:
    answer = client.get("/console?a=1")
    assert (answer.status_code, answer.headers["location"]) == (308, "/console/?a=1")


def test_what_is_sent_to_it_is_refused(client: TestClient) -> None:
    assert client.post("/console/").status_code == 405


def test_a_console_that_was_not_built_says_why(tmp_path: Path) -> None:
    assert "make setup" in TestClient(ConsoleSite(tmp_path)).get("/console/").text
    (tmp_path / "missing.txt").write_text("There is no <Node> here.\n")
    answer = TestClient(ConsoleSite(tmp_path)).get("/console/health")
    assert answer.status_code == 503
    assert "There is no &lt;Node&gt; here." in answer.text


def test_a_closed_console_says_why(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    answer = TestClient(ConsoleSite(tmp_path, closed="Nobody is asked.")).get("/console/")
    assert (answer.status_code, "Nobody is asked." in answer.text, PAGE in answer.text) == (403, True, False)


def test_what_is_built_while_the_server_runs_is_served(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/console/").status_code == 200
    (tmp_path / "assets/main-2b.js").write_text("let b = 2;")
    page = tmp_path / "index.html"
    page.write_text(PAGE.replace("page", "next page"))
    os.utime(page, ns=(0, page.stat().st_mtime_ns + 1))
    assert "next page" in client.get("/console/").text
    assert client.get("/console/assets/main-2b.js").text == "let b = 2;"
