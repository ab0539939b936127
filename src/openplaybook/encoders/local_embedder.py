"""Models that run on this machine, in child processes: one for questions, and one for passages, which gives way.

So neither the loop nor its lock is kept by the computing, and a model file that makes its library crash ends a child.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from openplaybook.encoders.base import MOST_CHARACTERS, Purpose, TextVectors
from openplaybook.encoders.encoding_child import PASSAGES, QUESTIONS
from openplaybook.encoders.errors import EncoderRejected, EncoderUnavailable, EncoderUnusable
from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkError
from openplaybook.workers.lanes import Lane

_MIB: Final = 1024 * 1024
_MEMORY: Final = 8192 * _MIB
"""Of address space, with the weights, which are mapped."""
_GROWN: Final = 4096 * _MIB
_LANES: Final = {
    Purpose.QUESTION: Lane("questions to encoders", threads=1, waiting=256, seconds=10),
    Purpose.PASSAGE: Lane("passages to encoders", threads=1, waiting=8, seconds=600),
}
_JOB_S: Final = {Purpose.QUESTION: 8.0, Purpose.PASSAGE: 300.0}
"""On the clock: what is never in the way of others may have to wait long."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model in a folder."""

    kind: str
    """Of the child's: `minilm` or `onnx`."""
    folder: Path
    name: str
    """With its version."""
    languages: frozenset[str]


class LocalEmbedder:
    """Implements `Embedder`. Its processes are started when they are first needed."""

    def __init__(self, model: LocalModel) -> None:
        self._model = model
        self._children = {
            purpose: ChildProcesses(task, most=1, memory=_MEMORY, waiting=256, grown=_GROWN)
            for purpose, task in ((Purpose.QUESTION, QUESTIONS), (Purpose.PASSAGE, PASSAGES))
        }

    @property
    def model(self) -> str:
        """Its name, with its version."""
        return self._model.name

    @property
    def languages(self) -> frozenset[str]:
        """Those that it was made for."""
        return self._model.languages

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> TextVectors:
        """As the port says."""
        job = dumps(
            {
                "kind": self._model.kind,
                "folder": str(self._model.folder),
                "texts": [text[:MOST_CHARACTERS] for text in texts],
            }
        )
        run = partial(self._children[purpose].run, job, seconds=_JOB_S[purpose])
        try:
            answer = await _LANES[purpose].run(run)
        except WorkEnded as error:
            if error.ending is ExitReason.CRASH:
                raise EncoderUnusable(f"the process of the model {self.model} died: {error}") from error
            raise EncoderUnavailable(f"the model {self.model} ran into a limit: {error}") from error
        except WorkError as error:
            raise EncoderUnavailable(f"the model {self.model} has too much to do: {error}") from error
        return self._vectors(answer, len(texts))

    async def aclose(self) -> None:
        """End the processes."""
        for children in self._children.values():
            # Waits for a process to go.
            await asyncio.to_thread(children.close)

    def _vectors(self, answer: bytes, count: int) -> TextVectors:
        head, _, data = answer.partition(b"\n")
        said = as_object(loads(head))
        if "refused" in said:
            raise EncoderUnusable(str(said["refused"]))
        vectors = TextVectors(int(said["dimensions"]), data)
        if len(vectors) != count:
            raise EncoderRejected(f"the model {self.model} gave {len(vectors)} vectors for {count} texts")
        return vectors
