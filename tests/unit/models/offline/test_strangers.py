"""Conversations of strangers with agents that nobody had seen before, in three languages: every call after every
line."""

from dataclasses import replace

import pytest

from tests.kit.told_conversations import Conversation, ToldAgent, told_agents
from tests.unit.models.offline.talk import Talk
from tests.unit.models.offline.test_natural_requests import agent

HELD = [(told, conversation) for told in told_agents("strangers") for conversation in told.conversations]


@pytest.mark.parametrize(("told", "held"), HELD, ids=[f"{told.name}: {held.title}" for told, held in HELD])
async def test_a_stranger_is_understood(told: ToldAgent, held: Conversation) -> None:
    talk = Talk(replace(agent(told), language=held.language))
    for line in held.lines:
        await talk.say(line.text)
        assert talk.calls == line.calls, line.text
