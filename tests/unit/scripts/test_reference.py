"""The page of settings and commands."""

from dataclasses import fields

from openplaybook.server.settings import Settings
from scripts.reference import PAGE, page


def test_the_page_is_as_the_command_line_is_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make docs writes it anew"


def test_every_setting_is_on_it() -> None:
    written = page()
    missing = [field.name for field in fields(Settings) if f"`OPENPLAYBOOK_{field.name.upper()}`" not in written]
    assert missing == []
