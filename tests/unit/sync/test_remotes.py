import pytest

from openplaybook.sync.errors import UnknownRemote
from openplaybook.sync.google_remote import RemoteOptions, dialogflow_host, remote_of


@pytest.mark.parametrize("name", ["projects/p/locations/l/agents/a", "projects/p/locations/l/apps/a"])
def test_an_agent_or_an_app_is_known_by_its_name(name: str) -> None:
    assert remote_of(name, RemoteOptions()).name == name


@pytest.mark.parametrize(
    ("location", "host"),
    [("global", "dialogflow.googleapis.com"), ("europe-west1", "europe-west1-dialogflow.googleapis.com")],
)
def test_agents_of_a_region_are_asked_for_there(location: str, host: str) -> None:
    assert dialogflow_host(location) == host


@pytest.mark.parametrize("name", ["", "Desk", "projects/p", "projects/p/locations/l/agents/a/tools/t"])
def test_another_name_is_refused_with_both_forms(name: str) -> None:
    with pytest.raises(UnknownRemote) as refusal:
        remote_of(name, RemoteOptions())
    assert str(refusal.value) == (
        f"google:{name} is neither google:projects/P/locations/L/agents/A nor google:projects/P/locations/L/apps/A"
    )
