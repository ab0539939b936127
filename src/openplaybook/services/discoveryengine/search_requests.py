"""From `SearchRequest` to what an engine is asked, with everything about it that can be wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.resources.errors import InvalidPageSize
from openplaybook.resources.page_tokens import read_token
from openplaybook.retrieval.base import Boost, SearchRequest, StoreFacts, store_name
from openplaybook.retrieval.errors import InvalidSearchConfig, InvalidSearchFilter
from openplaybook.retrieval.filters.evaluation import checked_filter
from openplaybook.retrieval.filters.syntax import Conjunction, FilterNode
from openplaybook.retrieval.ranking.search_config import boosts_in
from openplaybook.services.discoveryengine.facets import AskedFacet, read_facets
from openplaybook.services.discoveryengine.result_order import FieldOrder, read_order
from openplaybook.services.discoveryengine.store_names import name_in_branch
from openplaybook.services.discoveryengine.unserved_fields import SEARCH, refuse_unserved
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.wire.codec import Codec
from openplaybook.wire.messages import ApiMessage

CHUNKS = 2
"""`SearchResultMode.CHUNKS`."""
LARGEST_PAGE = 100
DEFAULT_PAGE = 10
FARTHEST = 10_000
"""Hits that can be skipped."""
LONGEST_QUERY = 4_000
"""Characters."""
MOST_SPECS = 5
"""Filters and boosts of a store by its name, each of which takes some milliseconds to read."""

_KNOWN_PARAMS = ("user_country_code",)
"""`params` that say nothing of what matches."""


@dataclass(frozen=True, slots=True)
class AskedSearch:
    """A search of one store."""

    request: SearchRequest
    is_by_chunk: bool
    """Whether passages are answered, and not documents."""
    has_snippets: bool
    segments: int
    """Extractive segments for each document, at most."""
    answers: int
    """Extractive answers for each document, at most."""
    order: tuple[FieldOrder, ...]
    """Of the results; none: by relevance."""
    facets: tuple[AskedFacet, ...]
    query: tuple[str, ...]
    """What page tokens are bound to."""


def asked_search(message: ApiMessage, facts: StoreFacts, codec: Codec) -> AskedSearch:
    """What a request asks of a store. Raises INVALID_ARGUMENT, UNIMPLEMENTED, `InvalidPageSize`, `InvalidPageToken`."""
    refuse_unserved(message, SEARCH)
    _check_branch(message)
    if not message.query and not message.filter:
        raise invalid(("query", "is required; only with a filter it may be empty"))
    if len(message.query) > LONGEST_QUERY:
        raise invalid(("query", f"is longer than {LONGEST_QUERY} characters"))
    spec = message.content_search_spec
    words = (facts.name, message.query, message.filter, message.boost_spec.SerializeToString().hex(), message.order_by)
    extractive = spec.extractive_content_spec
    is_by_chunk = spec.search_result_mode == CHUNKS
    has_snippets = spec.snippet_spec.return_snippet or message.explain
    request = SearchRequest(
        text=message.query,
        limit=_page_size(message.page_size),
        offset=_offset(message, words),
        filter=_filter(message, facts.name),
        boosts=tuple(_boosts(message, facts.name, codec)),
        language=message.language_code,
        most_per_document=0 if is_by_chunk else 1,
        explain=message.explain or has_snippets,
    )
    return AskedSearch(
        request=request,
        is_by_chunk=is_by_chunk,
        has_snippets=has_snippets,
        segments=_count(extractive.max_extractive_segment_count, "max_extractive_segment_count"),
        answers=_count(extractive.max_extractive_answer_count, "max_extractive_answer_count"),
        order=read_order(message.order_by),
        facets=read_facets(message, codec),
        query=words,
    )


def read_filter(text: str, field: str) -> FilterNode:
    """The tree of a filter that a field of a request has. Raises INVALID_ARGUMENT."""
    try:
        return checked_filter(text)
    except InvalidSearchFilter as error:
        raise invalid((field, str(error))) from error


def _check_branch(message: ApiMessage) -> None:
    if message.branch:
        name_in_branch(message.branch, field="branch")
    for key in message.params:
        if key not in _KNOWN_PARAMS:
            raise unimplemented(f"params.{key} is not served; use filter")


def _page_size(asked: int) -> int:
    if asked < 0:
        raise InvalidPageSize(asked)
    return min(asked or DEFAULT_PAGE, LARGEST_PAGE)


def _offset(message: ApiMessage, words: tuple[str, ...]) -> int:
    if message.offset < 0:
        raise invalid(("offset", f"is {message.offset}; it must be 0 or more"))
    offset: int = read_token(words, message.page_token) if message.page_token else message.offset
    if offset > FARTHEST:
        raise invalid(("offset", f"is {offset}; at most {FARTHEST} results can be skipped"))
    return offset


def _filter(message: ApiMessage, store: str) -> FilterNode | None:
    nodes = [read_filter(message.filter, "filter")] if message.filter else []
    for index, spec in _specs_of(message, store):
        if spec.filter:
            nodes.append(read_filter(spec.filter, f"data_store_specs[{index}].filter"))
    return Conjunction(tuple(nodes)) if len(nodes) > 1 else next(iter(nodes), None)


def _boosts(message: ApiMessage, store: str, codec: Codec) -> Iterator[Boost]:
    try:
        yield from boosts_in(codec.to_json(message.boost_spec))
        for index, spec in _specs_of(message, store):
            yield from boosts_in(codec.to_json(spec.boost_spec), f"dataStoreSpecs[{index}].boostSpec")
    except InvalidSearchConfig as error:
        raise invalid(("boost_spec", str(error))) from error


def _specs_of(message: ApiMessage, store: str) -> Iterator[tuple[int, ApiMessage]]:
    """What a request says of its store by name. Raises INVALID_ARGUMENT where it names another one."""
    if len(message.data_store_specs) > MOST_SPECS:
        count = len(message.data_store_specs)
        raise invalid(("data_store_specs", f"are {count}, all for the one store; at most {MOST_SPECS} can be given"))
    for index, spec in enumerate(message.data_store_specs):
        if store_name(spec.data_store) != store:
            raise invalid((f"data_store_specs[{index}].data_store", f"must be {store}, which is searched"))
        yield index, spec


def _count(asked: int, name: str) -> int:
    if asked < 0:
        raise invalid((f"content_search_spec.extractive_content_spec.{name}", "must be 0 or more"))
    return min(asked, DEFAULT_PAGE)
