"""A `dataStoreSpec` of Dialogflow CX, with the settings that exports have under their names: read, and checked."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.answers.prompts import rewrite_problems, summary_problems
from openplaybook.retrieval.base import StoreType
from openplaybook.tools.base import Problem
from openplaybook.tools.data_store.tool_settings import (
    DEFAULT_LEVEL,
    DEFAULT_SNIPPETS,
    LEVELS,
    MOST_SNIPPETS,
    ModelUse,
    SearchedStore,
    SearchToolSettings,
    is_off,
    model_name,
)

_PATH = "$.dataStoreSpec"
_TYPES = tuple(each.value for each in StoreType)
_MODES = ("DOCUMENT_PROCESSING_MODE_UNSPECIFIED", "DOCUMENTS", "CHUNKS")
_WHOLE = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class ReadSpec:
    """What a specification says, and all that is wrong with it."""

    settings: SearchToolSettings
    problems: Sequence[Problem] = field(default=())
    breaches: Sequence[Problem] = field(default=())
    """What no new tool may do, though exported ones do, and work."""


def read_data_store_spec(spec: JsonObject) -> ReadSpec:
    """Read a `Tool.DataStoreTool` (v3beta1, JSON form)."""
    models = as_object(spec.get("models"))
    summary, rewriter = as_object(models.get("summarizationModel")), as_object(models.get("rewriterModel"))
    grounding = as_object(spec.get("groundingSettings"))
    payload = as_object(spec.get("payloadSettings"))
    settings = SearchToolSettings(
        stores=tuple(_stores(spec)),
        rewriter=_model_use(rewriter) if rewriter else None,
        summary=_model_use(summary),
        level=None if grounding.get("disabled") is True else _level(grounding) or DEFAULT_LEVEL,
        judge=_judge(str(grounding.get("judgeModel") or "")),
        heuristics=grounding.get("heuristicsDisabled") is not True,
        payload_snippets=_payload_snippets(payload),
    )
    return ReadSpec(settings, (*_connection_problems(spec), *_setting_problems(spec)), tuple(_breaches(spec)))


def _stores(spec: JsonObject) -> Iterator[SearchedStore]:
    for connection in map(as_object, as_list(spec.get("dataStoreConnections"))):
        kind = connection.get("dataStoreType")
        yield SearchedStore(str(connection.get("dataStore") or ""), StoreType(kind) if kind in _TYPES else None)


def _judge(name: str) -> ModelUse | None:
    return ModelUse(model_name(name)) if name and not is_off(name) else None


def _model_use(member: JsonObject) -> ModelUse:
    name = str(member.get("model") or "")
    return ModelUse(model_name(name), str(member.get("promptText") or ""), is_off(name))


def _level(grounding: JsonObject) -> GroundingLevel | None:
    return GroundingLevel.__members__.get(str(grounding.get("groundingConfidence")))


def _payload_snippets(payload: JsonObject) -> int:
    if payload.get("enableSnippetsPayload") is not True:
        return 0
    return _whole(payload.get("maxSnippetsCount")) or DEFAULT_SNIPPETS


def _whole(value: JsonValue) -> int | None:
    """A whole number, also as text, as exports write it; None for anything else."""
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    return int(value) if is_number(value) and value == int(value) and value >= 0 else None


def _connection_problems(spec: JsonObject) -> Iterator[Problem]:
    path = f"{_PATH}.dataStoreConnections"
    connections = as_list(spec.get("dataStoreConnections"))
    if not connections:
        yield Problem(path, "at least one data store is required")
    for position, connection in enumerate(map(as_object, connections)):
        kind = str(connection.get("dataStoreType", ""))
        where = f"{path}[{position}]"
        if kind not in _TYPES:
            yield Problem(f"{where}.dataStoreType", f"must be one of {', '.join(_TYPES)}, got {kind!r}")
        yield from _name_problems(connection, where)


def _breaches(spec: JsonObject) -> Iterator[Problem]:
    counts: Counter[str] = Counter()
    for position, connection in enumerate(map(as_object, as_list(spec.get("dataStoreConnections")))):
        kind = str(connection.get("dataStoreType", ""))
        counts[kind] += 1
        if counts[kind] > 1 and kind in _TYPES:
            where = f"{_PATH}.dataStoreConnections[{position}].dataStoreType"
            yield Problem(where, f"a second {kind}; one of each type is allowed")


def _name_problems(connection: JsonObject, where: str) -> Iterator[Problem]:
    if not connection.get("dataStore"):
        yield Problem(f"{where}.dataStore", "is required (projects/…/dataStores/NAME)")
    mode = connection.get("documentProcessingMode")
    if mode is not None and mode not in _MODES:
        yield Problem(f"{where}.documentProcessingMode", f"must be one of {', '.join(_MODES)}, got {mode!r:.40}")


def _setting_problems(spec: JsonObject) -> Iterator[Problem]:
    models = as_object(spec.get("models"))
    for member, problems in (("summarizationModel", summary_problems), ("rewriterModel", rewrite_problems)):
        prompt = as_object(models.get(member)).get("promptText")
        if isinstance(prompt, str) and prompt.strip():
            yield from (Problem(f"{_PATH}.models.{member}.promptText", each) for each in problems(prompt))
    grounding = as_object(spec.get("groundingSettings"))
    if grounding.get("groundingConfidence") and not _level(grounding):
        got = str(grounding["groundingConfidence"])
        where = f"{_PATH}.groundingSettings.groundingConfidence"
        yield Problem(where, f"must be one of {', '.join(LEVELS)}, got {got!r:.40}")
    count = as_object(spec.get("payloadSettings")).get("maxSnippetsCount")
    if count is not None and ((number := _whole(count)) is None or number > MOST_SNIPPETS):
        where = f"{_PATH}.payloadSettings.maxSnippetsCount"
        yield Problem(where, f"must be a whole number from 0 to {MOST_SNIPPETS}, got {count!r:.40}")
