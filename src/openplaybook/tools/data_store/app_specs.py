"""A `dataStoreTool` and a `fileSearchTool` of CX Agent Studio: read, and checked."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.answers.prompts import rewrite_problems, summary_problems
from openplaybook.retrieval.base import DEFAULT_COLLECTION, StoreType
from openplaybook.tools.base import Problem
from openplaybook.tools.data_store.dialogflow_spec import ReadSpec
from openplaybook.tools.data_store.tool_settings import (
    DEFAULT_LEVEL,
    LEVELS,
    ModelUse,
    SearchedStore,
    SearchToolSettings,
    is_off,
    model_name,
)

DATA_STORE = "$.dataStoreTool"
_FILE_SEARCH = "$.fileSearchTool"
_STORE = re.compile(r"projects/[^/]+/locations/[^/]+/collections/[^/]+/dataStores/[^/]+")
_ENGINE = re.compile(r"(projects/[^/]+/locations/[^/]+/collections/[^/]+)/engines/([^/]+)")
_CORPUS = re.compile(r"(projects/[^/]+/locations/[^/]+)/ragCorpora/([^/]+)")
_MODALITIES = ("TEXT", "AUDIO")
_TYPES = {
    "PUBLIC_WEB": StoreType.PUBLIC_WEB,
    "UNSTRUCTURED": StoreType.UNSTRUCTURED,
    "FAQ": StoreType.STRUCTURED,
    "CONNECTOR": StoreType.STRUCTURED,
}


def read_app_tool(spec: JsonObject) -> ReadSpec:
    """Read a `DataStoreTool` (v1beta, JSON form)."""
    config = _text_config(spec)
    rewriter, summary = as_object(config.get("rewriterConfig")), as_object(config.get("summarizationConfig"))
    settings = SearchToolSettings(
        stores=tuple(_stores(spec)),
        rewriter=_model_use(rewriter, rewrite_problems) if rewriter else None,
        summary=_model_use(summary, summary_problems),
        level=_level(as_object(config.get("groundingConfig"))),
        snippets_below_level=True,
        boosts=tuple(map(as_object, as_list(spec.get("boostSpecs")))),
        takes_filter=_takes_filter(spec),
    )
    problems = (
        *_source_problems(spec),
        *_modality_problems(spec),
        *boost_problems(spec.get("boostSpecs"), f"{DATA_STORE}.boostSpecs"),
    )
    return ReadSpec(settings, problems)


def read_file_search(spec: JsonObject) -> ReadSpec:
    """Read a `FileSearchTool` (v1beta, JSON form): its corpus is the store `dataStores/C` of the same location."""
    corpus = str(spec.get("fileCorpus") or "")
    found = _CORPUS.fullmatch(corpus)
    problems: list[Problem] = []
    if corpus and not found:
        problems.append(Problem(f"{_FILE_SEARCH}.fileCorpus", "must have the form projects/P/locations/L/ragCorpora/C"))
    stores = (SearchedStore(corpus_store(found[1], found[2]), StoreType.UNSTRUCTURED),) if found else ()
    return ReadSpec(SearchToolSettings(stores=stores, snippets_below_level=True, takes_filter=False), problems)


def corpus_store(location: str, corpus: str) -> str:
    """The store that stands for a file corpus of a location."""
    return f"{location}/collections/{DEFAULT_COLLECTION}/dataStores/{corpus}"


def _text_config(spec: JsonObject) -> JsonObject:
    """How answers in text are made; conversations here are in text."""
    configs = map(as_object, as_list(spec.get("modalityConfigs")))
    texts: list[JsonObject] = [each for each in configs if each.get("modalityType") == "TEXT"]
    return texts[0] if texts else {}


def _model_use(config: JsonObject, problems: Callable[[str], Sequence[str]]) -> ModelUse:
    settings = as_object(config.get("modelSettings"))
    name = str(settings.get("model") or "")
    temperature: JsonValue = settings.get("temperature")
    prompt = str(config.get("prompt") or "")
    return ModelUse(
        model_name(name),
        "" if problems(prompt) else prompt,
        config.get("disabled") is True or is_off(name),
        float(temperature) if is_number(temperature) else None,
    )


def _level(grounding: JsonObject) -> GroundingLevel | None:
    """By its number, 1 to 5; one between two of them asks for the upper one."""
    if grounding.get("disabled") is True:
        return None
    number: JsonValue = grounding.get("groundingLevel")
    if not is_number(number) or not 0 < number <= len(LEVELS):
        return DEFAULT_LEVEL
    return GroundingLevel(max(1, ceil(number)))


def _sources(spec: JsonObject) -> Iterator[JsonObject]:
    if "dataStoreSource" in spec:
        yield as_object(spec.get("dataStoreSource"))
    yield from map(as_object, as_list(as_object(spec.get("engineSource")).get("dataStoreSources")))


def _stores(spec: JsonObject) -> Iterator[SearchedStore]:
    """Those of the sources; of an engine without any the store that has the engine's id."""
    for source in _sources(spec):
        store = as_object(source.get("dataStore"))
        kind, own = _TYPES.get(str(store.get("type"))), str(source.get("filter") or "")
        yield SearchedStore(str(store.get("name") or ""), kind, own)
    engine = as_object(spec.get("engineSource"))
    found = _ENGINE.fullmatch(str(engine.get("engine") or ""))
    if found and not engine.get("dataStoreSources"):
        yield SearchedStore(f"{found[1]}/dataStores/{found[2]}", None, str(engine.get("filter") or ""))


