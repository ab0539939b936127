"""What a command, and a server until it is ready, import: each room and library costs every start of theirs."""

import json
import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from .conftest import Run
from .packages import write_agent

HEAVY = ("aiohttp", "google.protobuf", "grpc", "joserfc", "jsonschema_rs", "pydantic", "rich", "structlog", "uvicorn")
ENGINE = tuple(
    f"openplaybook.{room}"
    for room in (
        "credentials",
        "documents",
        "drafting",
        "egress",
        "models.base",
        "models.offline",
        "sandbox",
        "server.lifecycle",
        "services",
        "sync",
        "tools",
        "turns",
        "wire",
        "workers",
    )
)
"""What only servers need."""
RARE = (
    *("aiohttp", "google.api_core", "google.cloud.dialogflow", "joserfc", "opentelemetry.sdk", "psycopg", "pydantic"),
    *("rich", "structlog"),
    *("openplaybook.models.offline", "openplaybook.models.pydantic_ai", "openplaybook.models.scripted"),
    *("openplaybook.recordings.form", "openplaybook.server.access.oidc", "openplaybook.server.backups"),
    "opentelemetry.metrics",
    "openplaybook.storage.postgres",
    *("openplaybook.retrieval.answers.pipeline", "openplaybook.retrieval.embedded_engine"),
    *("numpy", "openplaybook.encoders.encoder_registry", "openplaybook.retrieval.vectors"),
    *("openplaybook.retrieval.crawl", "openplaybook.retrieval.ingestion", "tantivy"),
    "openplaybook.services.discoveryengine.store_services",
    "openplaybook.tools.data_store.store_answers",
)
"""What few servers need, or few of their requests: tokens, replays, text for people, other models and stores."""
COMMAND = """
import json, sys
import openplaybook.cli.main
try:
    if sys.argv[1:]:
        openplaybook.cli.main.app()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
SERVER = """
import json, sys
from pathlib import Path
from openplaybook.server.lifecycle import run
from openplaybook.server.settings import Settings

async def ready(server):
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
    server.stop()

run(Settings(data_dir=Path(sys.argv[1]), port=0, grpc_port=0, model="openai:m", log_level="warning"), ready)
"""


def loaded(program: str, *words: str, **variables: str) -> list[str]:
    """The modules that a program of its own process had at its end, or when it was ready."""
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **variables})
    return json.loads(done.stderr.splitlines()[-1])


def among(modules: Collection[str], packages: Sequence[str]) -> list[str]:
    """The modules that belong to some packages."""
    return [name for name in modules if f"{name}.".startswith(tuple(f"{package}." for package in packages))]


@pytest.fixture(scope="module")
def of_a_ready_server(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return loaded(SERVER, str(tmp_path_factory.mktemp("ready")), OPENAI_API_KEY="k")


@pytest.fixture
def agent(run: Run, tmp_path: Path) -> str:
    name = run("agents", "import", str(write_agent(tmp_path, "Light"))).stdout.strip()
    assert name.startswith("projects/")
    return name


def test_importing_the_command_brings_none_of_the_heavy_parts() -> None:
    assert among(loaded(COMMAND), (*HEAVY, *ENGINE, "asyncio", "yaml")) == []


@pytest.mark.parametrize(
    "words",
    [
        ("agents", "list"),
        ("agents", "export", "{agent}", "-o", "{folder}/package.zip"),
        ("chat", "{agent}", "-m", "hello"),
        ("conversations", "list", "{agent}"),
        ("doctor",),
        ("secrets", "list", "demo"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_command_that_asks_a_server_brings_nothing_that_only_servers_need(
    data_dir: Path, agent: str, tmp_path: Path, words: Sequence[str]
) -> None:
    typed = [word.format(agent=agent, folder=tmp_path) for word in words]
    assert among(loaded(COMMAND, *typed, "--data-dir", str(data_dir)), (*HEAVY, *ENGINE)) == []


def test_a_server_is_ready_without_what_few_of_its_requests_need(of_a_ready_server: list[str]) -> None:
    assert among(of_a_ready_server, RARE) == []


def test_a_server_is_ready_without_calls_that_only_linux_has(of_a_ready_server: list[str]) -> None:
    inside = "openplaybook.sandbox.inside"
    usual = {inside, *(f"{inside}.{name}" for name in ("execution_limits", "frames", "file_transfer"))}
    assert set(among(of_a_ready_server, (inside,))) <= usual
