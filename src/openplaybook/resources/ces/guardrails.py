"""Guardrails of CX Agent Studio that can be judged here: content filters.

Those that ask a model (`llmPromptSecurity`, `llmPolicy`), set a provider's thresholds (`modelSafety`) or run code
(`codeCallback`) are kept, and not applied.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.findings import Finding, Severity, Sink, discard
from openplaybook.resources.guardrails import (
    REFUSAL,
    GenerativeAnswer,
    Guardrail,
    GuardrailAction,
    RespondImmediately,
    TransferAgent,
)

FILTER = "contentFilter"
NOT_APPLIED = {
    "llmPromptSecurity": "asks a model whether words are safe",
    "llmPolicy": "asks a model whether a policy holds",
    "modelSafety": "sets a provider's safety thresholds",
    "codeCallback": "runs code around decisions",
}
"""Kinds that are kept and not applied, and what they would do."""

KINDS = (FILTER, *NOT_APPLIED)
"""Fields of `Guardrail.guardrail_type`."""

_MAX_BYTES = 1_000_000
"""Of one compiled regular expression."""

_NO_WORD = r"[^\p{L}\p{M}\p{N}_]"
"""One character that no word has."""

_SIMPLE = "SIMPLE_STRING_MATCH"
_REGEXP = "REGEXP_MATCH"
_CONTENTS = {
    "bannedContents": (True, True),
    "bannedContentsInUserInput": (True, False),
    "bannedContentsInAgentResponse": (False, True),
}
"""By the field of `ContentFilter`: whether it is held against the user's words, and against the agent's."""


def compile_guardrail(document: JsonObject, found: Sink = discard) -> Guardrail | None:
    """A `Guardrail` (v1beta JSON) as the engine judges by it; None for one that is disabled or is not applied here.

    Never raises: what cannot be used goes to `found`.
    """
    kind = next((kind for kind in KINDS if kind in document), "")
    if kind in NOT_APPLIED:
        found(Finding(f"$.{kind}", f"{NOT_APPLIED[kind]}; it is kept, and not applied here", Severity.REMARK))
    elif not kind:
        found(Finding("$", f"is a guardrail of no kind (known: {', '.join(KINDS)})", Severity.ERROR))
    if kind != FILTER:
        return None
    action = _action(as_object(document.get("action")), found)
    banned_input, banned_response = _tests(as_object(document[FILTER]), found)
    if not document.get("enabled"):
        return None
    return Guardrail(
        name=str(document.get("name") or ""),
        display_name=str(document.get("displayName") or ""),
        action=action,
        banned_input=banned_input,
        banned_response=banned_response,
    )


def _action(action: JsonObject, found: Sink) -> GuardrailAction:
    if "transferAgent" in action:
        return TransferAgent(str(as_object(action["transferAgent"]).get("agent") or ""))
    if "generativeAnswer" in action:
        return GenerativeAnswer(str(as_object(action["generativeAnswer"]).get("prompt") or ""))
    responses = map(as_object, as_list(as_object(action.get("respondImmediately")).get("responses")))
    texts = tuple(str(each["text"]) for each in responses if each.get("text") and not each.get("disabled"))
    if not texts:
        place = "$.action.respondImmediately.responses" if action else "$.action"
        found(Finding(place, f"says nothing to answer with; {REFUSAL!r} is used"))
    return RespondImmediately(texts or (REFUSAL,))


_Test: TypeAlias = Callable[[str], str | None]
_Matches: TypeAlias = Callable[[str], bool]


def _tests(contents: JsonObject, found: Sink) -> tuple[_Test, _Test]:
    """What is held against the user's words, and against the agent's."""
    match_type = str(contents.get("matchType") or "")
    if contents and match_type not in _MATCHING:
        known = ", ".join(_MATCHING)
        told = f"{match_type or 'nothing'} is no way to match (known: {known}); {_SIMPLE} is used"
        found(Finding(f"$.{FILTER}.matchType", told))
    matching = _MATCHING.get(match_type, _contains)
    plain = _judged(match_type, without_marks=bool(contents.get("disregardDiacritics")))
    sides: tuple[dict[str, _Matches], dict[str, _Matches]] = ({}, {})
    for field, applies in _CONTENTS.items():
        phrases = dict(_phrases(contents.get(field), f"$.{FILTER}.{field}", matching, plain, found))
        for side, is_judged in zip(sides, applies, strict=True):
            side |= phrases if is_judged else {}
    return _test(sides[0], plain), _test(sides[1], plain)


def _phrases(
    banned: JsonValue,
    path: str,
    matching: Callable[[str], _Matches],
    plain: Callable[[str], str],
    found: Sink,
) -> Iterator[tuple[str, _Matches]]:
    """Banned phrases, each with its test."""
    for index, phrase in enumerate(map(str, as_list(banned))):
        if not phrase.strip():
            found(Finding(f"{path}[{index}]", "is empty and is left out"))
            continue
        try:
            yield phrase, matching(plain(phrase))
        except ValueError:
            wrong = f"{phrase!r} is no regular expression of RE2, so it matches nothing"
            found(Finding(f"{path}[{index}]", wrong, Severity.ERROR))


def _contains(phrase: str) -> _Matches:
    return lambda text: phrase in text


def _contains_words(phrase: str) -> _Matches:
    # Not `re`, which takes a hundred times as long: guardrails have many phrases, and users may write a megabyte.
    literal = "".join(each if each.isalnum() or not each.isascii() else f"\\x{ord(each):02x}" for each in phrase)
    return _fits(rf"(?:^|{_NO_WORD}){literal}(?:$|{_NO_WORD})")


def _fits(expression: str) -> _Matches:
    """Raises `ValueError`. In linear time, as RE2: whoever writes to an agent must not be able to stop it."""
    schema: JsonObject = {"type": "string", "pattern": expression}
    options = jsonschema_rs.RegexOptions(size_limit=_MAX_BYTES)
    return jsonschema_rs.Draft202012Validator(schema, offline=True, pattern_options=options).is_valid


_MATCHING: Mapping[str, Callable[[str], _Matches]] = {
    _SIMPLE: _contains,
    "WORD_BOUNDARY_STRING_MATCH": _contains_words,
    _REGEXP: _fits,
}
"""By `MatchType`. Phrases match in either case, regular expressions as they say themselves."""


def _test(phrases: Mapping[str, _Matches], plain: Callable[[str], str]) -> _Test:
    def banned_in(text: str) -> str | None:
        judged = plain(text)
        return next((phrase for phrase, matches in phrases.items() if matches(judged)), None)

    return banned_in


def _judged(match_type: str, *, without_marks: bool) -> Callable[[str], str]:
    """What of a phrase or a text is compared; done once for each text, however many phrases there are."""
    plain: Callable[[str], str] = _plain if without_marks else str
    return plain if match_type == _REGEXP else lambda text: plain(text).casefold()


def _plain(text: str) -> str:
    """The text without diacritics."""
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
