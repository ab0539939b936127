"""Nearness of words and tools in meaning, each text encoded once."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from openplaybook.encoders.minilm import MiniLmEncoder
from openplaybook.models.offline.learned.tool_features import LearnedTool, Meanings

_MOST_CHARACTERS = 600


class TextMeanings:
    """Meanings by an encoder."""

    def __init__(self, encoder: MiniLmEncoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Any] = {}

    def __call__(self, text: str, tools: Sequence[LearnedTool]) -> Meanings:
        """How near a text is to each tool."""
        said = self._vector(text[:_MOST_CHARACTERS])
        return [float(said @ self._vector(tool.text)) for tool in tools]

    def _vector(self, text: str) -> Any:
        if text not in self._known:
            self._known[text] = np.frombuffer(self._encoder.encode([text]), dtype="<f4")
        return self._known[text]
