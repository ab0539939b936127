"""Specifications of apps: which stores they search, and how they answer."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.base import StoreType
from openplaybook.tools.data_store.app_specs import read_app_tool, read_file_search
from openplaybook.tools.data_store.tool_settings import ModelUse, SearchedStore
from tests.kit.data_stores import DOCS, STORES

COLLECTION = "projects/p/locations/global/collections/default_collection"


def source(name: str = DOCS, kind: str = "", **more: object) -> JsonObject:
    return {"dataStore": {"name": name, **({"type": kind} if kind else {})}, **more}


def engine(*sources: JsonObject, **more: object) -> JsonObject:
    listed = {"dataStoreSources": list(sources)} if sources else {}
    return {"engineSource": {"engine": f"{COLLECTION}/engines/e", **listed, **more}}


@pytest.mark.parametrize(
    ("spec", "stores"),
    [
        ({"dataStoreSource": source(kind="FAQ")}, [SearchedStore(DOCS, StoreType.STRUCTURED)]),
        ({"dataStoreSource": source(filter="a = 1")}, [SearchedStore(DOCS, None, "a = 1")]),
        (
            engine(source(kind="PUBLIC_WEB"), source(f"{STORES}/faq", "FAQ", filter="b = 2"), filter="c = 3"),
            [
                SearchedStore(DOCS, StoreType.PUBLIC_WEB),
                SearchedStore(f"{STORES}/faq", StoreType.STRUCTURED, "b = 2"),
            ],
        ),
        (engine(filter="c = 3"), [SearchedStore(f"{COLLECTION}/dataStores/e", None, "c = 3")]),
    ],
)
def test_the_stores_of_either_source_are_searched(spec: JsonObject, stores: list[SearchedStore]) -> None:
    read = read_app_tool(spec)
    assert (list(read.problems), list(read.settings.stores)) == ([], stores)


def test_answers_are_made_as_the_configuration_for_text_says() -> None:
    configs: list[JsonObject] = [
        {"modalityType": "AUDIO", "groundingConfig": {"groundingLevel": 5}},
        {
            "modalityType": "TEXT",
            "rewriterConfig": {"modelSettings": {"model": "gemini-2.0-flash", "temperature": 0.2}},
            "summarizationConfig": {"disabled": True},
            "groundingConfig": {"groundingLevel": 2.5},
        },
    ]
    read = read_app_tool({"dataStoreSource": source(), "modalityConfigs": configs}).settings
    assert read.rewriter == ModelUse("gemini-2.0-flash", temperature=0.2)
    assert (read.summary, read.level) == (ModelUse(is_off=True), GroundingLevel.MEDIUM)
    assert read.snippets_below_level


@pytest.mark.parametrize(
    ("config", "level"),
    [
        ({}, GroundingLevel.LOW),
        ({"groundingLevel": 1}, GroundingLevel.VERY_LOW),
        ({"groundingLevel": 5.0}, GroundingLevel.VERY_HIGH),
        ({"groundingLevel": 5, "disabled": True}, None),
    ],
)
def test_levels_of_grounding_are_numbers(config: JsonObject, level: GroundingLevel | None) -> None:
    configs = [{"modalityType": "TEXT", "groundingConfig": config}]
    assert read_app_tool({"dataStoreSource": source(), "modalityConfigs": configs}).settings.level is level


def test_a_prompt_that_cannot_work_is_remarked_and_ours_is_used() -> None:
    configs = [{"modalityType": "TEXT", "summarizationConfig": {"prompt": "Say $rewritten-query"}}]
    read = read_app_tool({"dataStoreSource": source(), "modalityConfigs": configs})
    [problem] = read.problems
    assert problem.path == "$.dataStoreTool.modalityConfigs[0].summarizationConfig.prompt"
    assert problem.message == "a summarization prompt must contain $sources; ours is used in its place"
    assert (problem.is_error, read.settings.summary.prompt) == (False, "")


@pytest.mark.parametrize(
    ("spec", "takes"),
    [
        ({"dataStoreSource": source()}, False),
        ({"dataStoreSource": source(kind="CONNECTOR")}, True),
        (engine(source(), source(kind="CONNECTOR")), True),
        ({"dataStoreSource": source(kind="CONNECTOR"), "filterParameterBehavior": "NEVER_INCLUDE"}, False),
        ({"dataStoreSource": source(), "filterParameterBehavior": "ALWAYS_INCLUDE"}, True),
    ],
)
def test_the_model_may_filter_where_the_tool_says_so(spec: JsonObject, takes: bool) -> None:
    assert read_app_tool(spec).settings.takes_filter is takes


def test_the_corpus_of_a_file_search_is_a_store_of_its_location() -> None:
    read = read_file_search({"fileCorpus": "projects/p/locations/global/ragCorpora/docs"})
    assert read.settings.stores == (SearchedStore(DOCS, StoreType.UNSTRUCTURED),)
    assert read_file_search({"corpusType": "FULLY_MANAGED"}).settings.stores == ()
