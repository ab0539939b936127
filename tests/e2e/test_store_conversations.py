"""A conversation with a data store, by Google's own clients: one fills the store, the other asks and reads signals."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.e2e.kit.google import VERSIONS, Google
from tests.e2e.kit.rest import LOCATION, Rest, words
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background

PARENT = f"{LOCATION}/collections/default_collection"
STORE = f"{PARENT}/dataStores/help"
TEXT = "Returns are free for 30 days after delivery."
DOCUMENTS = [
    {
        "id": id,
        "struct_data": {"title": id.title(), "uri": f"https://shop.test/{id}", "country": country},
        "content": {"mime_type": "text/plain", "raw_bytes": text.encode()},
    }
    for id, country, text in (("returns", "CA", TEXT), ("shipping", "DE", "Shipping costs 5 euros."))
]
QUESTION = "How long are returns free?"
_SESSIONS = count()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Server]:
    """A server with a store that has two documents."""
    with running(tmp_path_factory.mktemp("help")) as started:
        google = Google("v1", "grpc", started, background, "discoveryengine")
        store = {"display_name": "Help", "industry_vertical": "GENERIC", "content_config": "CONTENT_REQUIRED"}
        made = google("DataStoreService").create_data_store(parent=PARENT, data_store=store, data_store_id="help")
        assert made.result(timeout=30).name == STORE
        branch = f"{STORE}/branches/default_branch"
        imported = google("DocumentService").import_documents(
            request={"parent": branch, "inline_source": {"documents": DOCUMENTS}}
        )
        assert not imported.result(timeout=30).error_samples
        yield started
        google.close()


@pytest.fixture(scope="module")
def agent(server: Server) -> str:
    """An agent whose tool shows one snippet."""
    rest = Rest(server.http)
    name = rest.agent()
    connection = {"dataStoreType": "UNSTRUCTURED", "dataStore": STORE}
    payload = {"enableSnippetsPayload": True, "maxSnippetsCount": 1}
    spec = {"dataStoreConnections": [connection], "fallbackPrompt": {}, "payloadSettings": payload}
    rest.tool(name, "docs", dataStoreSpec=spec)
    rest.start(name, "Answer questions with ${TOOL: docs}.")
    return name


@pytest.mark.proves("D2", "X1", "X3")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("transport", ["rest", "grpc"])
def test_a_question_is_answered_with_its_sources(
    server: Server, agent: str, background: Background, version: str, transport: str
) -> None:
    google = Google(version, transport, server, background)
    request = {
        "session": f"{agent}/sessions/s{next(_SESSIONS)}",
        "query_input": {"text": {"text": QUESTION}, "language_code": "en"},
        "query_params": {"populate_data_store_connection_signals": True},
    }
    result = google("Sessions").detect_intent(request=request).query_result
    google.close()
    said, shown = result.response_messages
    assert list(said.text.text) == [TEXT]
    [[info]] = shown.payload["richContent"]
    assert (info["title"], info["actionLink"]) == ("Returns", "https://shop.test/returns")
    signals = result.data_store_connection_signals
    assert signals.answer == TEXT
    assert signals.cited_snippets[0].search_snippet.document_uri == "https://shop.test/returns"
    assert signals.grounding_signals.decision.name == "ACCEPTED_BY_GROUNDING"
    assert signals.safety_signals.banned_phrase_match.name == "BANNED_PHRASE_MATCH_NONE"


@pytest.mark.proves("D3")
def test_the_search_of_a_request_can_be_narrowed(server: Server, agent: str) -> None:
    config = {"filterSpecs": [{"dataStores": [STORE], "filter": 'country: ANY("DE")'}]}
    session = f"{agent}/sessions/s{next(_SESSIONS)}"
    result = Rest(server.http).say(session, QUESTION, queryParams={"searchConfig": config})
    assert "30 days" not in words(result)
    assert result["diagnosticInfo"]["search_signals"] == config
