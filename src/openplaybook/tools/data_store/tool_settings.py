"""How a tool that searches stores does it, whichever of the three specifications says so; and names of models."""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.base import StoreType

LEVELS = tuple(GroundingLevel.__members__)
"""Names of them, the least first."""
DEFAULT_LEVEL = GroundingLevel.LOW
"""Of a tool that names none. Google documents no default."""
DEFAULT_SNIPPETS = 5
"""Snippets that a payload shows where the tool gives no number."""
MOST_SNIPPETS = 100

_MODELS: Mapping[str, str] = {
    "default": "",
    "model_default": "",
    "gemini_pro": "gemini-1.0-pro",
    "gemini_10_pro": "gemini-1.0-pro",
    "gemini_10_pro_001": "gemini-1.0-pro-001",
    "gemini_10_pro_002": "gemini-1.0-pro-002",
    "gemini_15_flash": "gemini-1.5-flash",
    "gemini_15_flash_001": "gemini-1.5-flash-001",
    "gemini_15_flash_002": "gemini-1.5-flash-002",
    "gemini_15_pro_001": "gemini-1.5-pro-001",
    "gemini_15_pro_002": "gemini-1.5-pro-002",
    "gemini_20_flash": "gemini-2.0-flash",
    "gemini_20_flash_001": "gemini-2.0-flash-001",
    "gemini_20_flash_lite": "gemini-2.0-flash-lite",
    "gemini_20_flash_lite_001": "gemini-2.0-flash-lite-001",
    "gemini_25_flash": "gemini-2.5-flash",
    "gemini_25_flash_lite": "gemini-2.5-flash-lite",
    "gemini_25_pro": "gemini-2.5-pro",
    "text_bison": "text-bison",
    "text_bison_001": "text-bison@001",
    "text_bison_002": "text-bison@002",
}
"""Names in exports, and those of the console and of `--model-aliases`; empty: the playbook's model."""
_OFF = frozenset({"disabled", "model_disabled", "none"})


@dataclass(frozen=True, slots=True)
class SearchedStore:
    """A store that a tool searches."""

    name: str
    """As the tool has it, with its collection or without."""
    type: StoreType | None = None
    filter: str = ""
    """That always holds, in the store's own syntax; may refer to session parameters and end-user metadata."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a model is asked for, where one is asked at all."""

    model: str = ""
    """Name as `--model-aliases` may have it; empty: the playbook's."""
    prompt: str = ""
    """With placeholders; empty: ours."""
    is_off: bool = False
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class SearchToolSettings:
    """How a tool searches and answers."""

    stores: tuple[SearchedStore, ...] = ()
    rewriter: ModelUse | None = None
    """None: no model rewrites the query; follow-ups are resolved by the words of the conversation."""
    summary: ModelUse = ModelUse()
    level: GroundingLevel | None = DEFAULT_LEVEL
    """Least grounding of an answer; None: any will do."""
    judge: ModelUse | None = None
    """The model that judges whether claims are supported; None: their words are compared."""
    heuristics: bool = True
    """Whether numbers and names that no source has make an answer count as ungrounded."""
    snippets_below_level: bool = False
    """Whether snippets are given without an answer that is not grounded (CX Agent Studio)."""
    payload_snippets: int = 0
    """Snippets that the response shows as rich content; 0: none."""
    boosts: tuple[JsonObject, ...] = ()
    """`BoostSpecs` in JSON form; conditions may refer to session parameters and end-user metadata."""
    takes_filter: bool = True
    """Whether the model may narrow the search."""


def model_name(written: str) -> str:
    """The name of a model by that of an export; one that is not in the table is what it is called."""
    return _MODELS.get(written.strip().lower().removeprefix("models/"), written.strip())


def is_off(written: str) -> bool:
    """Whether the name says that no model is to be asked."""
    return written.strip().lower() in _OFF
