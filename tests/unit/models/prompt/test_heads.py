from dataclasses import replace

from openplaybook.models.base import ModelTurn
from openplaybook.models.prompt.heads import HeadCache
from tests.unit.models.building import PETS, WEATHER, a_turn


class Built:
    """Counts what it builds."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, turn: ModelTurn) -> str:
        self.names.append(turn.playbook)
        return f"{turn.playbook} {len(self.names)}"


def test_a_head_is_built_once_for_the_same_parts() -> None:
    built = Built()
    cache = HeadCache(built)
    turn = a_turn("a")
    again = replace(turn, conversation=a_turn("b").conversation, declarations=(*turn.declarations,))
    assert (cache.get(turn), cache.get(again)) == ("Start 1", "Start 1")


def test_another_part_is_another_head() -> None:
    built = Built()
    cache = HeadCache(built)
    turn = replace(a_turn("a"), declarations=PETS)
    for other in (
        turn,
        replace(turn, declarations=PETS[:1]),
        replace(turn, declarations=(replace(PETS[0]), PETS[1])),
        replace(turn, goal="other"),
        replace(turn, language_code="de"),
    ):
        cache.get(other)
    assert len(built.names) == 5


def test_the_head_unused_longest_is_forgotten() -> None:
    built = Built()
    cache = HeadCache(built, size=2)
    turns = [replace(a_turn("x"), playbook=name, declarations=(WEATHER,)) for name in "abc"]
    for turn in (turns[0], turns[1], turns[0], turns[2], turns[0], turns[1]):
        cache.get(turn)
    assert built.names == ["a", "b", "c", "b"]


def test_a_very_large_head_is_not_kept() -> None:
    built = Built()
    cache = HeadCache(built)
    turn = replace(a_turn("x"), goal="g" * 100_001)
    assert (cache.get(turn), cache.get(turn)) == ("Start 1", "Start 2")
