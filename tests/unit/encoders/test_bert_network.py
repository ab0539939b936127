"""The network in numpy, on weights of its own: the error function, texts side by side, damaged files."""

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from openplaybook.encoders.bert_network import BertNetwork, gelu
from openplaybook.encoders.errors import EncoderUnusable

SIZE, WIDE, LAYERS, WORDS, PLACES = 12, 20, 2, 30, 16
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "hidden_size": SIZE,
    "num_attention_heads": 3,
    "num_hidden_layers": LAYERS,
    "layer_norm_eps": 1e-12,
}


def shapes() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (WORDS, SIZE),
        "embeddings.position_embeddings.weight": (PLACES, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        "embeddings.LayerNorm.weight": (SIZE,),
        "embeddings.LayerNorm.bias": (SIZE,),
    }
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            found |= {f"{name}.{part}.weight": (SIZE, SIZE), f"{name}.{part}.bias": (SIZE,)}
        found |= {f"{name}.intermediate.dense.weight": (WIDE, SIZE), f"{name}.intermediate.dense.bias": (WIDE,)}
        found |= {f"{name}.output.dense.weight": (SIZE, WIDE), f"{name}.output.dense.bias": (SIZE,)}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            found |= {f"{name}.{part}.weight": (SIZE,), f"{name}.{part}.bias": (SIZE,)}
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(7)
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, shape in shapes().items():
        values = random.normal(size=shape).astype("<f4").tobytes()
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(head).encode()
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    return tmp_path


def test_activation_is_that_of_the_error_function() -> None:
    values = np.linspace(-8, 8, 4001, dtype=np.float32)[None, :]
    expected = [x / 2 * (1 + math.erf(x / math.sqrt(2))) for x in values[0].tolist()]

    assert np.abs(gelu(values)[0] - expected).max() < 2e-6


def test_texts_of_a_batch_see_only_themselves(folder: Path) -> None:
    network = BertNetwork(folder)
    texts = [[1, 5, 9, 2], [3], [4, 4, 8, 1, 7, 29, 0]]

    together = network.vectors(texts)

    alone = np.concatenate([network.vectors([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_vectors_have_unit_length_and_depend_on_the_order_of_words(folder: Path) -> None:
    vectors = BertNetwork(folder).vectors([[1, 2, 3], [3, 2, 1]])

    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 40),
        lambda folder: (folder / "model.safetensors").write_bytes(b""),
        lambda folder: (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-4]),
        lambda folder: (folder / "config.json").write_text("{}"),
        lambda folder: (folder / "config.json").write_text(json.dumps({**CONFIG, "hidden_act": "relu"})),
        lambda folder: (folder / "config.json").write_text(json.dumps({**CONFIG, "num_hidden_layers": 3})),
        lambda folder: (folder / "config.json").unlink(),
    ],
)
def test_files_that_are_damaged_or_of_another_network_are_refused(
    folder: Path, spoil: Callable[[Path], object]
) -> None:
    spoil(folder)

    with pytest.raises(EncoderUnusable, match=str(folder)):
        BertNetwork(folder)
