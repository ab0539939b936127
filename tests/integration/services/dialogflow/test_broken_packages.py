"""Packages that are broken, hostile or very large: a sentence with the file's name, and the agent as it was."""

import base64
import io
import json
import zipfile
from collections.abc import Callable, Mapping

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.package_files import zip_of
from tests.integration.services.peers import Caller

WHOLE: Mapping[str, bytes] = {
    "agent.json": b'{"displayName": "New", "startPlaybook": "Desk"}',
    "playbooks/Desk/Desk.json": b'{"name": "desk", "displayName": "Desk", "goal": "Another."}',
    "tools/Pets/Pets.json": b'{"name": "pets", "displayName": "Pets", "functionSpec": {}}',
    "intents/Hi/Hi.json": b'{"name": "hi", "displayName": "Hi"}',
}
"""A package that is in order."""


def with_entry(path: str, content: bytes, mode: int = 0o100644) -> Callable[[], bytes]:
    """The whole package with one entry more, written as no tool of ours would."""

    def build() -> bytes:
        buffer = io.BytesIO(zip_of(WHOLE))
        with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            archive.writestr(entry, content)
        return buffer.getvalue()

    return build


def with_files(files: Mapping[str, bytes]) -> Callable[[], bytes]:
    return lambda: zip_of({**WHOLE, **files})


def damaged() -> bytes:
    """The whole package with a byte of a file's packed content changed."""
    content = bytearray(zip_of({**WHOLE, "intents/long.json": json.dumps(list(range(2_000))).encode()}))
    content[content.index(b"intents/long.json") + 200] ^= 0xFF
    return bytes(content)


@pytest.fixture
async def agent(call: Caller) -> str:
    """An agent with something in it."""
    name = await call.agent()
    content = base64.b64encode(zip_of({**WHOLE, "agent.json": b"{}"})).decode()
    done = await call.operation("Agents.RestoreAgent", {"name": name, "agentContent": content})
    assert "error" not in done
    return name


async def export(call: Caller, agent: str) -> str:
    return (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]


# What writes a file twice for the test warns of it.
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.proves("X2")
@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: zip_of(WHOLE)[:-40], "the archive is truncated or damaged: "),
        (lambda: zip_of(WHOLE)[:200], "the archive is truncated or damaged: "),
        (damaged, "the archive is truncated or damaged: "),
        (with_entry("intents/bomb.json", b" " * 60_000_000), "intents/bomb.json: the files are more than 200 times"),
        (with_entry("../../etc/cron.d/x", b"x"), "../../etc/cron.d/x: is not a plain relative path"),
        (with_entry("/etc/passwd", b"x"), "/etc/passwd: is not a plain relative path"),
        (with_entry("C:\\x", b"x"), "C:\\x: is not a plain relative path"),
        (with_entry("tools/link", b"/etc/passwd", 0o120777), "tools/link: is a link or a special file"),
        (with_entry("agent.json", b"{}"), "agent.json: is in the archive twice"),
        (
            with_files({"playbooks/Desk/Desk.json": b'{\n  "goal": "a"\n  "name": 1}'}),
            "playbooks/Desk/Desk.json: is not JSON: Expecting ',' delimiter (line 3, column 3)",
        ),
        (
            with_files({"tools/Pets/Pets.json": b'{"a": {}, "a": {}}'}),
            "tools/Pets/Pets.json: is not JSON: the key 'a' is given twice in one object",
        ),
        (
            with_files({"playbooks/Desk/examples/Deep.json": b'{"a":' + b"[" * 500 + b"]" * 500 + b"}"}),
            "playbooks/Desk/examples/Deep.json: is nested deeper than 100 levels",
        ),
        (
            with_files({"playbooks/Two/Two.json": b'{"name": "desk", "displayName": "Two"}'}),
            "playbooks/Two/Two.json: has the name of playbooks/Desk/Desk.json: desk",
        ),
        (
            with_files({"tools/Odd/Odd.json": b'{"name": "odd", "displayName": "Odd", "functionSpec": 5}'}),
            "tools/Odd/Odd.json: $.functionSpec: ",
        ),
        (lambda: zip_of({"intents/Hi/Hi.json": b"{}"}), "there is no agent.json at the root"),
    ],
)
async def test_a_broken_package_is_refused_with_its_file_and_changes_nothing(
    call: Caller, agent: str, build: Callable[[], bytes], message: str
) -> None:
    before = await export(call, agent)
    content = base64.b64encode(build()).decode()
    done = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    assert done["error"]["message"].startswith(message), done["error"]["message"]
    assert await export(call, agent) == before


async def test_a_second_playbook_of_one_display_name_is_imported_with_a_number_and_reported(
    call: Caller, agent: str
) -> None:
    content = with_files({"playbooks/Desk_2/Desk_2.json": b'{"name": "two", "displayName": "Desk"}'})()
    request = {"name": agent, "agentContent": base64.b64encode(content).decode()}
    done = await call.operation("Agents.RestoreAgent", request)
    assert "error" not in done
    notes = [note for note in done["metadata"]["value"]["notes"] if note["place"].startswith("playbooks/Desk_2/")]
    message = "has the displayName of playbooks/Desk/Desk.json: Desk; it is imported as 'Desk (2)'"
    assert notes == [{"kind": "PROBLEM", "place": "playbooks/Desk_2/Desk_2.json", "message": message}]
    playbooks = (await call("Playbooks.ListPlaybooks", {"parent": agent}))["playbooks"]
    named = {each["name"].rpartition("/")[2]: each["displayName"] for each in playbooks}
    assert named == {"desk": "Desk", "two": "Desk (2)"}


@pytest.mark.proves("X2")
async def test_ten_thousand_files_are_taken_whole(call: Caller, agent: str) -> None:
    files: dict[str, JsonObject] = {
        f"{folder}/N{number}/N{number}.json": {"name": f"n{number}", "displayName": f"N{number}"}
        for folder in ("playbooks", "intents")
        for number in range(5_000)
    }
    content = zip_of({"agent.json": b"{}", **{path: json.dumps(value).encode() for path, value in files.items()}})
    request = {"name": agent, "agentContent": base64.b64encode(content).decode()}
    done = await call.operation("Agents.RestoreAgent", request)
    assert "error" not in done
    exported = zipfile.ZipFile(io.BytesIO(base64.b64decode(await export(call, agent))))
    assert set(exported.namelist()) == {"agent.json", *files}


async def test_one_file_too_many_is_refused(call: Caller, agent: str) -> None:
    before = await export(call, agent)
    content = zip_of({"agent.json": b"{}", **{f"x/{number}": b"" for number in range(20_000)}})
    request = {"name": agent, "agentContent": base64.b64encode(content).decode()}
    done = await call.operation("Agents.RestoreAgent", request)
    assert done["error"]["message"] == "there are more than 20000 files"
    assert await export(call, agent) == before
