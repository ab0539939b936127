import os
from pathlib import Path

import pytest

from openplaybook.packages.private_fields import FieldLookup, fields_in
from openplaybook.wire.api import Api, load_api

CORPUS = "OPENPLAYBOOK_CORPUS"


@pytest.fixture(scope="session")
def api() -> Api:
    return load_api()


@pytest.fixture(scope="session")
def fields(api: Api) -> FieldLookup:
    return fields_in(api.pool)


@pytest.fixture(scope="session")
def corpus() -> list[Path]:
    """Folders of real exports; no part of the project, so they are only there where the variable says so."""
    root = os.environ.get(CORPUS)
    if not root:
        pytest.skip(f"{CORPUS} does not name a folder of exported agents")
    folders = sorted(path.parent for path in Path(root).glob("agents/*/agent.json"))
    assert folders, f"{root} holds no agents"
    return folders
