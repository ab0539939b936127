"""The page on schemas from samples does what it says: its blocks run beside the demo and print what stands below."""

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.docs.test_quickstarts import USUAL_HTTP
from tests.e2e.kit.server import Server, clean_environment
from tests.integration.models import chat_peer
from tests.integration.models.peer import Peer
from tests.kit.guides import blocks, each_block
from tests.kit.preloaded.commands import searched

PAGE = "schema-generation.md"


@pytest.mark.proves("O8")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_schema_generation_works(demo: Server, tmp_path: Path) -> None:
    program = blocks(PAGE, "sh").replace(USUAL_HTTP, demo.http.removeprefix("http://"))
    environment = clean_environment()
    path = searched(environment["PATH"])
    ran = subprocess.run(
        ["sh", "-eu"],
        input=program,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == blocks(PAGE, "text")


async def test_the_commands_with_a_model_print_what_it_writes(tmp_path: Path) -> None:
    samples = next(text for text in each_block(PAGE, "sh") if text.startswith("cat > more.json"))
    program = samples.partition("END\n")[0] + "END\n" + blocks(PAGE, "console")
    environment = clean_environment()
    environment["PATH"] = searched(environment["PATH"])
    async with Peer(chat_peer.faults).serving() as peer:
        peer.will(
            chat_peer.said(
                draft("The stock", "https://api.pets.example/v1", "GET /pets", "POST /pets", "GET /pets/{petId}")
            ),
            chat_peer.said(draft("The weather", "https://api.weather.example/v1", "GET /now")),
        )
        environment |= {"OPENAI_BASE_URL": f"{peer.base_url}/v1", "OPENAI_API_KEY": "sk-key"}
        ran = await asyncio.to_thread(
            subprocess.run,
            ["sh", "-euc", program],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
    assert (ran.returncode, peer.faults) == (0, []), ran.stderr
    assert re.findall("title: (.*)", ran.stdout) == ["The stock", "The weather"]
    assert re.findall("^  (/.*):", ran.stdout, re.MULTILINE) == ["/pets", "/pets/{petId}", "/now"]


def draft(title: str, server: str, *operations: str) -> str:
    """What a model writes: an API with these operations."""
    paths: JsonObject = {}
    for operation in operations:
        method, path = operation.split()
        parameters = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "integer"}}
            for name in re.findall(r"{(\w+)}", path)
        ]
        described = {"operationId": f"{method.lower()}It", "parameters": parameters, "responses": {}}
        paths.setdefault(path, {})[method.lower()] = described
    document = {"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "servers": [{"url": server}]}
    return dumps({**document, "paths": paths}).decode()
