"""What of each store is searched: the filter and the boosts that hold there, from the tool, the request and the call.

A filter of the call that cannot be read is left out, and a note says so. One of the tool or of the request's
`searchConfig` is an error: whoever wrote it meant it to keep something out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.retrieval.base import Boost
from openplaybook.retrieval.errors import InvalidSearchConfig, InvalidSearchFilter
from openplaybook.retrieval.filters.evaluation import checked_filter
from openplaybook.retrieval.filters.syntax import Conjunction, FilterNode
from openplaybook.retrieval.ranking.search_config import SearchConfig, search_config
from openplaybook.tools.data_store.references import ReferencedValues, UnresolvedReference
from openplaybook.tools.data_store.tool_settings import SearchToolSettings


@dataclass(frozen=True, slots=True)
class CallFilter:
    """The filter that a call gives."""

    node: FilterNode | None
    note: str = ""
    """Why it is left out, for the trace; empty where it is not."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """What holds for the stores of a call, by whole name."""

    config: SearchConfig
    of_call: FilterNode | None = None

    def filter_for(self, store: str) -> FilterNode | None:
        """All that a document of a store has to meet."""
        own = self.config.filter_for(store)
        both = [each for each in (own, self.of_call) if each is not None]
        return Conjunction(tuple(both)) if len(both) > 1 else (both[0] if both else None)

    def boosts_for(self, store: str) -> tuple[Boost, ...]:
        """All boosts for a store."""
        return self.config.boosts_for(store)


def call_filter(text: str) -> CallFilter:
    """Read the filter of a call. Never raises."""
    if not text.strip():
        return CallFilter(None)
    try:
        return CallFilter(checked_filter(text))
    except InvalidSearchFilter as error:
        return CallFilter(None, f"The filter was ignored: {error}.")


def effective_config(
    settings: SearchToolSettings, stores: Sequence[str], requested: JsonObject, values: ReferencedValues
) -> SearchConfig:
    """What the request's `searchConfig` says, which replaces what the tool says; else what the tool says.

    `stores` are the whole names of the tool's, in its order: specs that name no store are meant for all of them.
    Raises `InvalidSearchConfig`.
    """
    if requested:
        return search_config(_for_stores(requested, stores))
    filters: list[JsonValue] = [
        {"dataStores": [name], "filter": _resolved(store.filter, values, f"the filter for {name}")}
        for store, name in zip(settings.stores, stores, strict=True)
        if store.filter.strip()
    ]
    boosts: list[JsonValue] = [_resolved_boosts(each, values) for each in settings.boosts]
    return search_config(_for_stores({"boostSpecs": boosts, "filterSpecs": filters}, stores))


def _for_stores(config: JsonObject, stores: Sequence[str]) -> JsonObject:
    """The configuration with all stores where a spec names none."""

    def named(specs: JsonValue) -> Iterator[JsonValue]:
        for each in as_list(specs):
            spec = as_object(each)
            yield spec if not isinstance(each, dict) or spec.get("dataStores") else {**spec, "dataStores": [*stores]}

    return {**config, **{key: [*named(config[key])] for key in ("boostSpecs", "filterSpecs") if key in config}}


def _resolved_boosts(group: JsonObject, values: ReferencedValues) -> JsonObject:
    """`BoostSpecs` with the values of references in their conditions."""

    def condition(spec: JsonObject) -> JsonObject:
        text = spec.get("condition")
        return {**spec, "condition": _resolved(text, values, "a boost")} if isinstance(text, str) else spec

    specs = [
        {
            **spec,
            "conditionBoostSpecs": [condition(as_object(each)) for each in as_list(spec.get("conditionBoostSpecs"))],
        }
        for spec in map(as_object, as_list(group.get("spec")))
    ]
    return {**group, "spec": specs}


def _resolved(text: str, values: ReferencedValues, what: str) -> str:
    try:
        return values.resolve(text)
    except UnresolvedReference as error:
        raise InvalidSearchConfig(str(error), what) from error
