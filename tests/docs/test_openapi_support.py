"""The page on what is supported of OpenAPI shows what the tests send."""

from scripts.openapi_support import page
from tests.kit.guides import whole_page


def test_the_page_is_what_its_generator_writes() -> None:
    assert whole_page("openapi-support.md") == page(), "python -m scripts.openapi_support"
