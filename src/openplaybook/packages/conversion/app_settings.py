"""Settings of an agent as those of an app: languages, the model, banned phrases; and parameters of playbooks as its
variables."""

from collections.abc import Iterable, Mapping

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.conversion.tool_converter import APP
from openplaybook.packages.report import Notes
from openplaybook.resources.ces.app_variables import variable_name
from openplaybook.resources.ces.schemas import ces_schema

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
    settings: JsonObject = {"model": llm["model"]} if llm.get("model") else {}
    temperature = as_object(llm.get("parameters")).get("temperature")
    if temperature is not None:
        settings["temperature"] = temperature
    lost = [key for key in as_object(llm.get("parameters")) if key != "temperature"]
    lost += ["promptText"] if llm.get("promptText") else []
    if lost:
        notes.left_out(place, f"settings of the model: {', '.join(lost)}")
    return settings


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
            "contentFilter": {"bannedContents": list(texts), "matchType": match},
            "action": {"respondImmediately": {"responses": [{"text": _REFUSAL}]}},
        }
        for number, (match, texts) in enumerate(phrases.items(), start=1)
        for name in ["banned_phrases" if number == 1 else f"banned_phrases_{number}"]
    ]


_PARAMETERS = ("inputParameterDefinitions", "outputParameterDefinitions")


def declared_variables(playbooks: Iterable[JsonObject], more: Iterable[str], notes: Notes) -> list[JsonObject]:
    """A declaration of each parameter of any playbook, and of `more` names that tools or instructions read.

    A session of an app has only declared variables, and one of each name for all agents.
    """
    declared: dict[str, JsonObject] = {}
    for playbook in playbooks:
        place = f"playbooks/{playbook.get('displayName', '')}"
        for key in _PARAMETERS:
            for definition in map(as_object, as_list(playbook.get(key))):
                _declare(declared, definition, place, notes)
    for name in map(variable_name, more):
        if name not in declared:
            declared[name] = {"name": name, "description": "", "schema": {"type": "STRING"}}
    return list(declared.values())


def _declare(declared: dict[str, JsonObject], definition: JsonObject, place: str, notes: Notes) -> None:
    written_name = str(definition.get("name", ""))
    name = variable_name(written_name)
    if name != written_name:
        notes.changed(place, f"the parameter {written_name} is the variable {name} now")
    schema = _schema(as_object(definition.get("typeSchema")))
    before = declared.get(name)
    if before is None:
        declared[name] = {"name": name, "description": str(definition.get("description", "")), "schema": schema}
    elif before["schema"] != schema:
        notes.changed(place, f"the parameter {name} is of another type elsewhere; there is one variable for both")


def _schema(type_schema: JsonObject) -> JsonObject:
    """A `TypeSchema` as a `Schema`; a text where it says nothing that can be told."""
    inline = as_object(type_schema.get("inlineSchema"))
    kind = str(inline.get("type") or "STRING").upper()
    if kind == "ARRAY":
        items = as_object(inline.get("items"))
        return {"type": "ARRAY", "items": _schema(items if "inlineSchema" in items else {"inlineSchema": items})}
    if kind in ("NUMBER", "BOOLEAN", "STRING"):
        return {"type": kind}
    return ces_schema({"type": "object"}) if type_schema.get("schemaReference") else {"type": "STRING"}