def _source_problems(spec: JsonObject) -> Sequence[Problem]:
    data_store, engine = as_object(spec.get("dataStoreSource")), as_object(spec.get("engineSource"))
    if ("dataStoreSource" in spec) == ("engineSource" in spec):
        return [Problem(DATA_STORE, "exactly one of dataStoreSource and engineSource is required")]
    if "engineSource" not in spec:
        return _name_problems(data_store, f"{DATA_STORE}.dataStoreSource")
    form = "must have the form projects/P/locations/L/collections/C/engines/E"
    wrong = not _ENGINE.fullmatch(str(engine.get("engine") or ""))
    problems = [Problem(f"{DATA_STORE}.engineSource.engine", form)] if wrong else []
    for position, source in enumerate(as_list(engine.get("dataStoreSources"))):
        problems += _name_problems(as_object(source), f"{DATA_STORE}.engineSource.dataStoreSources[{position}]")
    return problems


def _name_problems(source: JsonObject, path: str) -> list[Problem]:
    if _STORE.fullmatch(str(as_object(source.get("dataStore")).get("name") or "")):
        return []
    form = "must have the form projects/P/locations/L/collections/C/dataStores/D"
    return [Problem(f"{path}.dataStore.name", form)]


def _modality_problems(spec: JsonObject) -> Iterator[Problem]:
    for position, config in enumerate(map(as_object, as_list(spec.get("modalityConfigs")))):
        where = f"{DATA_STORE}.modalityConfigs[{position}]"
        if config.get("modalityType") not in _MODALITIES:
            yield Problem(f"{where}.modalityType", f"must be one of {', '.join(_MODALITIES)}")
        level = as_object(config.get("groundingConfig")).get("groundingLevel", 0)
        # 0 is how the wire says that there is none.
        if level != 0 and not _lies_between(level, 1, len(LEVELS)):
            where_level = f"{where}.groundingConfig.groundingLevel"
            yield Problem(where_level, f"must be between 1 and {len(LEVELS)}, got {level}")
        yield from _prompt_problems(config, where)


def _prompt_problems(config: JsonObject, where: str) -> Iterator[Problem]:
    """Remarks alone: Google says of Dialogflow's prompts what they must have, and of these nothing."""
    for member, problems in (("summarizationConfig", summary_problems), ("rewriterConfig", rewrite_problems)):
        prompt = str(as_object(config.get(member)).get("prompt") or "")
        for message in problems(prompt) if prompt.strip() else ():
            yield Problem(f"{where}.{member}.prompt", f"{message}; ours is used in its place", is_error=False)


def boost_problems(specs: JsonValue, path: str) -> Iterator[Problem]:
    """What is wrong with the form of `BoostSpecs`; their conditions are read where they are used."""
    for at, group in enumerate(map(as_object, as_list(specs))):
        for inner, boost in enumerate(map(as_object, as_list(group.get("spec")))):
            for position, condition in enumerate(map(as_object, as_list(boost.get("conditionBoostSpecs")))):
                where = f"{path}[{at}].spec[{inner}].conditionBoostSpecs[{position}]"
                if not condition.get("condition"):
                    yield Problem(f"{where}.condition", "is required")
                if not _lies_between(condition.get("boost", 0), -1, 1):
                    yield Problem(f"{where}.boost", "must be between -1 and 1")


def _takes_filter(spec: JsonObject) -> bool:
    """Whether the model may narrow the search: as the tool says, else where a connector is searched."""
    behaviour = spec.get("filterParameterBehavior")
    if behaviour in ("ALWAYS_INCLUDE", "NEVER_INCLUDE"):
        return behaviour == "ALWAYS_INCLUDE"
    return any(as_object(source.get("dataStore")).get("type") == "CONNECTOR" for source in _sources(spec))


def _lies_between(value: JsonValue, least: float, most: float) -> bool:
    return is_number(value) and least <= value <= most
