"""What the child processes of local models do: texts come, vectors go.

A job is a JSON object with `kind`, `folder` and `texts`; the answer is a line of JSON, `{"dimensions": N}` or
`{"refused": "why"}`, and behind it the vectors. Networks stay loaded from job to job.
"""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.jsonvalues import as_object, dumps, loads

QUESTIONS: Final = f"{__name__}:encode_questions"
"""The task for questions, as child processes are given it."""
PASSAGES: Final = f"{__name__}:encode_passages"

_LOWER: Final = 10
"""Added to the niceness of the process for passages: it has what nobody else wants."""
_THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_AT_ONCE: Final = 8
"""Texts that go through a network together."""


class TextEncoder(Protocol):
    """A network with its tokens."""

    dimensions: int

    def encode(self, texts: Sequence[str]) -> bytes:
        """Their vectors, of unit length, as `TextVectors` has them."""
        ...


class _Opening(Protocol):
    def __call__(self, folder: Path) -> TextEncoder: ...


def encode_questions(job: bytearray) -> bytes:
    """Vectors for somebody who waits."""
    return _answer(job)


def encode_passages(job: bytearray) -> bytes:
    """Vectors that nobody waits for."""
    _give_way()
    return _answer(job)


def _answer(job: bytearray) -> bytes:
    order = as_object(loads(bytes(job)))
    texts = [str(text) for text in order["texts"]]
    try:
        encoder = _encoder(order["kind"], Path(order["folder"]))
    except EncoderUnusable as error:
        return dumps({"refused": str(error)}) + b"\n"
    parts = [encoder.encode(texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)]
    return dumps({"dimensions": encoder.dimensions}) + b"\n" + b"".join(parts)


@lru_cache(1)
def _give_way() -> None:
    os.nice(_LOWER)


@lru_cache(2)
def _encoder(kind: str, folder: Path) -> TextEncoder:
    # Read by the libraries when they are imported: a model takes one processor, and leaves the others to turns.
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        return _OPENINGS[kind](folder)
    except ImportError as error:
        raise EncoderUnusable(
            f"the package {error.name} is not installed: it comes with the extra embeddings"
        ) from None


# The libraries are imported here, in the child alone: a server has no use for them.


def _minilm(folder: Path) -> TextEncoder:
    from openplaybook.encoders.minilm import MiniLmEncoder

    return MiniLmEncoder(folder)


def _onnx(folder: Path) -> TextEncoder:
    from openplaybook.encoders.onnx_folder import OnnxEncoder

    return OnnxEncoder(folder)


_OPENINGS: Final[Mapping[str, _Opening]] = {"minilm": _minilm, "onnx": _onnx}
