from collections.abc import Callable
from pathlib import Path

import pytest

from openplaybook.models.scripted import ScriptedModel


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(text: str, name: str) -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def scripted(write_script: Callable[[str, str], Path]) -> Callable[[str], ScriptedModel]:
    def make(text: str) -> ScriptedModel:
        return ScriptedModel(write_script(text, "play.yaml"))

    return make
