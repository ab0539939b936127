"""Settings of an agent as those of an app: languages, the model, banned phrases."""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.conversion.naming import APP
from openplaybook.packages.report import Notes

_REFUSAL = "I cannot talk about that."
_AGENT_LEFT_OUT = (
    "advancedSettings",
    "answerFeedbackSettings",
    "clientCertificateSettings",
    "genAppBuilderSettings",
    "gitIntegrationSettings",
    "personalizationSettings",
    "speechToTextSettings",
    "textToSpeechSettings",
)


def app_settings(agent: JsonObject, notes: Notes) -> JsonObject:
    """Title, languages and time zone of the app."""
    app: JsonObject = {"displayName": str(agent.get("displayName") or "Converted agent")}
    if agent.get("description"):
        app["description"] = agent["description"]
    languages: JsonObject = {}
    if agent.get("defaultLanguageCode"):
        languages["defaultLanguageCode"] = agent["defaultLanguageCode"]
    if agent.get("supportedLanguageCodes"):
        languages["supportedLanguageCodes"] = agent["supportedLanguageCodes"]
    if languages:
        app["languageSettings"] = languages
    if agent.get("timeZone"):
        app["timeZoneSettings"] = {"timeZone": agent["timeZone"]}
    lost = [key for key in _AGENT_LEFT_OUT if agent.get(key)]
    if lost:
        notes.left_out("agent.json", f"settings of the agent: {', '.join(lost)}")
    return app


def model_settings(llm: JsonObject, place: str, notes: Notes) -> JsonObject:
    """`LlmModelSettings` as `ModelSettings`."""
    made: JsonObject = {"model": llm["model"]} if llm.get("model") else {}
    temperature = as_object(llm.get("parameters")).get("temperature")
    if temperature is not None:
        made["temperature"] = temperature
    lost = [key for key in as_object(llm.get("parameters")) if key != "temperature"]
    lost += ["promptText"] if llm.get("promptText") else []
    if lost:
        notes.left_out(place, f"settings of the model: {', '.join(lost)}")
    return made


def generative_settings(
    settings: Mapping[str, JsonObject], language: str, notes: Notes
) -> tuple[JsonObject, list[JsonObject]]:
    """The app's model settings, by the settings of its default language, and its guardrails, by those of all."""
    own = settings[language] if language in settings else as_object(next(iter(settings.values()), None))
    model = model_settings(as_object(own.get("llmModelSettings")), "generativeSettings", notes)
    for code, each in settings.items():
        place = f"generativeSettings/{code}"
        safety = as_object(each.get("generativeSafetySettings"))
        lost = [key for key in each if key.endswith("Settings") and each[key] and key not in _CARRIED]
        lost += [key for key in safety if key not in _SAFETY_CARRIED and safety[key]]
        if lost:
            notes.left_out(place, f"generative settings: {', '.join(lost)}")
    return model, _guardrails(settings, notes)


_CARRIED = ("llmModelSettings", "generativeSafetySettings")
_SAFETY_CARRIED = ("bannedPhrases", "defaultBannedPhraseMatchStrategy")


def _guardrails(settings: Mapping[str, JsonObject], notes: Notes) -> list[JsonObject]:
    phrases: dict[str, dict[str, None]] = {}
    for each in settings.values():
        safety = as_object(each.get("generativeSafetySettings"))
        is_whole_word = safety.get("defaultBannedPhraseMatchStrategy") == "WORD_MATCH"
        match = "WORD_BOUNDARY_STRING_MATCH" if is_whole_word else "SIMPLE_STRING_MATCH"
        for phrase in map(as_object, as_list(safety.get("bannedPhrases"))):
            phrases.setdefault(match, {})[str(phrase.get("text", ""))] = None
    if phrases:
        notes.changed("generativeSettings", f"banned phrases are guardrails that answer {_REFUSAL!r}, in any language")
    return [
        {
            "name": f"{APP}/guardrails/{name}",
            "displayName": name,
            "enabled": True,
            "contentFilter": {"bannedContents": list(found), "matchType": match},
            "action": {"respondImmediately": {"responses": [{"text": _REFUSAL}]}},
        }
        for number, (match, found) in enumerate(phrases.items(), start=1)
        for name in ["banned_phrases" if number == 1 else f"banned_phrases_{number}"]
    ]
