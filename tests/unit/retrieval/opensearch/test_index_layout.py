"""Indexes are made by us: names, mapping, analysers."""

from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.opensearch.index_layout import (
    ANALYZERS,
    alias_of,
    analysis_language,
    index_of,
    new_index,
)


def test_any_store_has_a_name_that_an_index_may_have() -> None:
    alias = alias_of("team", "projects/P/locations/ü/" + "x" * 500)
    assert len(alias) < 200
    assert alias == alias.lower()
    assert alias != alias_of("team", "projects/p")
    assert index_of(alias) == f"{alias}-1"


def test_each_language_has_fields_with_its_analyser() -> None:
    properties = new_index("store", "alias")["mappings"]["properties"]
    for language, analyzer in ANALYZERS.items():
        for place in (properties["heads"], properties["passages"]):
            fields = place["properties"][language]["properties"]
            assert [each["analyzer"] for each in fields.values()] == [analyzer, analyzer]
    named = sum(len(ANALYZERS) * 2 for _ in ("heads", "passages"))
    assert named < 1000, "index.mapping.total_fields.limit"


def test_documents_are_analysed_in_their_language_or_what_they_seem_to_be_in() -> None:
    def language(declared: str, title: str = "") -> str:
        return analysis_language(StoreDocument("a", title, "", (), language=declared))

    assert language("de") == "de"
    assert language("pt-BR") == "pt"
    assert language("tlh") == "und"
    assert language("", "Wie ist das Wetter und warum ist es so") == "de"
    assert language("", "12345") == "und"
