"""Data that an older version wrote, and was killed over, go on at this one: on SQLite and on PostgreSQL.

`tests/older_data` says what was written, and how to write the like.
"""

import fcntl
import gzip
import os
import subprocess
import tarfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import gettempdir

import pytest

from openplaybook.jsonvalues import JsonObject, loads
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background
from tests.kit.clocks import at
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.postgres import PASSWORD, running_cluster
from tests.older_data.script import SCRIPT
from tests.older_data.stories import (
    HOST,
    INLINE_KEY,
    KEPT_KEY,
    MASTER_KEY,
    PORT,
    TOKEN,
    Written,
    calls_of,
    charge,
    keyed,
    reply,
    run,
)

KEPT = Path(__file__).parents[1] / "fixtures" / "older_data"
LATER = timedelta(minutes=10)
"""How long after the data were written the next server starts."""

pytestmark = pytest.mark.proves("X11")


@dataclass(frozen=True)
class Later:
    """The server of today over data of then."""

    written: Written
    server: Server
    peer: HttpPeer

    @property
    def rest(self) -> Rest:
        return Rest(self.server.http)

    def session(self, id_: str) -> str:
        return f"{self.written.agent}/sessions/{id_}"

    def answered(self, session: str, **output: object) -> JsonObject:
        """The query result after the result of the call that the session was left with."""
        [call, *_] = calls_of(self.written.answers[session])
        result = {"tool": call["tool"], "action": call["action"], "outputParameters": output}
        answer = self.rest.detect(self.session(session), {"toolCallResult": result}, version="v3beta1")
        assert answer.status == 200, answer.body
        return answer.json["queryResult"]


@pytest.fixture(scope="module", params=[(f.name, s) for f in sorted(KEPT.iterdir()) for s in ("sqlite", "postgres")])
def later(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, background: Background
) -> Iterator[Later]:
    version, store = request.param
    folder = tmp_path_factory.mktemp("older")
    written = Written(**loads((KEPT / version / f"{store}.json").read_text()))
    clock = str(datetime.fromisoformat(written.clock) + LATER)
    (folder / "script.yaml").write_text(SCRIPT)
    with ExitStack() as stack:
        stack.enter_context(address_held())
        peer = stack.enter_context(background.entered(http_peer(reply, host=HOST, port=PORT)))
        brought = sqlite if store == "sqlite" else postgres
        variables = stack.enter_context(brought(KEPT / version, folder, clock))
        flags = ["--model", f"scripted:{folder / 'script.yaml'}"]
        allowed = {"OPENPLAYBOOK_EGRESS_ALLOW": f"{HOST}/32", "OPENPLAYBOOK_MASTER_KEY": MASTER_KEY}
        yield Later(written, stack.enter_context(running(folder, *flags, **allowed, **variables, **at(clock))), peer)


