"""A server that asks for API keys, and Google's clients that send them."""

from collections.abc import Iterator

import grpc
import pytest
from google.api_core import exceptions
from google.api_core.client_options import ClientOptions
from google.cloud import dialogflowcx_v3

from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, running

pytestmark = pytest.mark.proves("X1")

KEY = "key-of-the-end-to-end-tests"


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with one key."""
    folder = tmp_path_factory.mktemp("locked")
    keys = folder / "keys"
    keys.write_text(f"# the only one\n{KEY}\n")
    with running(folder, "--api-key-file", str(keys)) as server:
        yield server


@pytest.fixture
def over_grpc(locked: Server) -> Iterator[dialogflowcx_v3.AgentsClient]:
    with grpc.insecure_channel(locked.grpc) as channel:
        transport = dialogflowcx_v3.AgentsClient.get_transport_class("grpc")
        yield dialogflowcx_v3.AgentsClient(transport=transport(channel=channel))


def over_rest(locked: Server, key: str) -> dialogflowcx_v3.AgentsClient:
    options = ClientOptions(api_endpoint=locked.http, api_key=key)
    return dialogflowcx_v3.AgentsClient(client_options=options, transport="rest")


def test_a_rest_client_with_the_key_is_served(locked: Server) -> None:
    assert list(over_rest(locked, KEY).list_agents(parent=LOCATION)) == []


def test_a_rest_client_with_another_key_is_not(locked: Server) -> None:
    with pytest.raises(exceptions.Unauthorized, match="The API key that was sent is not one of this server's"):
        over_rest(locked, "another-key-of-these-tests").list_agents(parent=LOCATION)


def test_a_grpc_client_sends_the_key_as_metadata(over_grpc: dialogflowcx_v3.AgentsClient) -> None:
    assert list(over_grpc.list_agents(parent=LOCATION, metadata=[("x-goog-api-key", KEY)])) == []


def test_a_grpc_client_without_the_key_is_not_served(over_grpc: dialogflowcx_v3.AgentsClient) -> None:
    with pytest.raises(exceptions.Unauthenticated, match="This server requires an API key"):
        over_grpc.list_agents(parent=LOCATION)


def test_no_answer_repeats_a_key(locked: Server) -> None:
    refused = Rest(locked.http).send("GET", f"/v3/{LOCATION}/agents?key=wrong-{KEY}")
    assert refused.status == 401
    assert KEY.encode() not in refused.body


def test_the_changelog_of_an_app_says_whose_key_it_was(locked: Server) -> None:
    rest, key = Rest(locked.http), {"x-goog-api-key": KEY}
    made = rest.send("POST", f"/v1/{LOCATION}/apps?appId=keyed", b'{"displayName": "Keyed"}', key)
    assert made.status == 200
    listed = rest.send("GET", f"/v1/{LOCATION}/apps/keyed/changelogs", None, key)
    assert [entry["author"] for entry in listed.json["changelogs"]] == ["key-2"]
