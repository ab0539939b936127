import gc

from openplaybook.server.garbage import spared_collection


async def test_a_million_new_objects_set_off_no_look_at_all_of_them() -> None:
    rounds: list[int] = []

    def heard(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            rounds.append(info["generation"])

    before = gc.get_threshold()
    async with spared_collection():
        gc.callbacks.append(heard)
        try:
            kept: list[list[int]] = [[] for _ in range(1_000_000)]
        finally:
            gc.callbacks.remove(heard)

    assert len(kept) == 1_000_000
    assert rounds
    assert 2 not in rounds
    assert gc.get_threshold() == before
