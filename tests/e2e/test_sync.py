"""Agents pulled from Google and pushed to it, with Google's own clients; a server on TLS stands in for its endpoint."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import ces_v1beta, dialogflowcx_v3
from google.protobuf.field_mask_pb2 import FieldMask

from openplaybook.packages.package_files import zip_of
from tests.e2e.kit.rest import LOCATION
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.preloaded.commands import quick_command
from tests.kit.server_certificates import write_pair

DESK = "playbooks/Desk/Desk.json"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """What stands in for Google."""
    folder = tmp_path_factory.mktemp("elsewhere")
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    authority.cert_pem.write_to_path(folder / "ca.pem")
    pair = write_pair(authority, folder)
    with running(folder, "--tls-cert", str(pair.tls_cert), "--tls-key", str(pair.tls_key)) as server:
        yield server


@pytest.fixture(autouse=True)
def trusting(elsewhere: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(elsewhere.log.with_name("ca.pem")))


@dataclass(frozen=True)
class Google:
    """The agents there, as another user of Google's clients sees them."""

    agents: dialogflowcx_v3.AgentsClient
    playbooks: dialogflowcx_v3.PlaybooksClient
    apps: ces_v1beta.AgentServiceClient

    def agent(self) -> str:
        """The name of a new agent with a playbook."""
        described = dialogflowcx_v3.Agent(display_name="Shop", default_language_code="en", time_zone="Etc/UTC")
        agent = self.agents.create_agent(parent=LOCATION, agent=described)
        self.playbooks.create_playbook(
            parent=agent.name, playbook=dialogflowcx_v3.Playbook(display_name="Desk", goal="Help.")
        )
        return agent.name

    def goal(self, agent: str, new: str = "") -> str:
        """What the agent's playbook is for, changed first where there is something new."""
        [desk] = self.playbooks.list_playbooks(parent=agent)
        if new:
            desk.goal = new
            self.playbooks.update_playbook(playbook=desk, update_mask=FieldMask(paths=["goal"]))
        return self.playbooks.get_playbook(name=desk.name).goal


@pytest.fixture
def google(elsewhere: Server, trusting: None) -> Google:
    nobody, options = AnonymousCredentials(), ClientOptions(api_endpoint=elsewhere.http)
    return Google(
        dialogflowcx_v3.AgentsClient(credentials=nobody, transport="rest", client_options=options),
        dialogflowcx_v3.PlaybooksClient(credentials=nobody, transport="rest", client_options=options),
        ces_v1beta.AgentServiceClient(credentials=nobody, transport="rest", client_options=options),
    )


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(elsewhere: Server, tmp_path: Path) -> Run:
    def run(*words: str, typed: str = "", **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [quick_command(), "agents", *words, "--endpoint", elsewhere.http, "--anonymous"],
            input=typed,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data"), **variables},
            timeout=60,
            check=False,
        )

    return run


def edit(folder: Path, goal: str) -> None:
    file = folder / DESK
    file.write_text(file.read_text().replace(json.loads(file.read_text())["goal"], goal))


@pytest.mark.proves("X2")
def test_an_agent_is_pulled_changed_and_pushed(google: Google, run: Run, tmp_path: Path) -> None:
    name = google.agent()
    pulled = run("pull", f"google:{name}", "-o", "shop")
    assert (pulled.returncode, pulled.stdout) == (0, "shop: 2 files\n"), pulled.stderr
    assert run("diff", "shop", f"google:{name}").stdout == "no difference\n"
    edit(tmp_path / "shop", "Sell.")

    different = run("diff", f"google:{name}", "shop")
    assert different.returncode == 1, different.stderr
    assert different.stdout.splitlines() == [
        "changed  playbooks/Desk",
        "  @@ -1,3 +1,3 @@",
        '   displayName: "Desk"',
        '  -goal: "Help."',
        '  +goal: "Sell."',
        *[line for line in different.stdout.splitlines() if line.startswith('   name: "')],
        "1 changed",
    ]
    declined = run("push", "shop", f"google:{name}", typed="n\n")
    assert (declined.returncode, google.goal(name)) == (1, "Help.")
    pushed = run("push", "shop", f"google:{name}", "--yes")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout.splitlines()[-1] == f"{name}: changed"
    assert google.goal(name) == "Sell."
    again = run("push", "shop", f"google:{name}", "--yes")
    assert (again.returncode, again.stdout) == (0, f"{name}: nothing to change\n")


