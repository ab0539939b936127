"""What `/` says."""

from starlette.responses import Response

from openplaybook import __version__
from openplaybook.jsonvalues import loads
from openplaybook.server.public_pages import front_page

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


def text_of(page: Response) -> str:
    return bytes(page.body).decode()


def test_a_browser_gets_a_page_that_says_where_to_go() -> None:
    page = front_page(BROWSER)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for expected in (f"OpenPlaybook {__version__}", "openplaybook chat NAME", 'href="/healthz"', "docs"):
        assert expected in text_of(page)
    assert "<script" not in text_of(page)


def test_a_program_gets_the_same_as_json() -> None:
    told = loads(text_of(front_page("*/*")))
    assert (told["name"], told["version"]) == ("OpenPlaybook", __version__)
    assert "/healthz" in told["paths"]
