"""Every kind of secret is planted in a real server, used, and then looked for in every byte that it left behind, said,
or sent to where it had no business."""

import subprocess
from base64 import b64encode
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.e2e.conftest import EGRESS
from tests.e2e.kit.echo import OAUTH_TOKEN, Echo, echoing
from tests.e2e.kit.listener import Listener, listening
from tests.e2e.kit.obedient_model import completion
from tests.e2e.kit.planted import (
    ACCESS_KEY,
    API_KEY,
    CLIENT_SECRET,
    MASTER_KEY,
    MODEL_KEY,
    NEW_TOKEN,
    PASSWORD,
    SECRET_VALUE,
    SESSION_TOKEN,
    VISIBLE,
    Scene,
    be_refused,
    look_around,
    plant,
    planted,
    use,
)
from tests.e2e.kit.server import clean_environment, killed, running
from tests.kit.postgres import Cluster, running_cluster
from tests.kit.preloaded.commands import quick_command


@dataclass(frozen=True)
class World:
    """A folder for a server, and the services around it."""

    folder: Path
    echo: Echo
    model: Listener
    collector: Listener
    variables: Mapping[str, str]
    cluster: Cluster | None = None
    """The database; None: a file in the folder."""
    outputs: list[bytes] = field(default_factory=list[bytes])
    """What commands printed."""

    flags = ("--model", "openai:obedient", "--log-level", "debug")

    def run(self, *words: str) -> None:
        """Run a command beside the server."""
        data = {"OPENPLAYBOOK_DATA_DIR": str(self.folder / "data"), "FORCE_COLOR": "1"}
        ran = subprocess.run(
            [quick_command(), *words],
            capture_output=True,
            check=False,
            cwd=self.folder,
            env={**clean_environment(), **self.variables, **data},
            timeout=60,
        )
        assert ran.returncode == 0, ran.stderr
        self.outputs.append(ran.stdout + ran.stderr)

    def leaks(self) -> dict[str, list[str]]:
        """What was found in the server's files and database, by place."""
        found = planted().in_folder(self.folder)
        if self.cluster is not None:
            found |= planted().in_folder(self.cluster.folder / "data" / "pg_wal")
            rows = [hit for value in stored(self.cluster) for hit in planted().found(value)]
            found |= {"rows": rows} if rows else {}
        return found


def stored(cluster: Cluster) -> Iterator[bytes]:
    """Every row of a database, as text."""
    tables = cluster.sql(
        "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    with psycopg.connect(cluster.url()) as connection:
        for schema, table in tables:
            name = Identifier(str(schema), str(table))
            with connection.cursor().copy(SQL("COPY {} TO STDOUT (FORMAT binary)").format(name)) as rows:
                yield b"".join(rows)


@pytest.fixture(params=["sqlite", "postgres"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    (tmp_path / "keys").write_text(f"admin tester {ACCESS_KEY}\n")
    with around() as (echo, model, collector), database(request.param) as cluster:
        variables = {
            "OPENPLAYBOOK_EGRESS_ALLOW": EGRESS,
            "OPENPLAYBOOK_MASTER_KEY": b64encode(MASTER_KEY).decode(),
            "OPENPLAYBOOK_API_KEY_FILE": str(tmp_path / "keys"),
            "OPENAI_BASE_URL": f"{model.url}/v1",
            "OPENAI_API_KEY": MODEL_KEY,
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true",
            **({} if cluster is None else {"OPENPLAYBOOK_DATABASE_URL": cluster.url()}),
        }
        yield World(tmp_path / "server", echo, model, collector, variables, cluster)


@contextmanager
def database(kind: str) -> Generator[Cluster | None]:
    """A PostgreSQL, or nothing for a file."""
    if kind == "sqlite":
        yield None
    else:
        with running_cluster() as cluster:
            yield cluster


@contextmanager
def around() -> Generator[tuple[Echo, Listener, Listener]]:
    """The API that echoes, the model, and the collector of spans and metrics."""
    with (
        echoing() as echo,
        listening(completion) as model,
        listening(lambda _: ("application/x-protobuf", b"")) as otlp,
    ):
        yield echo, model, otlp


def run_commands(world: World, agent: str) -> None:
    """Every command that shows or writes what a conversation left."""
    world.run("conversations", "list", agent)
    world.run("conversations", "show", agent, "s")
    world.run("conversations", "show", agent, "s", "--json")
    world.run("conversations", "export", agent, "-o", "exported.jsonl")
    world.run("record", agent, "--session", "s", "-o", "recorded.yaml")
    world.run("doctor")
    if world.cluster is None:
        world.run("backup", "backup.tar.gz", "--force")


@pytest.mark.proves("A9", "A6", "A3", "A4")
def test_no_byte_that_a_server_leaves_or_says_holds_a_planted_secret(world: World) -> None:
    # Killed, so that nothing is tidied up, while a conversation waits for its client.
    with killed(world.folder, *world.flags, **world.variables) as server:
        scene = Scene(server.http)
        agent = plant(scene, world.echo)
        session, waiting = f"{agent}/sessions/s", f"{agent}/sessions/waiting"
        be_refused(scene, agent)
        use(scene, agent, session)
        scene.say(session, "ask", token=NEW_TOKEN, colour=VISIBLE)
        asked = scene.say(waiting, "SessionOk", by_client=True, token=NEW_TOKEN)
        look_around(scene, agent)
        run_commands(world, agent)
        assert world.leaks() == {}
    assert world.leaks() == {}
    before = len(world.echo.headers)
    with running(world.folder, *world.flags, **world.variables) as server:
        again = Scene(server.http)
        again.give(waiting, asked)
        again.say(session, "SessionOk")
        again.say(session, "KeyOk")
        look_around(again, agent)
        run_commands(world, agent)
    assert world.leaks() == {}
    check_use(world.echo, before)
    said = [answer.body + repr(dict(answer.headers)).encode() for answer in (*scene.answers, *again.answers)]
    heard = [*world.model.bodies, *world.collector.bodies, *world.outputs]
    assert [found for content in (*said, *heard) for found in planted().found(content)] == []
    # The search is not blind: what is no secret is in all of these.
    everything = (said, world.model.bodies, world.collector.bodies, world.outputs, files(world.folder))
    assert [any(VISIBLE.encode() in content for content in contents) for contents in everything] == [True] * 5


def check_use(echo: Echo, before: int) -> None:
    """Each secret was used; else that it is not found would prove nothing. `before`: requests to the first server."""
    assert used(echo.headers[:before]) == {
        "x-key": {API_KEY},
        "authorization": {
            f"Bearer {SESSION_TOKEN}",
            f"Bearer {SECRET_VALUE}",
            f"Bearer {OAUTH_TOKEN}",
            *(basic(text) for text in (f"user:{PASSWORD}", f"c:{quote(CLIENT_SECRET, safe='')}")),
        },
    }
    assert used(echo.headers[before:]) == {"x-key": {API_KEY}, "authorization": {f"Bearer {NEW_TOKEN}"}}
    assert set(echo.sent("x-injected")) == {SESSION_TOKEN, NEW_TOKEN}


def basic(text: str) -> str:
    return f"Basic {b64encode(text.encode()).decode()}"


def used(headers: list[dict[str, str]]) -> dict[str, set[str]]:
    """The credentials in requests."""
    return {name: {one[name] for one in headers if name in one} for name in ("x-key", "authorization")}


def files(folder: Path) -> list[bytes]:
    """The content of every file below a folder."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
