"""What follows `vertex` in the setting says where the API is, and what is asked of it."""

from pathlib import Path

import pytest

from openplaybook.retrieval.errors import EngineFault
from openplaybook.retrieval.vertex.vertex_address import GOOGLE, ResultText, VertexAddress, read_vertex_address

STORE = "projects/p/locations/{}/collections/c/dataStores/d"


def test_google_is_meant_where_nothing_is_said() -> None:
    assert read_vertex_address("") == VertexAddress(GOOGLE)
    assert read_vertex_address("?results=chunks") == VertexAddress(GOOGLE, ResultText.CHUNKS)
    assert read_vertex_address("").is_google


def test_multi_regions_of_google_have_hosts_of_their_own() -> None:
    google = read_vertex_address("")
    assert google.of_store(STORE.format("global")) == "https://discoveryengine.googleapis.com"
    assert google.of_store(STORE.format("eu")) == "https://eu-discoveryengine.googleapis.com"
    assert read_vertex_address("https://mine:1").of_store(STORE.format("eu")) == "https://mine:1"


@pytest.mark.parametrize("address", ["", "https://mine:1"])
@pytest.mark.parametrize(
    "location", ["evil.test#", "evil.test:443?", "evil.test\\", "user@evil.test", "..", "", "EU", "-"]
)
def test_a_location_is_never_another_host(location: str, address: str) -> None:
    with pytest.raises(EngineFault, match="no name of a store at Google"):
        read_vertex_address(address).of_store(STORE.format(location))


def test_a_part_of_a_name_is_never_another_path() -> None:
    with pytest.raises(EngineFault, match="no name of a store at Google"):
        read_vertex_address("").of_store("projects/p/locations/us/collections/../dataStores/d")


def test_another_server_is_named_by_its_url() -> None:
    other = read_vertex_address("http://127.0.0.1:8080/x/?token_file=/run/token&results=snippets")
    assert other == VertexAddress("http://127.0.0.1:8080/x", ResultText.SNIPPETS, Path("/run/token"))


@pytest.mark.parametrize(
    ("url", "is_google"),
    [
        ("https://us-discoveryengine.googleapis.com", True),
        ("http://discoveryengine.googleapis.com", False),
        ("https://googleapis.com.evil.test", False),
        ("https://evilgoogleapis.com", False),
        ("https://mine", False),
    ],
)
def test_the_token_of_this_server_is_for_google_alone(url: str, is_google: bool) -> None:
    assert read_vertex_address(url).is_google is is_google


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("host", "takes a URL"),
        ("ftp://h", "takes a URL"),
        ("https://me@h", "without user name"),
        ("?result=x", "no option 'result'; allowed are results, token_file"),
        ("https://h?results=all", "must be one of segments, snippets, chunks, not 'all'"),
    ],
)
def test_what_is_wrong_is_said(argument: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_vertex_address(argument)
