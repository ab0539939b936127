"""Conversations as data: what the user says, line by line, and the calls that an agent makes after each line.

A file has an agent (`goal`, `tools`, `examples`) and its `conversations`; a line is the user's words, and after `=>`
the calls, parted by `;`, each a function's name and its arguments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import Effect

CONVERSATIONS = Path(__file__).parents[1] / "conversations"


class _Loader(yaml.CSafeLoader):
    """YAML without days of its own: they stay texts, as in JSON."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class Line:
    """What the user says, and what is called after it."""

    text: str
    calls: Sequence[tuple[str, JsonObject]]


@dataclass(frozen=True)
class Conversation:
    """One conversation."""

    title: str
    language: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class ToldAgent:
    """An agent with its conversations."""

    name: str
    goal: str
    tools: Mapping[str, JsonObject]
    examples: Sequence[JsonObject]
    conversations: Sequence[Conversation]

    def effect(self, tool: str) -> Effect:
        """What a tool does to the world."""
        return Effect[self.tools[tool]["effect"]]

    def schema(self, tool: str) -> JsonObject:
        """A tool's input schema."""
        described = self.tools[tool]
        return {"type": "object", "properties": described["parameters"], "required": described["required"]}


def told_agents(folder: str = "") -> Iterator[ToldAgent]:
    """The agents of a folder beneath `tests/conversations`."""
    for path in sorted((CONVERSATIONS / folder).glob("*.yaml")):
        told = as_object(yaml.load(path.read_text(), _Loader))
        lines = as_object(yaml.load(path.read_text(), yaml.CBaseLoader))
        yield ToldAgent(
            path.stem,
            told["goal"],
            {name: as_object(tool) for name, tool in as_object(told["tools"]).items()},
            [as_object(each) for each in as_list(told["examples"])],
            [_conversation(as_object(each)) for each in as_list(lines["conversations"])],
        )


def _conversation(told: JsonObject) -> Conversation:
    return Conversation(told["title"], told.get("language", "en"), [_line(str(each)) for each in told["says"]])


def _line(told: str) -> Line:
    text, _, calls = told.partition(" => ")
    return Line(text, [_call(call) for call in re.split(r";\s+(?=\w+ \{)", calls) if call])


def _call(told: str) -> tuple[str, JsonObject]:
    name, _, arguments = told.partition(" ")
    return name, as_object(_without_days(yaml.load(arguments, _Loader)))


def _without_days(value: JsonValue) -> JsonValue:
    return value
