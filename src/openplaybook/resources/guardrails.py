"""Guardrails: what may not be said to an agent or by it, and what happens then (CX Agent Studio's `Guardrail`)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

REFUSAL = "I'm sorry, I can't help with that."
"""Said where a guardrail fires and gives no words of its own."""


class GuardrailVerdict(Enum):
    """What a guardrail makes of a text."""

    FREE = "FREE"
    BANNED = "BANNED"
    NOT_JUDGED = "NOT_JUDGED"
    """Judging it took too long. It counts as banned."""


class GuardStage(Enum):
    """What a guardrail fired on."""

    INPUT = "input"
    """The user's words."""
    RESPONSE = "response"
    """The model's."""


Test: TypeAlias = Callable[[str], Awaitable[GuardrailVerdict]]


@dataclass(frozen=True, slots=True)
class RespondImmediately:
    """The agent answers with one of these texts; the first, so that equal conversations go equally."""

    responses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TransferAgent:
    """Another agent goes on."""

    agent: str
    """Resource name."""


@dataclass(frozen=True, slots=True)
class GenerativeAnswer:
    """The model answers as the prompt asks, and calls nothing."""

    prompt: str


GuardrailAction: TypeAlias = RespondImmediately | TransferAgent | GenerativeAnswer


@dataclass(frozen=True, slots=True)
class BannedTexts:
    """Phrases that nothing may have in it that goes into an answer."""

    phrases: tuple[tuple[str, str], ...]
    """Each with the BCP-47 code of the language that it is banned for; empty for all."""
    whole_words: bool = False


@dataclass(frozen=True, slots=True)
class Guardrail:
    """One that is enabled and can be judged here."""

    name: str
    """Resource name."""
    display_name: str
    action: GuardrailAction
    judge_input: Test
    """Judges a user's words."""
    judge_response: Test
    """Judges an agent's words."""
    banned: BannedTexts | None = None
    """What is banned also in what tools are asked and answer; None where only what is said is judged."""
