"""What the operator lists for connections."""

from pathlib import Path

import pytest

from openplaybook.server.errors import SettingsError
from openplaybook.server.system_access import listed_files


def test_files_are_listed_by_name() -> None:
    assert listed_files("") == {}
    assert listed_files(" pets = /srv/pets.db, shop=shop.db ,") == {
        "pets": Path("/srv/pets.db"),
        "shop": Path.cwd() / "shop.db",
    }


@pytest.mark.parametrize("text", ["pets", "pets=", "=/srv/pets.db", "a/b=/srv/pets.db"])
def test_what_names_no_file_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="must be NAME=FILE"):
        listed_files(text)
