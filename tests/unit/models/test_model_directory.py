from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.models.base import ModelReply, ModelTurn, TextDelta
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_directory import ModelDirectory, create_directory, parse_aliases


class Named:
    """A model that only has a name and counts how often it is closed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = 0

    async def decide(self, turn: ModelTurn) -> ModelReply:
        return ModelReply(turn.playbook, (), self.name)

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        yield await self.decide(turn)

    async def aclose(self) -> None:
        self.closed += 1


def test_an_alias_gives_its_model() -> None:
    default, other = Named("offline"), Named("openai:gpt-4o-mini")
    assert ModelDirectory(default, {"gemini-1.5-flash": other}).resolve("gemini-1.5-flash") == (other, False)


@pytest.mark.parametrize("requested", [None, "", "offline"])
def test_the_default_answers_when_nothing_else_is_asked_for(requested: str | None) -> None:
    default = Named("offline")
    directory = ModelDirectory(default, {})
    assert directory.default is default
    assert directory.resolve(requested) == (default, False)


def test_the_default_stands_in_for_a_name_without_an_alias() -> None:
    default = Named("offline")
    assert ModelDirectory(default, {"a": Named("b")}).resolve("gemini-1.5-flash") == (default, True)


async def test_every_model_is_closed_once() -> None:
    default, other = Named("offline"), Named("other")
    await ModelDirectory(default, {"a": other, "b": other, "c": default}).aclose()
    assert (default.closed, other.closed) == (1, 1)


def test_aliases_are_read_from_one_line() -> None:
    text = " gemini-1.5-flash = openai:gpt-4o-mini , text-bison@002=offline,"
    assert parse_aliases(text) == {"gemini-1.5-flash": "openai:gpt-4o-mini", "text-bison@002": "offline"}
    assert parse_aliases("") == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a=offline,b", "Model alias 2 is 'b'; write NAME=KIND:NAME."),
        ("=offline", "Model alias 1 is '=offline'; write NAME=KIND:NAME."),
        ("a=offline,a=offline", "Model alias 'a' is given twice."),
    ],
)
def test_a_malformed_alias_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        parse_aliases(text)
    assert str(caught.value) == problem


async def test_a_specification_named_twice_is_one_model(tmp_path: Path) -> None:
    path = tmp_path / "play.yaml"
    path.write_text("replies: []")
    directory = create_directory(f"scripted:{path}", f"a=scripted:{path}", {})
    assert directory.resolve("a") == (directory.default, False)
    await directory.aclose()
