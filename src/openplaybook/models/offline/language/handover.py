"""Handing over to a person: whether a playbook does, and whether the user asks for it."""

import re
from collections.abc import Iterable

from openplaybook.models.base import ExampleDialogue

ESCALATED = "ESCALATED"

_PERSON = r"(?:(?:live|human|real) )?(?:agent|person|human|operator|representative|advisor|colleague)|somebody|someone"
_PERSON_DE = r"(?:\w*mitarbeiter(?:in)?|mensch(?:en)?|person|berater(?:in)?|kolleg(?:e|en|in))"
_ASKED_FOR = re.compile(
    rf"\b(?:talk|speak|chat|connect|transfer|escalate|hand me over)\b.{{0,30}}\b(?:{_PERSON})\b"
    rf"|\b(?:want|need|get|give) (?:me )?(?:a|an|to see a) (?:{_PERSON})\b"
    rf"|^(?:a |an )?(?:live|human|real) (?:agent|person|operator|representative)(?: please)?[.!]*$"
    rf"|\b(?:sprechen|reden|verbinden|weiterleiten)\b.{{0,40}}\b{_PERSON_DE}\b"
    rf"|\b{_PERSON_DE}\b.{{0,30}}\b(?:sprechen|reden|verbinden|verbunden)\b",
    re.IGNORECASE,
)
_HANDS_OVER = re.compile(
    r"\b(?:escalat\w+|eskalier\w+|(?:live|human|real) (?:agent|person|operator|representative|support)"
    r"|hand(?:s|ing)?[ -]?(?:off|over)|(?:mit|zu|an) (?:einem|einen) (?:menschen|mitarbeiter\w*))\b",
    re.IGNORECASE,
)


def hands_over(texts: Iterable[str], examples: Iterable[ExampleDialogue]) -> bool:
    """Whether a playbook's goal or instructions speak of a person who takes over, or an example ends so."""
    return any(example.end_state == ESCALATED for example in examples) or any(map(_HANDS_OVER.search, texts))


def asks_for_person(text: str) -> bool:
    """Whether the user wants to speak with a person."""
    return _ASKED_FOR.search(text) is not None
