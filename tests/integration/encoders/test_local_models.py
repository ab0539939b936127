"""Models in child processes: the small English encoder, and folders of the operator's."""

from array import array
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from openplaybook.encoders.base import Embedder, Purpose, TextVectors
from openplaybook.encoders.encoder_registry import create_embedder
from openplaybook.encoders.errors import EncoderUnusable
from tests.kit.egress import on_loopback
from tests.kit.onnx_models import word_vectors

WORDS = {"?": (0.0, 0.0, 1.0), "cat": (3.0, 0.0, 0.0), "kitten": (1.0, 0.25, 0.0), "invoice": (0.0, 2.0, 0.0)}


def rows(vectors: TextVectors) -> Sequence[Sequence[float]]:
    numbers = array("f", vectors.data)
    size = vectors.dimensions
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def made(specification: str) -> Embedder:
    embedder = create_embedder(specification, {}, on_loopback)
    assert embedder is not None
    return embedder


@pytest.fixture
async def small() -> AsyncGenerator[Embedder]:
    embedder = made("auto")
    yield embedder
    await embedder.aclose()


async def test_the_small_encoder_computes_what_its_makers_publish(small: Embedder) -> None:
    """The similarities are those of the model's page."""
    texts = ("That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day")
    first, *others = rows(await small.embed(texts, Purpose.PASSAGE))

    assert len(first) == 384
    assert [likeness(first, other) for other in others] == pytest.approx([0.695, 0.943, 0.257], abs=5e-4)


async def test_questions_and_passages_have_the_same_vectors(small: Embedder) -> None:
    texts = ["How do I wash my hands?", "", "word " * 5_000]

    questions = rows(await small.embed(texts, Purpose.QUESTION))

    passages = rows(await small.embed(texts, Purpose.PASSAGE))
    assert [likeness(*pair) for pair in zip(questions, passages, strict=True)] == pytest.approx([1, 1, 1], abs=1e-5)


async def test_a_folder_gives_the_mean_over_the_tokens(tmp_path: Path) -> None:
    embedder = made(f"onnx:{word_vectors(tmp_path / 'm', WORDS)}")

    cat, kitten, both = rows(await embedder.embed(["cat", "kitten", "cat invoice invoice"], Purpose.QUESTION))

    await embedder.aclose()
    assert cat == pytest.approx([1, 0, 0])
    assert likeness(cat, kitten) == pytest.approx(0.9701, abs=1e-4)
    assert both == pytest.approx([0.6, 0.8, 0], abs=1e-6)


async def test_a_network_for_something_else_is_refused(tmp_path: Path) -> None:
    embedder = made(f"onnx:{word_vectors(tmp_path, WORDS, inputs=('input_ids', 'attention_mask', 'pixels'))}")

    with pytest.raises(EncoderUnusable, match="takes attention_mask, input_ids, pixels"):
        await embedder.embed(["cat"], Purpose.QUESTION)
    await embedder.aclose()


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
async def test_a_damaged_file_is_named(tmp_path: Path, file: str) -> None:
    word_vectors(tmp_path, WORDS)
    (tmp_path / file).write_bytes(b"damaged")
    embedder = made(f"onnx:{tmp_path}")

    with pytest.raises(EncoderUnusable, match=file):
        await embedder.embed(["cat"], Purpose.QUESTION)
    await embedder.aclose()
