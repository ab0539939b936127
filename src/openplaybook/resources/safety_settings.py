"""Phrases that an agent of Dialogflow may neither be told nor say: `GenerativeSettings.generative_safety_settings`."""

from collections.abc import Iterable, Iterator

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.banned_phrases import Matching, Phrases
from openplaybook.resources.guardrails import REFUSAL, Guardrail, RespondImmediately

_MATCHING = {"WORD_MATCH": Matching.WORDS}
"""By `default_banned_phrase_match_strategy`; a part of the text otherwise, as documented."""


def banned_phrases(agent: str, settings: Iterable[JsonObject]) -> tuple[Guardrail, ...]:
    """Guardrails of an agent by its `GenerativeSettings` in JSON form, one of each language's that bans something.

    All of them hold for every turn, whatever its language.
    """
    return tuple(_guardrails(agent, settings))


def _guardrails(agent: str, settings: Iterable[JsonObject]) -> Iterator[Guardrail]:
    for each in settings:
        safety = as_object(each.get("generativeSafetySettings"))
        texts = [str(as_object(phrase).get("text", "")) for phrase in as_list(safety.get("bannedPhrases"))]
        banned = tuple(dict.fromkeys(text for text in texts if text.strip()))
        if banned:
            strategy = str(safety.get("defaultBannedPhraseMatchStrategy", ""))
            phrases = Phrases(_MATCHING.get(strategy, Matching.SIMPLE), banned, without_marks=False)
            yield Guardrail(
                name=f"{agent}/generativeSettings",
                display_name="banned phrases",
                action=RespondImmediately((REFUSAL,)),
                judge_input=phrases.judge,
                judge_response=phrases.judge,
            )
