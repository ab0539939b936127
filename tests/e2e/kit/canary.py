"""A secret that the shared fixtures use in every test, and that no server may leave behind."""

from pathlib import Path

from tests.kit.secrets_search import PlantedSecrets

CANARY = "planted-canary/key+1"
"""The API key of the shops' pets."""

_PLANTED = PlantedSecrets(CANARY)


def check_left(folder: Path) -> None:
    """Nothing that a server left in its folder holds the canary."""
    found = _PLANTED.in_folder(folder)
    assert found == {}, found
