"""A folder with a tiny ONNX network and its tokens: each word has a vector of its own, and a text that of its words."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

INT64, FLOAT = 7, 1
INPUTS = ("input_ids", "attention_mask")


def varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A protobuf message; texts and messages have their length before them."""
    data = b""
    for number, value in fields:
        if isinstance(value, int):
            data += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            data += varint(number << 3 | 2) + varint(len(content)) + content
    return data


def tensor_info(name: str, kind: int, dimensions: Sequence[str | int]) -> bytes:
    each = [message((1, size) if isinstance(size, int) else (2, size)) for size in dimensions]
    shape = message(*((1, dimension) for dimension in each))
    return message((1, name), (2, message((1, message((1, kind), (2, shape))))))


def network(table: np.ndarray, inputs: Sequence[str] = INPUTS) -> bytes:
    """An ONNX model that looks tokens up in a table."""
    rows, size = table.shape
    weights = message((1, rows), (1, size), (2, FLOAT), (8, "table"), (9, table.astype("<f4").tobytes()))
    node = message((1, "table"), (1, "input_ids"), (2, "vectors"), (4, "Gather"))
    graph = message(
        (1, node),
        (2, "words"),
        (5, weights),
        *((11, tensor_info(name, INT64, ("batch", "tokens"))) for name in inputs),
        (12, tensor_info("vectors", FLOAT, ("batch", "tokens", size))),
    )
    return message((1, 8), (7, graph), (8, message((1, ""), (2, 13))))


def word_vectors(folder: Path, words: Mapping[str, Sequence[float]], inputs: Sequence[str] = INPUTS) -> Path:
    """Write the folder of a model that knows these words, and takes others for the first one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(network(np.array([*words.values()], np.float32), inputs))
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=next(iter(words))))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
