"""Packages as bytes, made without the time that their contents would take."""

import functools
import io
import json
import struct
import zipfile
import zlib

from openplaybook.jsonvalues import JsonObject, JsonValue


def package(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def dialogflow(extra: dict[str, bytes]) -> bytes:
    """An agent as Dialogflow exports it, with more files."""
    agent: JsonObject = {
        "displayName": "hostile",
        "defaultLanguageCode": "en",
        "timeZone": "Etc/UTC",
        "startPlaybook": "start",
    }
    start: JsonObject = {"displayName": "start", "goal": "Help.", "instruction": {"steps": [{"text": "Help."}]}}
    return package({"agent.json": _json(agent), "playbooks/start/start.json": _json(start), **extra})


def dialogflow_tool(schema: bytes, name: str = "t") -> dict[str, bytes]:
    """The files of a tool in a Dialogflow package."""
    tool: JsonObject = {
        "displayName": name,
        "description": "Hostile.",
        "openApiSpec": {},
        "toolType": "CUSTOMIZED_TOOL",
    }
    return {f"tools/{name}/{name}.json": _json(tool), f"tools/{name}/schema.yaml": schema}


def studio(extra: dict[str, bytes], app: JsonObject | None = None) -> bytes:
    """An app as CX Agent Studio exports it, with more files."""
    root: JsonObject = {"displayName": "hostile", "rootAgent": "desk", **(app or {})}
    desk: JsonObject = {"displayName": "desk", "instruction": "agents/desk/instruction.txt"}
    return package(
        {
            "app/app.json": _json(root),
            "app/agents/desk/desk.json": _json(desk),
            "app/agents/desk/instruction.txt": b"Help.",
            **{f"app/{path}": content for path, content in extra.items()},
        }
    )


def studio_toolset(schema: bytes, name: str = "t") -> dict[str, bytes]:
    """The files of a toolset in an app's package."""
    place = f"toolsets/{name}/open_api_toolset/open_api_schema.yaml"
    toolset: JsonObject = {"displayName": name, "openApiToolset": {"openApiSchema": place}}
    return {f"toolsets/{name}/{name}.json": _json(toolset), place: schema}


@functools.cache
def deflated(count: int, unit: bytes = bytes(2**20)) -> bytes:
    """`unit` so many times, deflated (raw), made of one block said again."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = squeeze.compress(unit) + squeeze.flush(zlib.Z_FULL_FLUSH)
    return block * count + squeeze.flush(zlib.Z_FINISH)


@functools.cache
def gzipped(count: int, unit: bytes = bytes(2**20), head: bytes = b"") -> bytes:
    """A gzip file of `head` and, after it, `unit` so many times."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    begun = squeeze.compress(head) + squeeze.flush(zlib.Z_FULL_FLUSH)
    end = struct.pack("<II", _checksum(count, unit, zlib.crc32(head)), (len(head) + count * len(unit)) % 2**32)
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + begun + deflated(count, unit) + end


@functools.cache
def bomb(path: str, count: int, unit: bytes = bytes(2**20), claimed: int | None = None) -> bytes:
    """A zip archive of one file that is `unit` so many times and says that it is `claimed` bytes long."""
    name, data = path.encode(), deflated(count, unit)
    size = (count * len(unit) if claimed is None else claimed) % 2**32
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, _checksum(count, unit), len(data), size, len(name), 0)
    local = b"PK\x03\x04" + fields + name + data
    entry = b"PK\x01\x02" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + end


def _checksum(count: int, unit: bytes, checksum: int = 0) -> int:
    for _ in range(count):
        checksum = zlib.crc32(unit, checksum)
    return checksum


def _json(value: JsonValue) -> bytes:
    return json.dumps(value).encode()
