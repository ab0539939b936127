"""Playbooks as the engine reads them, from stored v3beta1 JSON or an older export."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.compiled_forms import LlmSettings, Playbook
from openplaybook.resources.findings import Finding, Severity, Sink, discard
from openplaybook.resources.parameter_definitions import compile_parameters
from openplaybook.resources.playbook_handlers import compile_handlers
from openplaybook.resources.playbook_instructions import compile_instructions

_LIMITS = ("SHORT", "MEDIUM", "LONG")
_TYPES = ("TASK", "ROUTINE")


def compile_playbook(resource: JsonObject, report: Sink = discard) -> Playbook:
    """The playbook that a stored resource describes. Never raises for what the resource holds."""
    has_code = bool(as_object(resource.get("codeBlock")).get("code"))
    if has_code:
        report(Finding("$.codeBlock.code", "the code block is kept, but not run", Severity.REMARK))
    return Playbook(
        name=_text(resource, "name", report),
        display_name=_text(resource, "displayName", report),
        goal=_text(resource, "goal", report),
        steps=compile_instructions(resource, report),
        is_routine=_is_routine(resource, report),
        input_parameters=compile_parameters(
            resource.get("inputParameterDefinitions"), "$.inputParameterDefinitions", report
        ),
        output_parameters=compile_parameters(
            resource.get("outputParameterDefinitions"), "$.outputParameterDefinitions", report
        ),
        referenced_tools=_names(resource.get("referencedTools")),
        referenced_playbooks=_names(resource.get("referencedPlaybooks")),
        settings=compile_llm_settings(resource.get("llmModelSettings"), "$.llmModelSettings", report),
        handlers=compile_handlers(resource.get("handlers"), "$.handlers", report),
        has_code=has_code,
    )


def compile_llm_settings(value: JsonValue, path: str = "$.llmModelSettings", report: Sink = discard) -> LlmSettings:
    """Model settings of an agent, a playbook or a request: one `LlmModelSettings` in JSON."""
    settings = as_object(value)
    parameters = as_object(settings.get("parameters"))
    temperature = parameters.get("temperature")
    if temperature is not None and not _is_temperature(temperature):
        report(Finding(f"{path}.parameters.temperature", "is not a number from 0 to 2 and is left out"))
        temperature = None
    return LlmSettings(
        model=_text(settings, "model", report, path) or None,
        prompt_text=_text(settings, "promptText", report, path) or None,
        temperature=None if temperature is None else float(temperature),
        input_token_limit=_token_limit(parameters, "inputTokenLimit", "INPUT_TOKEN_LIMIT_", path, report),
        output_token_limit=_token_limit(parameters, "outputTokenLimit", "OUTPUT_TOKEN_LIMIT_", path, report),
    )


def _is_temperature(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 2


def _token_limit(parameters: JsonObject, key: str, prefix: str, path: str, report: Sink) -> str | None:
    value = parameters.get(key)
    if value is None or value == f"{prefix}UNSPECIFIED":
        return None
    limit = value.removeprefix(prefix) if isinstance(value, str) else ""
    if limit not in _LIMITS:
        allowed = ", ".join(prefix + name for name in _LIMITS)
        report(Finding(f"{path}.parameters.{key}", f"{value!r} is not a limit (known: {allowed})"))
        return None
    return limit


def _is_routine(resource: JsonObject, report: Sink) -> bool:
    """Whether it is a routine. The type is absent from most exports; such a playbook is a task."""
    value = resource.get("playbookType", "PLAYBOOK_TYPE_UNSPECIFIED")
    if value not in (*_TYPES, "PLAYBOOK_TYPE_UNSPECIFIED"):
        report(Finding("$.playbookType", f"{value!r} is not a type of playbook (known: {', '.join(_TYPES)})"))
    return value == "ROUTINE"


def _names(value: JsonValue) -> tuple[str, ...]:
    return tuple(name for name in as_list(value) if isinstance(name, str) and name)


def _text(resource: JsonObject, key: str, report: Sink, path: str = "$") -> str:
    value = resource.get(key, "")
    if not isinstance(value, str):
        report(Finding(f"{path}.{key}", "is not a text and is left out", Severity.ERROR))
        return ""
    return value
