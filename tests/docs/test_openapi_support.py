"""The page on what is supported of OpenAPI shows what the tests send."""

from pathlib import Path

from scripts.openapi_support import PAGE, page

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_its_generator_writes() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "python -m scripts.openapi_support"
