"""Guardrails of CX Agent Studio that can be judged here: content filters.

Those that ask a model (`llmPromptSecurity`, `llmPolicy`), set a provider's thresholds (`modelSafety`) or run code
(`codeCallback`) are kept, and not applied.
"""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.banned_phrases import Matching, Phrases
from openplaybook.resources.findings import Finding, Severity, Sink, discard
from openplaybook.resources.guardrails import (
    REFUSAL,
    GenerativeAnswer,
    Guardrail,
    GuardrailAction,
    RespondImmediately,
    Test,
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

_SIMPLE = Matching.SIMPLE
_CONTENTS = {
    "bannedContents": (True, True),
    "bannedContentsInUserInput": (True, False),
    "bannedContentsInAgentResponse": (False, True),
}
"""By the field of `ContentFilter`: whether it is held against the user's words, and against the agent's."""


def compile_guardrail(document: JsonObject, report: Sink = discard) -> Guardrail | None:
    """A `Guardrail` (v1beta JSON) as the engine judges by it; None for one that is disabled or is not applied here.

    Never raises: what cannot be used goes to `report`.
    """
    kind = next((kind for kind in KINDS if kind in document), "")
    if kind in NOT_APPLIED:
        report(Finding(f"$.{kind}", f"{NOT_APPLIED[kind]}; it is kept, and not applied here", Severity.REMARK))
    elif not kind:
        report(Finding("$", f"is a guardrail of no kind (known: {', '.join(KINDS)})", Severity.ERROR))
    if kind != FILTER:
        return None
    action = _action(as_object(document.get("action")), report)
    judge_input, judge_response = _tests(as_object(document[FILTER]), report)
    if not document.get("enabled"):
        return None
    return Guardrail(
        name=str(document.get("name") or ""),
        display_name=str(document.get("displayName") or ""),
        action=action,
        judge_input=judge_input,
        judge_response=judge_response,
    )


def _action(action: JsonObject, report: Sink) -> GuardrailAction:
    if "transferAgent" in action:
        return TransferAgent(str(as_object(action["transferAgent"]).get("agent") or ""))
    if "generativeAnswer" in action:
        return GenerativeAnswer(str(as_object(action["generativeAnswer"]).get("prompt") or ""))
    responses = map(as_object, as_list(as_object(action.get("respondImmediately")).get("responses")))
    texts = tuple(str(each["text"]) for each in responses if each.get("text") and not each.get("disabled"))
    if not texts:
        place = "$.action.respondImmediately.responses" if action else "$.action"
        report(Finding(place, f"says nothing to answer with; {REFUSAL!r} is used"))
    return RespondImmediately(texts or (REFUSAL,))


def _tests(contents: JsonObject, report: Sink) -> tuple[Test, Test]:
    """What is held against the user's words, and against the agent's."""
    match_type = str(contents.get("matchType") or "")
    known = {each.value: each for each in Matching}
    if contents and match_type not in known:
        message = (
            f"{match_type or 'nothing'} is not a way to match (known: {', '.join(known)}); {_SIMPLE.value} is used"
        )
        report(Finding(f"$.{FILTER}.matchType", message))
    matching = known.get(match_type, _SIMPLE)
    strips = bool(contents.get("disregardDiacritics"))
    sides: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for field, applies in _CONTENTS.items():
        phrases = dict.fromkeys(_phrases(contents.get(field), f"$.{FILTER}.{field}", matching, strips, report))
        for side, is_judged in zip(sides, applies, strict=True):
            side |= phrases if is_judged else {}
    of_user, of_agent = (Phrases(matching, tuple(side), strips) for side in sides)
    return of_user.judge, of_agent.judge


def _phrases(banned: JsonValue, path: str, matching: Matching, strips: bool, report: Sink) -> Sequence[str]:
    """Banned phrases; what is wrong with some is told where somebody wants to hear it."""
    phrases = [str(each) for each in as_list(banned)]
    if report is discard:
        return [each for each in phrases if each.strip()]
    unusable = set(Phrases(matching, phrases, strips).unusable())
    for index, phrase in enumerate(phrases):
        if not phrase.strip():
            report(Finding(f"{path}[{index}]", "is empty and is left out"))
        elif index in unusable:
            wrong = f"{phrase!r} is not a regular expression of RE2, so it matches nothing"
            report(Finding(f"{path}[{index}]", wrong, Severity.ERROR))
    return [each for each in phrases if each.strip()]
