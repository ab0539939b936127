"""How long sessions live and conversations stay, on servers told so."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.storage.base import BeginTurn, Started, TurnState
from openplaybook.storage.sqlite import SqliteStore
from tests.e2e.kit.google import TRANSPORTS, Google
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.shop import new_agent
from tests.kit.background import Background

DAY_US = 24 * 3600 * 1_000_000


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, script: Path) -> Iterator[Server]:
    """A server whose sessions live for two hours."""
    with running(tmp_path_factory.mktemp("patient"), "--model", f"scripted:{script}", "--session-ttl", "2h") as server:
        yield server


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_session_lives_as_long_as_its_request_or_the_server_says(
    patient: Server, transport: str, background: Background
) -> None:
    google = Google("v3", transport, patient, background)
    agent = new_agent(google).name
    start(google, agent)
    for id_, seconds in (("usual", None), ("short", 60), ("long", 100 * 3600)):
        parameters = {} if seconds is None else {"session_ttl": {"seconds": seconds}}
        google("Sessions").detect_intent(
            request={
                "session": f"{agent}/sessions/{id_}",
                "query_input": {"text": {"text": "hello"}, "language_code": "en"},
                "query_params": google.QueryParameters(**parameters),
            }
        )
    lives = {id_: background.run(minutes(patient, f"{agent}/sessions/{id_}")) for id_ in ("usual", "short", "long")}
    google.close()
    assert lives == {"usual": 120, "short": 1, "long": 24 * 60}


def start(google: Google, agent: str) -> None:
    """Give an agent a playbook to start with."""
    playbook = google.Playbook(display_name="Desk", goal="Help.")
    name = google("Playbooks").create_playbook(parent=agent, playbook=playbook).name
    google("Agents").update_agent(
        agent=google.Agent(name=agent, start_playbook=name), update_mask={"paths": ["start_playbook"]}
    )


async def minutes(server: Server, session: str) -> int:
    """The life of a session in the server's store, from its beginning."""
    store = SqliteStore(server.log.parent / "data" / "openplaybook.db")
    await store.open()
    conversation = await store.conversation(session)
    await store.close()
    assert conversation is not None
    return round((conversation.expires_us - conversation.began_us) / 60e6)


def test_a_server_forgets_what_is_due_and_nothing_else(tmp_path: Path, script: Path, background: Background) -> None:
    flags = ("--model", f"scripted:{script}")
    with running(tmp_path, *flags) as server:
        rest = Rest(server.http)
        agent = rest.agent()
        rest.start(agent, "Help.")
        for id_ in ("short", "long"):
            rest.say(
                f"{agent}/sessions/{id_}", "hello", queryParams={"sessionTtl": "1s" if id_ == "short" else "86400s"}
            )
    background.run(grow_older(tmp_path, agent, f"{agent}/sessions/short"))
    with running(tmp_path, *flags, "--conversation-retention", "forever") as server:
        assert names(server, agent) == ["long", "short"]
    with running(tmp_path, *flags, "--conversation-retention", "2d") as server:
        assert forgotten(server) == 1.0
        assert names(server, agent) == ["long"]
    assert '"conversations":1' in server.log.read_text().replace(" ", "")


async def grow_older(folder: Path, agent: str, session: str) -> None:
    """A turn of three days ago, which failed: the session has expired since."""
    then = time.time_ns() // 1000 - 3 * DAY_US
    store = SqliteStore(folder / "data" / "openplaybook.db", clock=lambda: then)
    await store.open()
    begun = await store.begin_turn(
        BeginTurn(
            session=session,
            root=agent,
            turn_id="old",
            request_key="old",
            fingerprint="old",
            owner="test",
            lease_us=1,
            expires_us=then + 1,
        )
    )
    assert isinstance(begun, Started)
    await store.finish_turn(begun.lease, state=TurnState.FAILED)
    await store.close()


def names(server: Server, agent: str) -> list[str]:
    """Ids of the agent's conversations."""
    listed = Rest(server.http)("GET", f"v3beta1/{agent}/conversations")
    return [one["name"].rsplit("/", 1)[1] for one in listed.get("conversations", [])]


def forgotten(server: Server) -> float:
    """The metric, once it has begun to count: the server begins with a round."""
    for _ in range(10_000):
        text = Rest(server.http).send("GET", "/metrics").body.decode()
        for line in text.splitlines():
            name, _, count = line.partition(" ")
            if name == "openplaybook_conversations_forgotten_total" and float(count):
                return float(count)
    raise AssertionError("nothing was forgotten")
