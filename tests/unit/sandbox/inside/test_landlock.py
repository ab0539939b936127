import pytest

from openplaybook.sandbox.inside.landlock import handled


@pytest.mark.parametrize(
    ("version", "rights"),
    [
        (1, (0x1FFF,)), (2, (0x3FFF,)), (3, (0x7FFF,)), (4, (0x7FFF, 3)), (5, (0xFFFF, 3)), (6, (0xFFFF, 3, 3)),
        (7, (0xFFFF, 3, 3)), (9, (0xFFFF, 3, 3)),
    ],
)  # fmt: skip
def test_each_version_forbids_all_that_it_can(version: int, rights: tuple[int, ...]) -> None:
    assert handled(version) == rights
