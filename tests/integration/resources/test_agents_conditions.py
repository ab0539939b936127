"""Conditions as people write them, in exported agents."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.resources.conditions.parser import parse_condition

_CORPUS = "OPENPLAYBOOK_CORPUS"


@pytest.mark.skipif(_CORPUS not in os.environ, reason=f"{_CORPUS} is not set")
def test_every_condition_of_exported_agents_can_be_read() -> None:
    agents = Path(os.environ[_CORPUS]) / "agents"
    conditions = {condition for path in agents.rglob("*.json") for condition in _conditions(path)}
    assert conditions, "the corpus has agents with flows, whose routes have conditions"
    for condition in conditions:
        parse_condition(condition)


def _conditions(path: Path) -> Iterator[str]:
    waiting: list[JsonValue] = [json.loads(path.read_text())]
    while waiting:
        value = waiting.pop()
        condition = as_object(value).get("condition")
        if isinstance(condition, str) and condition:
            yield condition
        waiting += [*as_object(value).values(), *as_list(value)]
