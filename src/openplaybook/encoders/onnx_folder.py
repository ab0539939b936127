"""A model of the operator's: a folder with `model.onnx` and `tokenizer.json`, as most embedding models are exported.

The network takes `input_ids`, `attention_mask` and, where it wants them, `token_type_ids`; its first output is either
a vector for each token, of which the mean is taken, or one for each text.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.encoders.subword_tokens import FILE, SubwordTokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NETWORK: Final = "model.onnx"
_MOST_TOKENS: Final = 512
"""Of a text that are read."""
_WANTED: Final = {"input_ids", "attention_mask"}
_TAKEN: Final = _WANTED | {"token_type_ids"}


class _Input(Protocol):
    @property
    def name(self) -> str: ...


class _Session(Protocol):
    """What is used of the library's class, which has no types of its own."""

    def get_inputs(self) -> Sequence[_Input]: ...

    def run(self, output_names: None, input_feed: Mapping[str, object]) -> Sequence[object]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int


class _Library(Protocol):
    """What is used of `onnxruntime`."""

    SessionOptions: type[_Options]

    def InferenceSession(self, path: str, options: _Options, *, providers: Sequence[str]) -> _Session: ...


def model_name(folder: Path) -> str:
    """The name of the folder's model, which changes with its files. Raises `EncoderUnusable` where one is missing."""
    parts = [folder.name]
    for name in (_NETWORK, FILE):
        try:
            found = (folder / name).stat()
        except OSError as error:
            raise EncoderUnusable(f"{folder} has no {name}: {error.strerror}") from error
        parts.append(f"{found.st_size}-{found.st_mtime_ns}")
    return f"onnx:{':'.join(parts)}"


class OnnxEncoder:
    """Implements `TextEncoder` for the child process."""

    def __init__(self, folder: Path) -> None:
        """Raises `EncoderUnusable` for a network that takes or gives something else."""
        self._tokens = SubwordTokens(folder, _MOST_TOKENS)
        self._session = _session(folder / _NETWORK)
        self._inputs = {each.name for each in self._session.get_inputs()}
        if not _WANTED <= self._inputs <= _TAKEN:
            raise EncoderUnusable(
                f"{folder / _NETWORK} takes {', '.join(sorted(self._inputs))}; a model for texts takes "
                f"{', '.join(sorted(_WANTED))} and may take token_type_ids"
            )
        self.dimensions = 0
        self.encode(["a"])

    def encode(self, texts: Sequence[str]) -> bytes:
        """Their vectors: the mean over the tokens, or what the network gives for the text, of unit length."""
        import numpy as np

        tokens = self._tokens.read(texts)
        # Each batch is only as wide as its longest text.
        fed = {name: np.zeros((len(texts), max(map(len, tokens))), np.int64) for name in _TAKEN}
        for row, ids in enumerate(tokens):
            fed["input_ids"][row, : len(ids)] = ids
            fed["attention_mask"][row, : len(ids)] = 1
        outputs = self._session.run(None, {name: fed[name] for name in self._inputs})
        vectors = _pooled(cast("NDArray[np.float32]", outputs[0]), fed["attention_mask"])
        self.dimensions = vectors.shape[1]
        sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(sizes > 0, sizes, 1)).astype("<f4").tobytes()


def _session(path: Path) -> _Session:
    """The network, on one thread. Raises `EncoderUnusable`."""
    import onnxruntime

    library = cast(_Library, onnxruntime)
    options = library.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return library.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # The library raises bare exceptions.
        raise EncoderUnusable(f"{path} cannot be read: {error}") from error


def _pooled(output: "NDArray[np.float32]", mask: "NDArray[np.int64]") -> "NDArray[np.float32]":
    if output.ndim == 2:
        return output
    if output.ndim != 3:
        raise EncoderUnusable(f"the network gives an output of {output.ndim} dimensions; 2 or 3 are vectors of texts")
    weights = mask[:, :, None]
    return (output * weights).sum(axis=1) / weights.sum(axis=1)