@pytest.mark.proves("X2")
def test_what_others_changed_meanwhile_is_lost_only_by_force(google: Google, run: Run, tmp_path: Path) -> None:
    name = google.agent()
    assert run("pull", f"google:{name}", "-o", "shop").returncode == 0
    edit(tmp_path / "shop", "Mine.")
    google.goal(name, "Theirs.")

    refused = run("push", "shop", f"google:{name}", "--yes")
    assert (refused.returncode, google.goal(name)) == (1, "Theirs.")
    assert refused.stderr == (
        f"error: {name} was changed since it was pulled ({DESK}); pull it again, or push with --force to undo that\n"
    )
    kept = run("pull", f"google:{name}", "-o", "shop")
    assert kept.returncode == 1
    assert kept.stderr == f"error: shop was changed since the pull ({DESK}); --force undoes that\n"
    assert run("push", "shop", f"google:{name}", "--yes", "--force").returncode == 0
    assert google.goal(name) == "Mine."
    google.goal(name, "Theirs again.")
    assert run("pull", f"google:{name}", "-o", "shop").returncode == 0
    assert json.loads((tmp_path / "shop" / DESK).read_text())["goal"] == "Theirs again."


def test_an_app_is_pulled_changed_and_pushed(google: Google, run: Run, tmp_path: Path) -> None:
    app = {"name": "shop", "displayName": "Shop", "rootAgent": "Desk"}
    desk = {"name": "desk", "displayName": "Desk", "instruction": "agents/Desk/instruction.txt"}
    spare = {"name": "spare", "displayName": "Spare"}
    files = {
        "app.json": json.dumps(app),
        "agents/Desk/Desk.json": json.dumps(desk),
        "agents/Spare/Spare.json": json.dumps(spare),
    }
    content = zip_of(
        {**{path: text.encode() for path, text in files.items()}, "agents/Desk/instruction.txt": b"Help.\n"}
    )
    google.apps.import_app(request={"parent": LOCATION, "app_id": "shop", "app_content": content}).result(30)
    name = f"{LOCATION}/apps/shop"

    pulled = run("pull", f"google:{name}", "-o", "app")
    assert pulled.returncode == 0, pulled.stderr
    instruction = tmp_path / "app" / "agents" / "Desk" / "instruction.txt"
    instruction.write_text("Help.\nBe kind.\n")
    shutil.rmtree(tmp_path / "app" / "agents" / "Spare")
    pushed = run("push", "app", f"google:{name}", "--yes")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout.splitlines() == [
        "changed  agents/Desk (instruction.txt)",
        "  @@ -1,2 +1,3 @@",
        "   Help.",
        "  +Be kind.",
        "   ",
        "removed  agents/Spare",
        "1 removed, 1 changed",
        f"{name}: changed",
    ]
    [agent] = google.apps.list_agents(parent=name)
    assert agent.instruction == "Help.\nBe kind.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pull", "Shop"], "'Shop' is not at Google; write google:projects/P/locations/L/agents/A"),
        (["pull", f"google:{LOCATION}/agents/none"], "Google answered NOT_FOUND: "),
        (["diff", "none", f"google:{LOCATION}/agents/none"], "no agent is called 'none'; there are none"),
    ],
)
def test_what_cannot_be_had_is_said(run: Run, words: list[str], said: str) -> None:
    ran = run(*words)
    assert ran.returncode == (1 if said.startswith("Google") else 2)
    assert ran.stderr.splitlines()[-1].startswith(f"error: {said}")


def test_without_credentials_it_is_said_how_to_get_them(google: Google, elsewhere: Server, tmp_path: Path) -> None:
    ran = subprocess.run(
        [quick_command(), "agents", "pull", f"google:{LOCATION}/agents/a", "--endpoint", elsewhere.http],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**clean_environment(), "HOME": str(tmp_path), "NO_GCE_CHECK": "true"},
        timeout=60,
        check=False,
    )
    assert ran.stderr.splitlines()[-1] == (
        "error: no Google credentials were found; run `gcloud auth application-default login`, or set "
        "GOOGLE_APPLICATION_CREDENTIALS"
    )
