import io
import zipfile

import yaml

from openplaybook.demo.demo_agent import AGENT_DISPLAY_NAME, agent_files, agent_package
from openplaybook.jsonvalues import loads

URL = "http://127.0.0.1:40123/v1"


def test_the_schema_names_the_address_of_the_service() -> None:
    schema = yaml.safe_load(agent_files(URL)["tools/pets/schema.yaml"])
    assert schema["servers"] == [{"url": URL}]
    assert schema["components"]["schemas"]["Pet"]["properties"]["id"]["readOnly"] is True


def test_the_package_is_a_zip_with_equal_bytes_for_an_equal_address() -> None:
    package = agent_package(URL)
    assert package == agent_package(URL)
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == agent_files(URL)


def test_the_agent_starts_with_a_playbook_that_is_in_the_package() -> None:
    files = agent_files(URL)
    agent = loads(files["agent.json"])
    start = agent["startPlaybook"]
    assert agent["displayName"] == AGENT_DISPLAY_NAME
    assert loads(files[f"playbooks/{start}/{start}.json"])["referencedTools"] == [
        *("pets", "pet_care", "pet_records", "nearest_shelter", "df-code-interpreter-tool")
    ]


def test_every_json_file_is_named_by_its_display_name() -> None:
    named = {
        path: loads(content)
        for path, content in agent_files(URL).items()
        if path.startswith(("playbooks", "tools")) and path.endswith(".json")
    }
    assert len(named) == 19
    assert all(path.endswith(f"/{resource['displayName']}.json") for path, resource in named.items())
