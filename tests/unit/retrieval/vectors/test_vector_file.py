"""Files of vectors: what they tell after changes, restarts and damage, and that the nearest are found."""

import random
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from openplaybook.retrieval.vectors.vector_file import DocumentVectors, VectorFile, new_vectors, open_vectors

SIZE = 4


def vector(*numbers: float) -> bytes:
    return array("f", numbers).tobytes()


def one(id: str, *numbers: float, digest: bytes = b"d") -> DocumentVectors:
    return DocumentVectors(id, [digest], {0: vector(*numbers)})


@pytest.fixture
def file(tmp_path: Path) -> VectorFile:
    return new_vectors(tmp_path / "v", "m", "i")


def test_the_nearest_come_first(file: VectorFile) -> None:
    file.apply([one("a", 1, 0), one("b", 0, 1), one("c", 0.6, 0.8)], 3, 2)

    assert file.nearest(vector(1, 0), 2) == [("a", 0), ("c", 0)]
    assert file.nearest(vector(0, 1), 9) == [("b", 0), ("c", 0), ("a", 0)]


def test_what_was_applied_is_there_when_the_file_is_opened_again(file: VectorFile, tmp_path: Path) -> None:
    file.apply([one("a", 1, 0), one("b", 0, 1)], 7, 2)
    file.close()

    again = open_vectors(tmp_path / "v", "m", "i")

    assert again is not None
    assert (again.mark.sequence, again.passages) == (7, 2)
    assert again.nearest(vector(0, 1), 1) == [("b", 0)]
    assert again.digests(["a", "x"]) == {("a", 0): b"d"}


def test_passages_that_a_document_lost_are_not_near_any_more(file: VectorFile) -> None:
    file.apply([DocumentVectors("a", [b"1", b"2"], {0: vector(1, 0), 1: vector(0, 1)})], 1, 2)

    file.apply([DocumentVectors("a", [b"1"], {})], 2, 0)
    assert file.nearest(vector(0, 1), 9) == [("a", 0)]

    file.apply([DocumentVectors("a", [], {})], 3, 0)
    assert file.nearest(vector(0, 1), 9) == []


@pytest.mark.parametrize(("model", "incarnation"), [("other", "i"), ("m", "other")])
def test_vectors_of_another_model_or_store_are_none(
    file: VectorFile, tmp_path: Path, model: str, incarnation: str
) -> None:
    file.apply([one("a", 1, 0)], 1, 2)
    file.close()

    assert open_vectors(tmp_path / "v", model, incarnation) is None


@pytest.mark.parametrize(
    "damage", [lambda v: (v / "rows.db").write_bytes(b"x" * 4096), lambda v: (v / "matrix.f32").write_bytes(b"")]
)
def test_damaged_files_are_none(file: VectorFile, tmp_path: Path, damage: Callable[[Path], object]) -> None:
    file.apply([one("a", 1, 0)], 1, 2)
    file.close()
    damage(tmp_path / "v")

    assert open_vectors(tmp_path / "v", "m", "i") is None


def test_vectors_of_another_length_are_refused(file: VectorFile) -> None:
    file.apply([one("a", 1, 0)], 1, 2)

    with pytest.raises(ValueError, match="2 numbers, and now 3"):
        file.apply([one("b", 1, 0, 0)], 2, 3)
    with pytest.raises(ValueError, match="that of the question 3"):
        file.nearest(vector(1, 0, 0), 1)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_changes_the_nearest_are_those_of_a_plain_comparison(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    file = new_vectors(tmp_path, "m", "i")
    kept: dict[tuple[str, int], Sequence[float]] = {}
    for sequence in range(1, 60):
        id = f"d{chance.randrange(12)}"
        count = chance.randrange(4)
        kept = {key: each for key, each in kept.items() if key[0] != id}
        made = {at: [chance.uniform(-1, 1) for _ in range(SIZE)] for at in range(count)}
        kept |= {(id, at): each for at, each in made.items()}
        vectors = {at: vector(*each) for at, each in made.items()}
        file.apply([DocumentVectors(id, [b"d"] * count, vectors)], sequence, SIZE if count else 0)
        if chance.random() < 0.1:
            file.close()
            again = open_vectors(tmp_path, "m", "i")
            assert again is not None
            file = again
        asked = [chance.uniform(-1, 1) for _ in range(SIZE)]
        expected = sorted(kept, key=lambda key: -sum(a * b for a, b in zip(kept[key], asked, strict=True)))
        assert file.nearest(vector(*asked), 5) == expected[:5]
