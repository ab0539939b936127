"""Exports to Cloud Storage and imports from it, by Google's own clients, with a peer in place of Google's service."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.api_core.exceptions import BadRequest, NotFound

from tests.e2e.kit.google import Google
from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.http_peer import http_peer
from tests.kit.storage_peer import StoragePeer

PARENT = "projects/p/locations/global"
AGENT = {"display_name": "Zoo", "default_language_code": "en", "time_zone": "Etc/UTC"}


@pytest.fixture(scope="module")
def storage() -> StoragePeer:
    return StoragePeer({"exports": {}})


@pytest.fixture(scope="module", params=["rest", "grpc"])
def client(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    background: Background,
    storage: StoragePeer,
) -> Iterator[Google]:
    """Clients of a server that was started with a bucket of Google's."""
    folder: Path = tmp_path_factory.mktemp("buckets")
    with (
        background.entered(http_peer(storage)) as peer,
        running(folder, "--bucket", "exports=gs:,gone=gs:", STORAGE_EMULATOR_HOST=peer.url) as server,
    ):
        clients = Google("v3beta1", request.param, server, background)
        yield clients
        clients.close()


def test_an_agent_is_exported_to_cloud_storage_and_restored_from_it(client: Google, storage: StoragePeer) -> None:
    agents, playbooks = client("Agents"), client("Playbooks")
    agent = agents.create_agent(parent=PARENT, agent=AGENT)
    playbook = playbooks.create_playbook(parent=agent.name, playbook={"display_name": "Greeter", "goal": "Greet"})
    uri = "gs://exports/agents/zoo 1.zip"
    exported = agents.export_agent({"name": agent.name, "agent_uri": uri}).result()
    assert (exported.agent_uri, exported.agent_content) == (uri, b"")
    assert storage.objects["exports"]["agents/zoo 1.zip"].startswith(b"PK")
    playbooks.delete_playbook(name=playbook.name)
    agents.restore_agent({"name": agent.name, "agent_uri": uri}).result()
    assert playbooks.get_playbook(name=playbook.name).goal == "Greet"


def test_what_keeps_an_import_from_its_object_is_reported(client: Google) -> None:
    agents = client("Agents")
    agent = agents.create_agent(parent=PARENT, agent=AGENT)
    with pytest.raises(BadRequest, match="the bucket other is not known here"):
        agents.restore_agent({"name": agent.name, "agent_uri": "gs://other/a.zip"})
    with pytest.raises(NotFound, match=r"agent_uri: the object gs://exports/a\.zip does not exist"):
        agents.restore_agent({"name": agent.name, "agent_uri": "gs://exports/a.zip"}).result()
    with pytest.raises(BadRequest, match="The specified bucket does not exist"):
        agents.export_agent({"name": agent.name, "agent_uri": "gs://gone/a.zip"}).result()
