"""What speaks for a function before its parameters are looked at: words in common, and nearness in meaning."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.models.offline.learned.lexemes import stem_of, stems_of, words_of_name
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.wants import Want, wants_of

TOOL_FEATURES = (
    *("bm25", "bm25_gap", "bm25_rank", "name_share", "tail_share", "about_share", "said_share", "parameter_share"),
    *("options_said", "tools", "needed", "parameters", "lexemes", "begins", "verb", "meaning", "meaning_gap"),
    *("meaning_rank", "meaning_best", "single"),
)
"""Names of the features, in their order."""
MEANING = TOOL_FEATURES.index("meaning")
_NO_OPTIONS = frozenset(("true", "false", "dontcare", "none"))
_MOST_DESCRIBED = 400
_FREQUENCY, _LENGTH = 1.2, 0.75
"""The usual constants of BM25."""


@dataclass(frozen=True, eq=False)
class LearnedTool:
    """A function as the learned planner knows it. Compared by identity."""

    name: str
    """As it is declared."""
    action: str
    """As the tool itself calls it."""
    description: str
    input_schema: JsonObject

    @cached_property
    def wants(self) -> tuple[Want, ...]:
        """Its parameters."""
        return wants_of(self.input_schema)

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """Of all words of its name."""
        return frozenset(stems_of(self._spaced))

    @property
    def _spaced(self) -> str:
        return self.action.replace(".", " ")

    @cached_property
    def tail_stems(self) -> frozenset[str]:
        """Of its name without what stands before the last point."""
        return frozenset(stems_of(self.action.split(".")[-1]))

    @cached_property
    def verb(self) -> str:
        """Stem of the first word of that."""
        words = words_of_name(self.action.split(".")[-1])
        return stem_of(words[0]) if words else ""

    @cached_property
    def about(self) -> frozenset[str]:
        """Stems of its description."""
        return frozenset(stems_of(self.description[:_MOST_DESCRIBED]))

    @cached_property
    def parameters(self) -> Sequence[str]:
        """Names of its parameters."""
        return list(as_object(self.input_schema.get("properties")))

    @cached_property
    def parameter_stems(self) -> frozenset[str]:
        """Of the names of its parameters."""
        return frozenset(stems_of(" ".join(self.parameters)))

    @cached_property
    def option_stems(self) -> frozenset[str]:
        """Of the values that its parameters list."""
        options = (option for want in self.wants for option in want.options if isinstance(option, str))
        return frozenset(stem for option in options if option.lower() not in _NO_OPTIONS for stem in stems_of(option))

    @cached_property
    def stem_counts(self) -> Counter[str]:
        """How often each stem speaks of it, those of its name twice."""
        name = stems_of(self._spaced)
        return Counter((*name, *name, *stems_of(self.description), *stems_of(" ".join(self.parameters))))

    @cached_property
    def text(self) -> str:
        """What is encoded of it."""
        return f"{' '.join(words_of_name(self._spaced))}. {self.description[:300]}"


Meanings: TypeAlias = Sequence[float]
"""How near some words and each of several functions are in meaning, by a sentence encoder: products of unit vectors."""


def tool_rows(words: HeardUtterance, tools: Sequence[LearnedTool], meanings: Meanings | None) -> list[list[float]]:
    """The features of each function; without an encoder those of meaning are 0."""
    said = frozenset(stems_of(words.text))
    matches = _bm25(said, tools)
    best = max(matches, default=0.0)
    wholes = meanings or [0.0] * len(tools)
    nearest = max(wholes, default=0.0)
    first = frozenset(words.stems[:6])
    rows: list[list[float]] = []
    for number, tool in enumerate(tools):
        whole = tool.about | tool.name_stems | tool.parameter_stems
        rows.append(
            [
                matches[number],
                best - matches[number],
                float(sum(other > matches[number] for other in matches)),
                _share(tool.name_stems, said),
                _share(tool.tail_stems, said),
                _share(tool.about, said),
                len(whole & said) / max(1, len(said)),
                _share(tool.parameter_stems, said),
                float(len(tool.option_stems & said)),
                float(len(tools)),
                float(sum(want.required and len(want.path) == 1 for want in tool.wants)),
                float(len(tool.parameters)),
                float(len(words.lexemes)),
                float(len(tool.name_stems & first)),
                float(tool.verb in said),
                wholes[number],
                nearest - wholes[number],
                float(sum(other > wholes[number] for other in wholes)),
                nearest,
                float(len(tools) == 1),
            ]
        )
    return rows


def _share(stems: frozenset[str], said: frozenset[str]) -> float:
    return len(stems & said) / max(1, len(stems))


def _bm25(said: frozenset[str], tools: Sequence[LearnedTool]) -> list[float]:
    counts = [tool.stem_counts for tool in tools]
    sizes = [count.total() for count in counts]
    holders = Counter(stem for count in counts for stem in count)
    average = sum(sizes) / max(1, len(sizes)) or 1.0
    rarity = {
        stem: math.log(1 + (len(tools) - holders[stem] + 0.5) / (holders[stem] + 0.5)) for stem in said & holders.keys()
    }
    scores: list[float] = []
    for size, count in zip(sizes, counts, strict=True):
        damping = _FREQUENCY * (1 - _LENGTH + _LENGTH * size / average)
        scores.append(
            sum(
                weight * count[stem] * (_FREQUENCY + 1) / (count[stem] + damping)
                for stem, weight in rarity.items()
                if stem in count
            )
        )
    return scores
