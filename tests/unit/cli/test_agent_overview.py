"""Agents and apps in a line each."""

import pytest

from openplaybook.cli.agent_overview import AgentOverview, StartPoint
from openplaybook.jsonvalues import JsonObject

AGENT = "projects/p/locations/l/agents/a"
APP = "projects/p/locations/l/apps/a"


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (StartPoint("playbook", f"{AGENT}/playbooks/p", "Desk"), "playbook Desk"),
        (StartPoint("flow", f"{AGENT}/flows/f", "f", "Desk"), "flow f (playbook Desk instead)"),
        (StartPoint("flow", f"{AGENT}/flows/f", "f"), "flow f (not run)"),
        (StartPoint(""), "-"),
    ],
)
def test_where_conversations_begin_is_told_in_words(start: StartPoint, line: str) -> None:
    assert start.line() == line


def test_what_the_api_does_not_tell_is_a_dash_for_people_and_null_for_programs() -> None:
    resource: JsonObject = {"name": APP, "displayName": "Sky"}
    overview = AgentOverview(resource, StartPoint(""), "")
    assert overview.row() == ("Sky", "app", "-", "-", APP)
    assert overview.to_json() == {**resource, "kind": "app", "start": None, "changeTime": None}