@contextmanager
def address_held() -> Generator[None]:
    """The data name an address of this machine, which one run of tests can have at a time: others wait."""
    with (Path(gettempdir()) / f"openplaybook-older-data-{os.getuid()}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def sqlite(kept: Path, folder: Path, clock: str) -> Generator[dict[str, str]]:
    """The data directory as it was left."""
    with tarfile.open(kept / "sqlite.tar.gz") as tar:
        tar.extractall(folder, filter="data")
    yield {}


@contextmanager
def postgres(kept: Path, folder: Path, clock: str) -> Generator[dict[str, str]]:
    """A database with what was dumped, whose clock is that of then too."""
    with running_cluster(**at(clock)) as cluster:
        dump = gzip.decompress((kept / "postgres.sql.gz").read_bytes())
        command = [cluster.bin / "psql", "-q", "-v", "ON_ERROR_STOP=1", cluster.url()]
        subprocess.run(command, input=dump, capture_output=True, check=True, env={"PGPASSWORD": PASSWORD})
        yield {"OPENPLAYBOOK_DATABASE_URL": cluster.url()}


def test_a_finished_conversation_is_shown_and_goes_on(later: Later) -> None:
    name = f"{later.written.agent}/conversations/finished"
    [turn] = later.rest("GET", f"v3beta1/{name}")["interactions"]
    answer = later.written.answers["finished"]
    assert turn["response"]["queryResult"]["responseMessages"] == answer["responseMessages"]
    assert turn["requestUtterances"] == "pet 3"
    assert words(later.rest.say(later.session("finished"), "pet 2")) == "Luna belongs to Aisha."
    newest, _ = later.rest("GET", f"v3beta1/{name}")["interactions"]
    # The store's clock is that of then: sessions live for a day.
    passed = datetime.fromisoformat(newest["createTime"]) - datetime.fromisoformat(f"{later.written.clock}Z")
    assert LATER <= passed < timedelta(hours=1)


def test_what_happened_in_a_finished_conversation_is_told(later: Later) -> None:
    turns = f"v3/{later.session('finished')}/turns"
    turn = later.rest("GET", turns)["turns"][0]
    steps = later.rest("GET", f"{turns}/1/steps?view=STEP_VIEW_FULL")["steps"]
    assert (turn["text"], len(steps)) == ("pet 3", turn["stepCount"])
    assert steps[0]["user"]["text"] == "pet 3"
    # Its model had no prompts, and its data no place for them.
    decisions = [step["decision"] for step in steps if "decision" in step]
    assert decisions
    assert not any("prompt" in decision for decision in decisions)


def test_all_conversations_are_listed(later: Later) -> None:
    found = later.rest("GET", f"v3beta1/{later.written.agent}/conversations")["conversations"]
    sessions = {conversation["name"].rsplit("/", 1)[1] for conversation in found}
    assert sessions >= later.written.answers.keys() | {"keyed"}


def test_a_paused_session_takes_the_result(later: Later) -> None:
    answered = later.answered("paused", temperature=9)
    assert (words(answered), answered["parameters"]) == ("It is 9 degrees.", {"colour": "red"})


def test_a_pause_keeps_the_agent_as_it_was(later: Later) -> None:
    playbooks = later.rest("GET", f"v3/{later.written.agent}/playbooks")["playbooks"]
    [billing] = [playbook["name"] for playbook in playbooks if playbook["displayName"] == "Billing"]
    later.rest("PATCH", f"v3/{billing}?updateMask=displayName", {"displayName": "Renamed"})
    assert words(later.answered("deeper", temperature=9)) == "Billing knows: 9."


def test_a_sealed_parameter_is_used_and_not_shown(later: Later) -> None:
    answered = later.answered("sealed", temperature=9)
    assert words(answered) == "Your account is A-1."
    assert answered["parameters"] == {"colour": "red"}
    assert TOKEN not in str(answered)


def test_a_call_that_the_client_makes_is_taken_back(later: Later) -> None:
    assert words(later.answered("client", **{"200": {"name": "Luna", "owner": "Aisha"}})) == "Luna belongs to Aisha."


def test_of_two_calls_the_open_one_is_waited_for(later: Later) -> None:
    assert words(later.answered("half", temperature=30)) == "I know both."


def test_a_call_that_was_cut_is_not_made_again(later: Later) -> None:
    before = len(later.peer.requests)
    assert charge(later.rest, later.written.agent) == "That failed: OUTCOME_UNKNOWN"
    assert len(later.peer.requests) == before


def test_a_request_with_a_key_gets_its_answer_of_then(later: Later) -> None:
    before = len(later.peer.requests)
    assert keyed(later.rest, later.written.agent).decode() == later.written.keyed
    assert len(later.peer.requests) == before


@pytest.mark.usefixtures("sandbox")
def test_the_files_of_a_conversation_are_there(later: Later) -> None:
    assert words(later.rest.say(later.session("files"), "count the rows once more")) == "It has 3 rows."


def test_keys_are_opened(later: Later) -> None:
    before = len(later.peer.requests)
    for which in ("inline", "kept"):
        later.rest.say(later.session("keys"), f"{which} key")
    assert [sent.header("X-Key") for sent in later.peer.requests[before:]] == [INLINE_KEY, KEPT_KEY]


def test_versions_are_there_and_brought_back(later: Later) -> None:
    written, rest = later.written, later.rest
    listed = rest("GET", f"v3/{written.playbook}/versions")["playbookVersions"]
    assert [version["name"] for version in listed] == [written.playbook_version]
    rest("PATCH", f"v3/{written.playbook}?updateMask=goal", {"goal": "Another."})
    assert rest("POST", f"v3/{written.playbook_version}:restore", {})["playbook"]["goal"] == "Help."
    assert rest("GET", f"v3/{written.tool_version}")["tool"]["displayName"] == "weather"
    assert rest("GET", f"v1beta/{written.app_version}")["displayName"] == "first"


def test_a_paused_app_takes_the_answer(later: Later) -> None:
    written = later.written
    response = {"id": written.forecast_call, "tool": written.forecast, "response": {"temperature": 7}}
    outputs = run(later.rest, written.app, "paused", {"toolResponses": {"toolResponses": [response]}})
    assert [output["text"] for output in outputs if "text" in output] == ["The forecast says 7, in Bonn."]


@pytest.mark.usefixtures("sandbox")
def test_variables_and_the_agent_of_an_app_go_on(later: Later) -> None:
    # It was handed to billing then.
    outputs = run(later.rest, later.written.app, "done", {"text": "hello"})
    assert [output["text"] for output in outputs if "text" in output] == ["Billing heard: hello"]
    conversation = later.rest("GET", f"v1beta/{later.written.app}/conversations/done")
    assert conversation["turnCount"] == 3


def test_changes_of_an_app_are_listed(later: Later) -> None:
    found = later.rest("GET", f"v1beta/{later.written.app}/changelogs")["changelogs"]
    assert [change["displayName"] for change in found if change["resourceType"].endswith("App")] != []
