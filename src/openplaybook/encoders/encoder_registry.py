"""From what an operator writes (`--embeddings auto`) to an `Embedder`."""

import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from openplaybook.egress.base import Transport
from openplaybook.encoders import minilm
from openplaybook.encoders.base import Embedder
from openplaybook.encoders.errors import EncoderUnusable

SPECIFICATIONS: Final = "none, auto, openai:MODEL or onnx:FOLDER, the last two with ?languages=en,de if not for all"
"""What may be asked for, as help and errors show it."""

_FORM: Final = re.compile(r"(openai|onnx):([^?]+)(?:\?languages=([a-z]{2,3}(?:,[a-z]{2,3})*))?")


def create_embedder(
    specification: str, environment: Mapping[str, str], transport: Callable[[], Transport]
) -> Embedder | None:
    """The embedder of a specification; None for `none`, and for `auto` where the small encoder is not installed.

    `transport` gives the way to services of the operator's own. Nothing is loaded or sent before the first text.
    Raises `EncoderUnusable` for what is not allowed, or cannot be had.
    """
    if specification == "none":
        return None
    if specification == "auto":
        return small_encoder()
    found = _FORM.fullmatch(specification)
    if found is None:
        raise EncoderUnusable(f"there are no embeddings {specification!r}; allowed are {SPECIFICATIONS}")
    if find_spec("numpy") is None:
        # Vectors are compared with it, whoever makes them.
        raise EncoderUnusable(
            f"embeddings need numpy, which is not installed: {specification} needs the extra embeddings"
        )
    kind, name = found[1], found[2]
    languages = frozenset(found[3].split(",")) if found[3] else frozenset[str]()
    return _BUILDERS[kind](name, languages, environment, transport)


# Each kind is imported only when it is asked for.


def _endpoint(
    name: str, languages: frozenset[str], environment: Mapping[str, str], transport: Callable[[], Transport]
) -> Embedder:
    from openplaybook.encoders.openai_endpoint import EndpointEmbedder, configured_server

    return EndpointEmbedder(name, configured_server(environment), transport(), languages)


def _folder(
    name: str, languages: frozenset[str], environment: Mapping[str, str], transport: Callable[[], Transport]
) -> Embedder:
    from openplaybook.encoders.local_embedder import LocalEmbedder, LocalModel
    from openplaybook.encoders.onnx_folder import model_name

    folder = Path(name).expanduser().absolute()
    return LocalEmbedder(LocalModel("onnx", folder, model_name(folder), languages))


def small_encoder() -> Embedder | None:
    """The small English encoder, loaded with the first text; None where it is not installed."""
    if minilm.missing_packages():
        return None
    from openplaybook.encoders.local_embedder import LocalEmbedder, LocalModel

    return LocalEmbedder(LocalModel("minilm", minilm.model_folder(), minilm.MODEL, minilm.LANGUAGES))


_BUILDERS: Final = {"openai": _endpoint, "onnx": _folder}
