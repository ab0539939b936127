"""The page on systems lists what the catalogue has."""

from scripts.connector_systems import page
from tests.kit.guides import whole_page


def test_the_page_is_what_its_generator_writes() -> None:
    assert whole_page("connectors/systems.md") == page(), "python -m scripts.connector_systems"
