"""What holds for every test: the ledgers of requirements and of blocks in pages, and the rules about skips in CI."""

import os

import pytest

from openplaybook.resources.tool_kinds import register_when_asked
from tests.guide_ledger import GuideLedger
from tests.kit.guides import all_blocks
from tests.ledger import Ledger
from tests.requirements import BY_ID

pytest_plugins = ["pytester"]


def _register_tool_kinds() -> None:
    from openplaybook.tools.kind_registry import register

    register()


def pytest_configure(config: pytest.Config) -> None:
    register_when_asked(_register_tool_kinds)
    is_ci = os.environ.get("OPENPLAYBOOK_CI") == "1"
    config.pluginmanager.register(Ledger(BY_ID, is_ci=is_ci), "openplaybook-ledger")
    config.pluginmanager.register(GuideLedger(all_blocks), "openplaybook-guide-ledger")
