"""The rooms of the turn engine: few enough to be known, and called by nouns."""

from pathlib import Path

import openplaybook.turns

ROOT = Path(openplaybook.turns.__file__).parent
ROOMS = {"agent", "journal", "session", "steps"}


def test_the_turn_engine_has_at_most_45_modules_in_four_rooms() -> None:
    modules = list(ROOT.rglob("*.py"))
    assert len(modules) <= 45
    assert {path.parent.relative_to(ROOT).as_posix() for path in modules} == {".", *ROOMS}


def test_no_module_of_the_turn_engine_is_called_by_a_gerund() -> None:
    assert [path.name for path in ROOT.rglob("*.py") if path.stem.rpartition("_")[2].endswith("ing")] == []
