"""What holds for every test: the requirements ledger, and the house rules about skips in CI."""

import os

import pytest

from tests.ledger import Ledger
from tests.requirements import BY_ID

pytest_plugins = ["pytester"]


def pytest_configure(config: pytest.Config) -> None:
    is_ci = os.environ.get("OPENPLAYBOOK_CI") == "1"
    config.pluginmanager.register(Ledger(BY_ID, is_ci=is_ci), "openplaybook-ledger")
