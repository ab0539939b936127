"""Fields of requests that are refused by name, so that nobody takes for done what is not.

Fields that are not in here are served, or say nothing of what is answered: who asks, for statistics, and how hard the
search may try (`queryExpansionSpec`, `spellCorrectionSpec`, the model of an extracted summary).
"""

from collections.abc import Mapping, Sequence

from openplaybook.services.errors import unimplemented
from openplaybook.wire.messages import ApiMessage

_ONE_STORE = "a search is of one store"
_NO_MODEL = "what this API answers is extracted, not written by a model; a data store tool has prompts"
_RELEVANCE = "use boost_spec"
_PARSING = "data_store.document_processing_config"
_NO_OCR = "scans are not read; import documents that contain text"
_NO_ANNOTATION = "images are not read, and tables are read as text"
_NO_ACCESS = "who reaches a store sees all that is in it"

SEARCH: Mapping[str, str] = {
    "image_query": "write a query",
    "page_categories": "use filter",
    "one_box_page_size": _ONE_STORE,
    "num_results_per_data_store": _ONE_STORE,
    "canonical_filter": "use filter",
    "ranking_expression": _RELEVANCE,
    "ranking_expression_backend": _RELEVANCE,
    "custom_ranking_params": _RELEVANCE,
    "safe_search": "nothing is known of what is fit for whom",
    "natural_language_query_understanding_spec": "use filter",
    "search_as_you_type_spec": "a query is searched as it is",
    "display_spec": "snippets mark what was found",
    "crowding_specs": "each document is found once",
    "session": "use the sessions of agents",
    "session_spec": "use the sessions of agents",
    "relevance_threshold": _RELEVANCE,
    "relevance_filter_spec": _RELEVANCE,
    "relevance_score_spec": "use explain",
    "content_search_spec.summary_spec.model_prompt_spec": _NO_MODEL,
    "content_search_spec.extractive_content_spec.num_previous_segments": "use larger chunks",
    "content_search_spec.extractive_content_spec.num_next_segments": "use larger chunks",
    "content_search_spec.chunk_spec.num_previous_chunks": "use larger chunks",
    "content_search_spec.chunk_spec.num_next_chunks": "use larger chunks",
}
"""Of `SearchRequest`: path, and what to do instead."""

ANSWER: Mapping[str, str] = {
    "session": "leave it empty, and send whole questions; the sessions of agents complete them",
    "asynchronous_mode": "answers are given at once",
    "safety_spec": "agents have banned phrases",
    "grounding_spec.include_grounding_supports": "use check_grounding",
    "related_questions_spec": "no questions are suggested",
    "query_understanding_spec": "send whole questions",
    "end_user_spec": "data store tools have userMetadata",
    "answer_generation_spec.prompt_spec": _NO_MODEL,
    "search_spec.search_result_list": "use search_params",
    "search_spec.search_params.order_by": "an answer is made of what fits best",
    "search_spec.search_params.data_store_specs": _ONE_STORE,
}
"""Of `AnswerQueryRequest`."""

WRITE_STORE: Mapping[str, str] = {
    "cmek_config_name": "encrypt the disk",
    "data_store.kms_key_name": "encrypt the disk",
    "data_store.acl_enabled": _NO_ACCESS,
    "data_store.identity_mapping_store": _NO_ACCESS,
    "data_store.workspace_config": "create a store and import documents",
    "data_store.healthcare_fhir_config": "import the records as documents",
    "data_store.starting_schema": "the schema is found out from the documents",
    "data_store.natural_language_query_understanding_config": "use filter",
    "data_store.advanced_site_search_config.disable_initial_index": "create the target sites later",
    **{
        f"{_PARSING}.{place}.{name}": instead
        for place in ("default_parsing_config", "parsing_config_overrides.*")
        for name, instead in (
            ("ocr_parsing_config", _NO_OCR),
            ("layout_parsing_config.enable_image_annotation", _NO_ANNOTATION),
            ("layout_parsing_config.enable_table_annotation", _NO_ANNOTATION),
        )
    },
}
"""Of `CreateDataStoreRequest` and `UpdateDataStoreRequest`."""


def refuse_unserved(request: ApiMessage, unserved: Mapping[str, str]) -> None:
    """UNIMPLEMENTED for the first of these paths that a request sets."""
    for path, instead in unserved.items():
        if _is_set(request, path.split(".")):
            raise unimplemented(f"{path} is not served: {instead}")


def _is_set(message: ApiMessage, path: Sequence[str]) -> bool:
    """Whether a message has something at a path, in which `*` stands for all values of a map."""
    step, *rest = path
    if not rest:
        return any(field.name == step for field, _ in message.ListFields())
    if rest[0] == "*":
        return any(_is_set(each, rest[1:]) for each in getattr(message, step).values())
    return message.HasField(step) and _is_set(getattr(message, step), rest)
