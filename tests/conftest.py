"""What holds for every test: the ledgers, the samples, the budgets, and the rules about skips in CI."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from openplaybook.resources.tool_kinds import register_when_asked
from tests.budgets import BUDGETS_S, Budgets
from tests.distribution import Distribution
from tests.guide_ledger import GuideLedger
from tests.kit.guides import all_blocks
from tests.kit.thoroughness import IS_WHOLE, examples
from tests.ledger import Ledger
from tests.requirements import BY_ID
from tests.rewriting import Rewriting
from tests.sweeps import EVERY, Sweeps

pytest_plugins = ["pytester"]

# Thousands of tests are collected and all stay: to look through them for garbage, again and again, is a third of the
# time of collecting, and later makes each collection in a test a long one.
gc.disable()


def _register_tool_kinds() -> None:
    from openplaybook.tools.kind_registry import register

    register()


def _spare_constants() -> None:
    """Keep hypothesis from reading every module for constants to try: six seconds for each worker, in a fresh checkout,
    for the few examples that it draws when a run is no whole one.
    """
    providers._get_local_constants = lambda: providers._local_constants  # pyright: ignore[reportPrivateUsage]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--budgets", action="store_true", help="print the seconds of each folder against its budget")


def pytest_configure(config: pytest.Config) -> None:
    # A shell starts what runs in its background with SIGINT ignored; servers that the tests start would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    usual = settings()
    # How long an example takes, or to make one, says how busy the machine is.
    settings.register_profile(
        "suite",
        usual,
        max_examples=examples(usual.max_examples),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("suite")
    if not IS_WHOLE:
        _spare_constants()
    register_when_asked(_register_tool_kinds)
    is_ci = os.environ.get("OPENPLAYBOOK_CI") == "1"
    config.pluginmanager.register(Ledger(BY_ID, is_ci=is_ci), "openplaybook-ledger")
    config.pluginmanager.register(GuideLedger(all_blocks), "openplaybook-guide-ledger")
    config.pluginmanager.register(Sweeps(EVERY), "openplaybook-sweeps")
    config.pluginmanager.register(Distribution(), "openplaybook-distribution")
    config.pluginmanager.register(Rewriting(), "openplaybook-rewriting")
    if config.option.budgets:
        config.pluginmanager.register(Budgets(BUDGETS_S), "openplaybook-budgets")


def pytest_collection_finish() -> None:
    gc.freeze()
    # What the tests leave behind is little beside what stays for all of them, and would be looked through often.
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
