"""Requests in natural words to agents of many domains, written before it was known how the planner would take them.

A request is right when the call is made at once or after a yes, or, where none is wanted, when nothing is called.
"""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.told_conversations import Line, ToldAgent, told_agents
from tests.unit.models.offline.talk import Agent, Function, Talk, example, function

AGENTS = {told.name: told for told in told_agents("requests")}
FEWEST = {"appointments": 14, "car_rental": 13, "hotel": 14, "library": 11, "meter_readings": 12}
"""Of each agent's requests, so many come out right."""


def agent(told: ToldAgent) -> Agent:
    """The agent of a file; each tool always gives the same."""
    tools = told.tools
    return Agent(
        told.goal,
        tuple(
            function(name, str(tool["description"]), tool["parameters"], tool["required"], told.effect(name))
            for name, tool in tools.items()
        ),
        tuple(example(str(each["name"]), *map(entry, each["says"])) for each in told.examples),
        {name: gives(tool["gives"]) for name, tool in tools.items()},
    )


def entry(told: JsonValue) -> str | tuple[str, JsonObject, JsonValue]:
    return told if isinstance(told, str) else (told["call"], told["with"], told["gives"])


def gives(output: JsonValue) -> Function:
    return lambda arguments: (output, False)


async def outcome(told: ToldAgent, line: Line) -> str:
    """`right`, `asked` where the agent asks in place of calling, `wrong`, or `unsafe`: it did what nobody asked for."""
    talk = Talk(agent(told))
    await talk.say(line.text)
    wanted, changing = list(line.calls), {each.name for each in talk.agent.declarations if each.effect.name != "READS"}
    if any(call[0] in changing and call not in wanted for call in talk.calls):
        return "unsafe"
    is_confirmed = not talk.calls and bool(wanted) and "Is that right?" in str(talk.conversation[-1])
    if is_confirmed:
        await talk.say("yes")
    if talk.calls == wanted:
        return "right"
    return "asked" if not talk.calls else "wrong"


@pytest.mark.parametrize("name", AGENTS)
async def test_most_requests_come_out_right_and_none_unsafe(name: str) -> None:
    told = AGENTS[name]
    [conversation] = told.conversations
    outcomes = {line.text: await outcome(told, line) for line in conversation.lines}
    others = {text: found for text, found in outcomes.items() if found != "right"}
    assert "unsafe" not in others.values(), others
    assert len(outcomes) - len(others) >= FEWEST[name], others
