"""What `/` says."""

from openplaybook import __version__
from openplaybook.jsonvalues import loads
from openplaybook.server.public_pages import front_page

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


def test_a_browser_is_led_to_the_console() -> None:
    page = front_page(BROWSER)
    assert (page.status_code, page.headers["location"]) == (302, "/console/")


def test_a_program_gets_a_description_as_json() -> None:
    told = loads(bytes(front_page("*/*").body))
    assert (told["name"], told["version"]) == ("OpenPlaybook", __version__)
    assert "/healthz" in told["paths"]
