"""A small server of Bolt 5.4 that holds nodes of labels and knows the few forms of statements that a connection makes:
what Neo4j's own driver sends is read as it came over the wire. Conditions are tried as Cypher would."""

import asyncio
import re
import ssl
import struct
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast

_MAGIC = b"\x60\x60\xb0\x17"
_VERSION = b"\x00\x00\x04\x05"
_HELLO, _GOODBYE, _RUN, _BEGIN, _COMMIT, _PULL, _LOGON = 0x01, 0x02, 0x10, 0x11, 0x12, 0x3F, 0x6A
_DISCARD = 0x2F
_SUCCESS, _RECORD, _IGNORED, _FAILURE = 0x70, 0x71, 0x7E, 0x7F
_RESET = 0x0F
_LEAF = re.compile(r"(NOT )?n\.`((?:[^`]|``)+)` (<>|<=|>=|=|<|>|IN|STARTS WITH) \$(\w+)")
_ABSENT = re.compile(r"n\.`((?:[^`]|``)+)` IS (NOT )?NULL")
_WRITES = re.compile(r"\b(CREATE|SET|DELETE)\b")

Values = dict[str, Any]


@dataclass
class BoltServer:
    """What it holds, and what it was asked."""

    user: str = "clerk"
    password: str = "s3cret-w0rd"
    port: int = 0
    nodes: dict[str, dict[str, Values]] = field(default_factory=lambda: {"Guest": {}})
    """Label → element id → properties."""
    statements: list[tuple[str, Values]] = field(default_factory=list[tuple[str, Values]])
    modes: list[str] = field(default_factory=list[str])
    """Of transactions: `r` or `w`."""
    commits: int = 0
    stats: Values = field(default_factory=dict[str, Any])
    """What it says that a statement has changed, such as `{"nodes-created": 2}`."""
    made: int = 0
    answer: Callable[[str, Values], list[Values] | None] = lambda text, values: None
    """Rows for other statements."""

    def put(self, label: str, values: Values) -> str:
        """A node."""
        self.made += 1
        key = f"4:0b5a:{self.made:06}"
        self.nodes[label][key] = {name: each for name, each in values.items() if each is not None}
        return key

    def held(self) -> dict[str, object]:
        """Nodes by their names."""
        return {str(each.get("name")): each for each in self.nodes["Guest"].values()}


@asynccontextmanager
async def bolt_server(tls: ssl.SSLContext | None = None) -> AsyncGenerator[BoltServer]:
    """Runs it."""
    held = BoltServer()
    writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        with suppress(OSError, asyncio.IncompleteReadError):
            await _Conversation(held, reader, writer).run()
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    held.port = server.sockets[0].getsockname()[1]
    try:
        yield held
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()


