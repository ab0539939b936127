"""A `dataStoreSpec`: what it says, and everything that is wrong with it."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.base import StoreType
from openplaybook.tools.data_store.dialogflow_spec import read_data_store_spec
from openplaybook.tools.data_store.tool_settings import ModelUse, SearchToolSettings
from tests.kit.data_stores import connection

PREFIX = "$.dataStoreSpec"
ALL_KINDS = ["PUBLIC_WEB", "STRUCTURED", "UNSTRUCTURED"]
PROMPT = "Answer $original-query from $sources"


def settings(**spec: object) -> SearchToolSettings:
    return read_data_store_spec({"dataStoreConnections": [connection()], **spec}).settings


def problems(**spec: object) -> list[tuple[str, str]]:
    found = read_data_store_spec({"dataStoreConnections": [connection()], **spec}).problems
    assert all(each.is_error for each in found)
    return [(each.path.removeprefix(PREFIX), each.message) for each in found]


def test_one_store_of_each_type_is_searched() -> None:
    read = read_data_store_spec({"dataStoreConnections": [connection(kind=kind) for kind in ALL_KINDS]})
    assert not read.problems
    assert [each.type for each in read.settings.stores] == [StoreType(kind) for kind in ALL_KINDS]


def test_a_second_store_of_a_type_is_searched_though_no_new_tool_may_have_it() -> None:
    read = read_data_store_spec({"dataStoreConnections": [connection(), connection(kind="STRUCTURED"), connection()]})
    assert not read.problems
    assert [(each.path, each.message, each.is_error) for each in read.breaches] == [
        (f"{PREFIX}.dataStoreConnections[2].dataStoreType", "a second UNSTRUCTURED; one of each type is allowed", True)
    ]
    assert len(read.settings.stores) == 3


@pytest.mark.parametrize(
    ("connections", "expected"),
    [
        ([], [("", "at least one data store is required")]),
        (
            [connection(kind="")],
            [("[0].dataStoreType", "must be one of PUBLIC_WEB, UNSTRUCTURED, STRUCTURED, got ''")],
        ),
        ([connection(store="")], [("[0].dataStore", "is required (projects/…/dataStores/NAME)")]),
        (
            [{**connection(), "documentProcessingMode": "PAGES"}],
            [
                (
                    "[0].documentProcessingMode",
                    "must be one of DOCUMENT_PROCESSING_MODE_UNSPECIFIED, DOCUMENTS, CHUNKS, got 'PAGES'",
                )
            ],
        ),
        (
            ["text"],
            [
                ("[0].dataStoreType", "must be one of PUBLIC_WEB, UNSTRUCTURED, STRUCTURED, got ''"),
                ("[0].dataStore", "is required (projects/…/dataStores/NAME)"),
            ],
        ),
    ],
)
def test_every_problem_of_a_connection_is_told_with_its_place(
    connections: list[object], expected: list[tuple[str, str]]
) -> None:
    assert problems(dataStoreConnections=connections) == [
        (f".dataStoreConnections{path}", message) for path, message in expected
    ]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            {"models": {"summarizationModel": {"promptText": "Answer $original-query"}}},
            [(".models.summarizationModel.promptText", "a summarization prompt must contain $sources")],
        ),
        (
            {"models": {"rewriterModel": {"promptText": "Rewrite"}}},
            [(".models.rewriterModel.promptText", "a rewriter prompt must contain $original-query")],
        ),
        (
            {"groundingSettings": {"groundingConfidence": "SOME"}},
            [
                (
                    ".groundingSettings.groundingConfidence",
                    "must be one of VERY_LOW, LOW, MEDIUM, HIGH, VERY_HIGH, got 'SOME'",
                )
            ],
        ),
        (
            {"payloadSettings": {"maxSnippetsCount": 101}},
            [(".payloadSettings.maxSnippetsCount", "must be a whole number from 0 to 100, got 101")],
        ),
        (
            {"payloadSettings": {"maxSnippetsCount": "few"}},
            [(".payloadSettings.maxSnippetsCount", "must be a whole number from 0 to 100, got 'few'")],
        ),
        ({"models": {"summarizationModel": {"promptText": PROMPT}}}, []),
        ({"models": {"summarizationModel": {"promptText": " "}}}, []),
    ],
)
def test_a_setting_that_cannot_work_is_refused_with_its_place(
    spec: JsonObject, expected: list[tuple[str, str]]
) -> None:
    assert problems(**spec) == expected


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("default", ModelUse()),
        ("gemini_pro", ModelUse("gemini-1.0-pro")),
        ("gemini_15_flash_001", ModelUse("gemini-1.5-flash-001")),
        ("gemini_20_flash_001", ModelUse("gemini-2.0-flash-001")),
        ("text_bison_002", ModelUse("text-bison@002")),
        ("text-bison@002", ModelUse("text-bison@002")),
        ("gemini-1.0-pro-001", ModelUse("gemini-1.0-pro-001")),
        ("Disabled", ModelUse("Disabled", is_off=True)),
    ],
)
def test_models_are_known_by_their_names_in_exports(name: str, use: ModelUse) -> None:
    assert settings(models={"summarizationModel": {"model": name}}).summary == use


@pytest.mark.parametrize(
    ("name", "use"), [("", None), ("Disabled", None), ("model_default", ModelUse()), ("mine", ModelUse("mine"))]
)
def test_a_model_judges_only_where_one_is_named(name: str, use: ModelUse | None) -> None:
    assert settings(groundingSettings={"judgeModel": name}).judge == use


def test_no_model_rewrites_unless_the_tool_names_one() -> None:
    assert settings().rewriter is None
    assert settings(models={"rewriterModel": {"model": "default"}}).rewriter == ModelUse()


@pytest.mark.parametrize(
    ("grounding", "level", "heuristics"),
    [
        ({}, GroundingLevel.LOW, True),
        ({"groundingConfidence": "HIGH"}, GroundingLevel.HIGH, True),
        ({"groundingConfidence": "HIGH", "disabled": True}, None, True),
        ({"groundingConfidence": "VERY_LOW", "heuristicsDisabled": True}, GroundingLevel.VERY_LOW, False),
    ],
)
def test_grounding_has_the_level_that_was_chosen(
    grounding: JsonObject, level: GroundingLevel | None, heuristics: bool
) -> None:
    read = settings(groundingSettings=grounding)
    assert (read.level, read.heuristics) == (level, heuristics)


@pytest.mark.parametrize(
    ("payload", "count"),
    [
        ({}, 0),
        ({"maxSnippetsCount": "9"}, 0),
        ({"enableSnippetsPayload": True}, 5),
        ({"enableSnippetsPayload": True, "maxSnippetsCount": "2"}, 2),
        ({"enableSnippetsPayload": True, "maxSnippetsCount": 9}, 9),
    ],
)
def test_the_count_of_snippets_may_be_text_as_in_exports(payload: JsonObject, count: int) -> None:
    assert settings(payloadSettings=payload).payload_snippets == count
