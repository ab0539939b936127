"""The network of a small BERT, computed with numpy alone: token numbers to one vector of unit length for each text.

The layers are those of `BertModel` (post-norm, GELU by the error function), then the mean over the tokens. Texts of a
batch are laid one behind the other, not padded, and see only themselves. Weights are a mapped file (safetensors): what
several processes read of it is in memory once.
"""

import json
import mmap
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.jsonvalues import JsonObject, as_object

Matrix: TypeAlias = NDArray[np.float32]

_HEAD: Final = struct.Struct("<Q")
_LARGEST_HEAD: Final = 10_000_000
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Of the error function, right to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
_ERF_SLOPE: Final = 0.3275911
_ROOT_HALF: Final = 0.5**0.5
_BLOCK: Final = 16
"""Rows that the activation is computed for at once: they and what is between stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class _Dense:
    """A linear layer, whose weight stands as it is multiplied: inputs by outputs."""

    weight: Matrix
    bias: Matrix

    def __call__(self, rows: Matrix) -> Matrix:
        result = rows @ self.weight
        result += self.bias
        return result


@dataclass(frozen=True, slots=True)
class _Norm:
    """Layer normalisation."""

    weight: Matrix
    bias: Matrix
    epsilon: float

    def __call__(self, rows: Matrix) -> Matrix:
        centred = rows - rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred) / np.float32(rows.shape[1])
        centred /= np.sqrt(variance + np.float32(self.epsilon))[:, None]
        centred *= self.weight
        centred += self.bias
        return centred


@dataclass(frozen=True, slots=True)
class _Layer:
    """Attention and what follows it."""

    inputs: _Dense
    """Query, key and value beside each other."""
    attended: _Dense
    attended_norm: _Norm
    wide: _Dense
    narrow: _Dense
    narrow_norm: _Norm

    def __call__(self, rows: Matrix, bounds: Sequence[tuple[int, int]], heads: int) -> Matrix:
        projected = self.inputs(rows)
        seen = np.empty_like(rows)
        for start, end in bounds:
            seen[start:end] = _attention(projected[start:end], heads)
        rows = self.attended_norm(self.attended(seen) + rows)
        return self.narrow_norm(self.narrow(gelu(self.wide(rows))) + rows)


class BertNetwork:
    """The network of a folder with `config.json` and `model.safetensors`."""

    def __init__(self, folder: Path) -> None:
        """Raises `EncoderUnusable` where the files are missing, or hold another kind of network."""
        try:
            config = as_object(json.loads((folder / "config.json").read_bytes()))
            tensors = _tensors(folder / "model.safetensors")
            kinds = (config["model_type"], config["hidden_act"], config["position_embedding_type"])
            if kinds != ("bert", "gelu", "absolute"):
                raise EncoderUnusable(f"{folder} holds a network of another kind than BERT with GELU: {kinds}")
            self._build(config, tensors)
        except (OSError, ValueError, KeyError) as error:
            raise EncoderUnusable(f"{folder} holds no BERT network that can be read: {error!r}") from error

    def _build(self, config: JsonObject, tensors: Mapping[str, Matrix]) -> None:
        self.dimensions = int(config["hidden_size"])
        self._heads = int(config["num_attention_heads"])
        epsilon = float(config["layer_norm_eps"])
        self._words = tensors["embeddings.word_embeddings.weight"]
        self._places = tensors["embeddings.position_embeddings.weight"]
        self.most_tokens = len(self._places)
        self._kind = tensors["embeddings.token_type_embeddings.weight"][0]
        self._norm = _norm(tensors, "embeddings.LayerNorm", epsilon)
        numbers = range(int(config["num_hidden_layers"]))
        self._layers = [_layer(tensors, f"encoder.layer.{number}", epsilon) for number in numbers]

    def vectors(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """A vector of unit length for each text, given as the numbers of its tokens: 1 to `most_tokens` of them."""
        ends = np.cumsum([len(text) for text in texts])
        bounds = [(int(end) - len(text), int(end)) for text, end in zip(texts, ends, strict=True)]
        rows = self._words[np.concatenate([np.asarray(text) for text in texts])]
        for start, end in bounds:
            rows[start:end] += self._places[: end - start]
        rows = self._norm(rows + self._kind)
        for layer in self._layers:
            rows = layer(rows, bounds, self._heads)
        means = np.stack([rows[start:end].mean(axis=0) for start, end in bounds])
        return means / np.linalg.norm(means, axis=1, keepdims=True)


def _attention(projected: Matrix, heads: int) -> Matrix:
    """What each token of one text takes from all of them."""
    tokens = len(projected)
    query, key, value = projected.reshape(tokens, 3, heads, -1).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1)
    scores *= np.float32(query.shape[-1] ** -0.5)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return (scores @ value).transpose(1, 0, 2).reshape(tokens, -1)


def gelu(rows: Matrix) -> Matrix:
    """The activation between two layers: `x/2 · (1 + erf(x/√2))`."""
    result = np.empty_like(rows)
    for at in range(0, len(rows), _BLOCK):
        _activate(rows[at : at + _BLOCK], result[at : at + _BLOCK])
    return result


def _activate(rows: Matrix, result: Matrix) -> None:
    scaled = rows * np.float32(_ROOT_HALF)
    size = np.abs(scaled)
    step = size * np.float32(_ERF_SLOPE)
    step += 1
    np.reciprocal(step, out=step)
    result.fill(_ERF[-1])
    for factor in reversed(_ERF[:-1]):
        result *= step
        result += np.float32(factor)
    result *= step
    np.square(size, out=size)
    np.negative(size, out=size)
    result *= np.exp(size, out=size)
    # For x below 0 the error function is that of -x, negated.
    np.subtract(1, result, out=result)
    np.copysign(result, scaled, out=result)
    result += 1
    result *= rows
    result *= np.float32(0.5)


def _layer(tensors: Mapping[str, Matrix], name: str, epsilon: float) -> _Layer:
    parts = [_dense(tensors, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    inputs = _Dense(
        np.concatenate([part.weight for part in parts], axis=1), np.concatenate([part.bias for part in parts])
    )
    return _Layer(
        inputs,
        _dense(tensors, f"{name}.attention.output.dense"),
        _norm(tensors, f"{name}.attention.output.LayerNorm", epsilon),
        _dense(tensors, f"{name}.intermediate.dense"),
        _dense(tensors, f"{name}.output.dense"),
        _norm(tensors, f"{name}.output.LayerNorm", epsilon),
    )


def _dense(tensors: Mapping[str, Matrix], name: str) -> _Dense:
    return _Dense(tensors[f"{name}.weight"].T, tensors[f"{name}.bias"])


def _norm(tensors: Mapping[str, Matrix], name: str, epsilon: float) -> _Norm:
    return _Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"], epsilon)


def _tensors(path: Path) -> Mapping[str, Matrix]:
    """The float32 tensors of a safetensors file: the length of its head in eight bytes, the head (JSON), the values."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if len(data) < _HEAD.size or not 0 < (size := _HEAD.unpack_from(data)[0]) <= min(_LARGEST_HEAD, len(data)):
        raise ValueError(f"{path.name} is no safetensors file")
    begin = _HEAD.size + size
    found: dict[str, Matrix] = {}
    for name, entry in as_object(json.loads(data[_HEAD.size : begin])).items():
        about = as_object(entry)
        if about.get("dtype") != "F32":
            continue
        start, end = (begin + int(offset) for offset in about["data_offsets"])
        if not begin <= start <= end <= len(data):
            raise ValueError(f"{name} lies outside of {path.name}")
        found[name] = np.frombuffer(data, "<f4", (end - start) // 4, start).reshape(about["shape"])
    return found