class _Conversation:
    def __init__(self, held: BoltServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._held = held
        self._reader = reader
        self._writer = writer
        self._rows: list[list[Any]] = []
        self._mode = "w"
        self._has_failed = False

    async def run(self) -> None:
        assert (await self._reader.readexactly(20))[:4] == _MAGIC
        self._writer.write(_VERSION)
        while True:
            kind, fields = _unpacked(await self._message())
            if kind == _GOODBYE:
                return
            if kind == _RESET:
                self._has_failed = False
            if self._has_failed:
                self._say(_IGNORED)
            else:
                self._answer(kind, fields)
            await self._writer.drain()

    def _answer(self, kind: int, fields: list[Any]) -> None:
        if kind == _LOGON and fields[0]["credentials"] != self._held.password:
            self._fail("Neo.ClientError.Security.Unauthorized", "The client is unauthorized.")
        elif kind == _HELLO:
            self._say(_SUCCESS, {"server": "Neo4j/5.20.0", "connection_id": "bolt-1", "hints": {}})
        elif kind == _BEGIN:
            self._mode = fields[0].get("mode", "w")
            self._held.modes.append(self._mode)
            self._say(_SUCCESS, {})
        elif kind == _RUN:
            self._run(fields[0], fields[1])
        elif kind == _PULL:
            most = fields[0]["n"]
            given, self._rows = (self._rows[:most], self._rows[most:]) if most > 0 else (self._rows, [])
            for row in given:
                self._say(_RECORD, row)
            self._say(_SUCCESS, {"has_more": True} if self._rows else {"type": "rw", "stats": self._held.stats})
        elif kind == _DISCARD:
            self._rows = []
            self._say(_SUCCESS, {"type": "rw", "stats": self._held.stats})
        else:
            self._held.commits += kind == _COMMIT
            self._rows = []
            self._say(_SUCCESS, {})

    def _run(self, text: str, values: Values) -> None:
        self._held.statements.append((text, values))
        if self._mode == "r" and _WRITES.search(re.sub(r"`(?:[^`]|``)+`", "", text)):
            self._fail("Neo.ClientError.Statement.AccessMode", "Writing in read access mode not allowed.")
            return
        try:
            rows = self._held.answer(text, values)
            rows = self._found(text, values) if rows is None else rows
        except KeyError:
            self._fail("Neo.ClientError.Statement.SyntaxError", f"Invalid input: {text[:40]}")
            return
        names = list(rows[0]) if rows else ["key", "fields"]
        self._rows = [list(row.values()) for row in rows]
        self._say(_SUCCESS, {"fields": names, "t_first": 0, "qid": 0})

    def _found(self, text: str, values: Values) -> list[Values]:
        if text == "RETURN 1 AS one":
            return [{"one": 1}]
        if text.startswith("CALL db.labels()"):
            return [{"label": each} for each in self._held.nodes]
        label = re.match(r"(?:MATCH|CREATE) \(n:`((?:[^`]|``)+)`\)", text)
        if label is None:
            raise KeyError(text)
        nodes = self._held.nodes[label[1].replace("``", "`")]
        if text.startswith("CREATE"):
            key = self._held.put(label[1], values["values"])
            return [{"key": key, "fields": nodes[key]}]
        if " = $key" in text:
            return self._one(text, nodes, values)
        if "properties(n) AS fields" in text:
            return [{"fields": each} for each in list(nodes.values())[: values["size"]]]
        where = re.search(r" WHERE (.*) WITH n ORDER BY", text)
        found = [
            key
            for key in sorted(nodes)
            if key > values.get("after", "") and (where is None or meets_leaves(where[1], nodes[key], values))
        ]
        return [{"key": key, "fields": _projected(text, nodes[key])} for key in found[: values["size"]]]

    def _one(self, text: str, nodes: dict[str, Values], values: Values) -> list[Values]:
        key = values["key"]
        if " RETURN elementId" in text:
            return [{"key": key, "fields": _projected(text, nodes[key])}] if key in nodes else []
        if key in nodes and " DELETE n " in text:
            del nodes[key]
            return [{"changed": 1}]
        if key in nodes:
            whole = nodes[key] | values["values"]
            nodes[key] = {name: each for name, each in whole.items() if each is not None}
            return [{"changed": 1}]
        return [{"changed": 0}]

    def _fail(self, code: str, message: str) -> None:
        self._has_failed = True
        self._say(_FAILURE, {"code": code, "message": message})

    def _say(self, kind: int, *fields: object) -> None:
        message = bytes([0xB0 + len(fields), kind]) + b"".join(packed(each) for each in fields)
        for start in range(0, len(message), 60_000):
            chunk = message[start : start + 60_000]
            self._writer.write(struct.pack(">H", len(chunk)) + chunk)
        self._writer.write(b"\0\0")

    async def _message(self) -> bytes:
        message = b""
        while True:
            [length] = struct.unpack(">H", await self._reader.readexactly(2))
            if not length and message:
                return message
            message += await self._reader.readexactly(length)


def _projected(text: str, properties: Values) -> Values:
    names = [each.replace("``", "`") for each in re.findall(r"\.`((?:[^`]|``)+)`", text.partition(" RETURN ")[2])]
    return {name: properties.get(name) for name in names}


def meets_leaves(where: str, properties: Values, values: Values) -> bool:
    """Leaves are true or not; what is unknown is not."""

    def leaf(found: re.Match[str]) -> str:
        value, bound = properties.get(found[2].replace("``", "`")), values[found[4]]
        if value is None:
            return "False"
        result = _compared(found[3], value, bound)
        return str(result is not None and result != bool(found[1]))

    def absent(found: re.Match[str]) -> str:
        return str((properties.get(found[1]) is None) != bool(found[2]))

    text = _ABSENT.sub(absent, _LEAF.sub(leaf, where.replace("elementId(n) > $after", "True")))
    assert re.fullmatch(r"(True|False|AND|OR|[() ])+", text), text
    return bool(eval(text.lower().replace("true", "True").replace("false", "False")))


def _compared(operator: str, value: Any, bound: Any) -> bool | None:
    if operator == "IN":
        return value in bound
    if operator == "STARTS WITH":
        return isinstance(value, str) and value.startswith(bound)
    if operator in ("=", "<>"):
        return (value == bound and isinstance(value, bool) == isinstance(bound, bool)) == (operator == "=")
    if isinstance(value, str) != isinstance(bound, str):
        return None
    return {"<": value < bound, "<=": value <= bound, ">": value > bound, ">=": value >= bound}[operator]


def packed(value: Any) -> bytes:
    """A value in PackStream."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xcb" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\xc1" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\xd2" + struct.pack(">I", len(data)) + data
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return b"\xd6" + struct.pack(">I", len(items)) + b"".join(packed(each) for each in items)
    if isinstance(value, tuple):
        tag, *fields = cast("tuple[Any, ...]", value)
        return bytes([0xB0 + len(fields), tag]) + b"".join(packed(each) for each in fields)
    members = cast(Values, value)
    inner = b"".join(packed(name) + packed(each) for name, each in members.items())
    return b"\xda" + struct.pack(">I", len(members)) + inner


def _unpacked(message: bytes) -> tuple[int, list[Any]]:
    reading = _Reading(message)
    structure = reading.value()
    return structure[0], list(structure[1:])


class _Reading:
    """Reads values of PackStream one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def value(self) -> Any:
        mark = self._take(1)[0]
        if mark < 0x80 or mark >= 0xF0:
            return mark if mark < 0x80 else mark - 256
        high, low = mark & 0xF0, mark & 0x0F
        if high == 0x80:
            return self._take(low).decode()
        if high == 0x90:
            return [self.value() for _ in range(low)]
        if high == 0xA0:
            return self._members(low)
        if high == 0xB0:
            tag = self._take(1)[0]
            return (tag, *(self.value() for _ in range(low)))
        return self._marked(mark)

    def _marked(self, mark: int) -> Any:
        simple = {0xC0: None, 0xC2: False, 0xC3: True}
        if mark in simple:
            return simple[mark]
        if mark == 0xC1:
            return struct.unpack(">d", self._take(8))[0]
        if 0xC8 <= mark <= 0xCB:
            return int.from_bytes(self._take(1 << (mark - 0xC8)), "big", signed=True)
        size = int.from_bytes(self._take(1 << (mark & 0x03)), "big")
        if 0xCC <= mark <= 0xCE:
            return self._take(size)
        if 0xD0 <= mark <= 0xD2:
            return self._take(size).decode()
        return [self.value() for _ in range(size)] if mark <= 0xD7 else self._members(size)

    def _members(self, size: int) -> Values:
        return {self.value(): self.value() for _ in range(size)}

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]
