"""The setting `search_engine` names an engine, and says what is wrong with it."""

from pathlib import Path

import pytest

from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.opensearch.opensearch_engine import OpenSearchEngine
from openplaybook.retrieval.remote_engine import remote_engine
from openplaybook.retrieval.vertex.vertex_engine import VertexEngine

STORE = "projects/p/locations/eu/collections/c/dataStores/d"


class Door:
    """A transport that keeps what is sent, and finds nothing."""

    def __init__(self, status: int = 404) -> None:
        self.sent: list[HttpRequest] = []
        self._status = status

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.sent.append(request)
        return HttpResponse(self._status, (), b"{}", False, 0.0)

    async def aclose(self) -> None:
        return


class Own:
    """This server at Google."""

    async def token(self) -> str:
        return "own-token"

    def forget(self, token: str) -> bool:
        return False


def authorization(request: HttpRequest) -> str:
    return dict(request.headers).get("Authorization", "")


def test_each_kind_is_an_engine() -> None:
    assert isinstance(remote_engine("opensearch:https://search:9200", Door(), Own), OpenSearchEngine)
    assert isinstance(remote_engine("vertex", Door(), Own), VertexEngine)
    assert isinstance(remote_engine("vertex:https://mine?results=chunks", Door(), Own), VertexEngine)
    assert isinstance(remote_engine("vertex:?results=chunks", Door(), Own), VertexEngine)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("solr", "'solr' is not a search engine; allowed are embedded, opensearch:URL, vertex and vertex:URL"),
        ("opensearch", "opensearch takes a URL"),
        ("vertex:mine", "vertex takes a URL"),
    ],
)
def test_what_is_wrong_is_said(setting: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        remote_engine(setting, Door(), Own)


async def test_the_servers_own_token_goes_to_google_alone() -> None:
    google, other = Door(), Door()
    await remote_engine("vertex", google, Own).get(STORE, "a")
    await remote_engine("vertex:http://other", other, Own).get(STORE, "a")
    assert google.sent[0].url.startswith(f"https://eu-discoveryengine.googleapis.com/v1/{STORE}/")
    assert authorization(google.sent[0]) == "Bearer own-token"
    assert authorization(other.sent[0]) == ""


async def test_a_token_in_a_file_is_read_each_time(tmp_path: Path) -> None:
    file, door = tmp_path / "token", Door()
    engine = remote_engine(f"vertex:http://other?token_file={file}", door, Own)
    for token in ("first", "second"):
        file.write_text(token + "\n")
        await engine.get(STORE, "a")
    assert [authorization(each) for each in door.sent] == ["Bearer first", "Bearer second"]
    file.unlink()
    with pytest.raises(EngineUnavailable, match="cannot be asked") as caught:
        await engine.get(STORE, "a")
    assert isinstance(caught.value.__cause__, CredentialUnavailable)
