"""The options of `serve`."""

import inspect
from dataclasses import fields

from openplaybook.cli.serve import serve
from openplaybook.server.settings import Settings


def test_every_setting_is_an_option() -> None:
    assert {field.name for field in fields(Settings)} <= set(inspect.signature(serve).parameters)
