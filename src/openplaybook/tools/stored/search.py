"""Search tools of CX Agent Studio: data stores, uploaded files, the web."""

import re

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.tools.base import Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.stored.declaring import stored, text_input
from openplaybook.tools.stored.tool import StoredTool

_DATA_STORE = re.compile(r"projects/[^/]+/locations/[^/]+/collections/[^/]+/dataStores/[^/]+")
_ENGINE = re.compile(r"projects/[^/]+/locations/[^/]+/collections/[^/]+/engines/[^/]+")
_CORPUS = re.compile(r"projects/[^/]+/locations/[^/]+/ragCorpora/[^/]+")
_QUERY = "What to look for, as one self-contained question."
_MODALITIES = ("TEXT", "AUDIO")
_GROUNDING = (1, 5)
_MOST = {"contextUrls": 20, "preferredDomains": 20, "excludeDomains": 2000}


def build_data_store(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `dataStoreTool` (CES v1beta `DataStoreTool`, JSON form); raises `InvalidTool`."""
    path = "$.dataStoreTool"
    problems = [*_source_problems(spec, path), *_modality_problems(spec, path), *_boost_problems(spec, path)]
    schema = text_input("query", _QUERY, **({"filter": "Narrows the search."} if _takes_filter(spec) else {}))
    return stored("data store tools", resource, schema, problems, is_read_only=True)


def build_file_search(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `fileSearchTool` (CES v1beta `FileSearchTool`, JSON form); raises `InvalidTool`."""
    path, corpus = "$.fileSearchTool", str(spec.get("fileCorpus") or "")
    wrong = bool(corpus) and not _CORPUS.fullmatch(corpus)
    problems = (
        [Problem(f"{path}.fileCorpus", "must have the form projects/P/locations/L/ragCorpora/C")] if wrong else []
    )
    return stored("file search tools", resource, text_input("query", _QUERY), problems, is_read_only=True)


def build_google_search(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `googleSearchTool` (CES v1beta `GoogleSearchTool`, JSON form); raises `InvalidTool`."""
    problems = [
        Problem(f"$.googleSearchTool.{field}", f"has {count:,} entries; allowed are {most:,}")
        for field, most in _MOST.items()
        if (count := len(as_list(spec.get(field)))) > most
    ]
    return stored("Google Search tools", resource, text_input("query", _QUERY), problems, is_read_only=True)


def _source_problems(spec: JsonObject, path: str) -> list[Problem]:
    data_store, engine = as_object(spec.get("dataStoreSource")), as_object(spec.get("engineSource"))
    if ("dataStoreSource" in spec) == ("engineSource" in spec):
        return [Problem(path, "exactly one of dataStoreSource and engineSource is required")]
    if "engineSource" not in spec:
        return _name_problems(data_store, f"{path}.dataStoreSource")
    form = "must have the form projects/P/locations/L/collections/C/engines/E"
    wrong = not _ENGINE.fullmatch(str(engine.get("engine") or ""))
    problems = [Problem(f"{path}.engineSource.engine", form)] if wrong else []
    for position, source in enumerate(as_list(engine.get("dataStoreSources"))):
        problems += _name_problems(as_object(source), f"{path}.engineSource.dataStoreSources[{position}]")
    return problems


def _name_problems(source: JsonObject, path: str) -> list[Problem]:
    if _DATA_STORE.fullmatch(str(as_object(source.get("dataStore")).get("name") or "")):
        return []
    form = "must have the form projects/P/locations/L/collections/C/dataStores/D"
    return [Problem(f"{path}.dataStore.name", form)]


def _modality_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    least, most = _GROUNDING
    for position, config in enumerate(map(as_object, as_list(spec.get("modalityConfigs")))):
        where = f"{path}.modalityConfigs[{position}]"
        if config.get("modalityType") not in _MODALITIES:
            problems.append(Problem(f"{where}.modalityType", f"must be one of {', '.join(_MODALITIES)}"))
        level = as_object(config.get("groundingConfig")).get("groundingLevel", 0)
        # 0 is how the wire says that there is none.
        if level != 0 and not _lies_between(level, least, most):
            where = f"{where}.groundingConfig.groundingLevel"
            problems.append(Problem(where, f"must be between {least} and {most}, got {level}"))
    return problems


def _boost_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    for at, group in enumerate(map(as_object, as_list(spec.get("boostSpecs")))):
        for inner, boost in enumerate(map(as_object, as_list(group.get("spec")))):
            for position, condition in enumerate(map(as_object, as_list(boost.get("conditionBoostSpecs")))):
                where = f"{path}.boostSpecs[{at}].spec[{inner}].conditionBoostSpecs[{position}]"
                if not condition.get("condition"):
                    problems.append(Problem(f"{where}.condition", "is required"))
                if not _lies_between(condition.get("boost", 0), -1, 1):
                    problems.append(Problem(f"{where}.boost", "must be between -1 and 1"))
    return problems


def _takes_filter(spec: JsonObject) -> bool:
    """Whether the model may narrow the search: as the tool says, else where a connector is searched."""
    behaviour = spec.get("filterParameterBehavior")
    if behaviour in ("ALWAYS_INCLUDE", "NEVER_INCLUDE"):
        return behaviour == "ALWAYS_INCLUDE"
    engine = as_object(spec.get("engineSource"))
    sources = [as_object(spec.get("dataStoreSource")), *map(as_object, as_list(engine.get("dataStoreSources")))]
    return any(as_object(source.get("dataStore")).get("type") == "CONNECTOR" for source in sources)


def _lies_between(value: JsonValue, least: float, most: float) -> bool:
    return is_number(value) and least <= value <= most
