"""A small server of MongoDB's wire protocol (OP_MSG, and OP_QUERY for the greeting) with SCRAM-SHA-256 (RFC 7677), for
which mongomock answers: what MongoDB's own driver sends is read as it came over the wire."""

import asyncio
import base64
import hashlib
import hmac
import ssl
import struct
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast

import bson
import mongomock
from bson.codec_options import CodecOptions
from mongomock import filtering
from pymongo.errors import DuplicateKeyError, OperationFailure

_HEADER = struct.Struct("<iiii")
_OP_REPLY, _OP_QUERY, _OP_MSG = 1, 2004, 2013
_ITERATIONS = 4_096
_QUIET = frozenset({"hello", "ismaster", "isMaster", "ping", "saslStart", "saslContinue", "endSessions"})

Document = dict[str, Any]
_AS_SENT: CodecOptions[Document] = CodecOptions(document_class=dict, tz_aware=True)


@dataclass
class MongoWire:
    """What it holds, and what it was asked."""

    user: str = "clerk"
    password: str = "s3cret-w0rd"
    port: int = 0
    commands: list[Document] = field(default_factory=list[Document])
    greetings: list[Document] = field(default_factory=list[Document])
    oversize: int = 0
    """Bytes that the next reply to `find` says it has."""
    database: Any = field(default_factory=lambda: mongomock.MongoClient(tz_aware=True)["shop"])

    def put(self, collection: str, document: Mapping[str, Any]) -> None:
        """A document."""
        self.database[collection].insert_one(dict(document))

    def count(self, collection: str) -> int:
        """Documents of a collection."""
        return self.database[collection].count_documents({})

    def held(self, collection: str) -> dict[str, object]:
        """Documents by their names."""
        return {str(each.get("name")): each for each in self.database[collection].find()}


@asynccontextmanager
async def mongo_wire(tls: ssl.SSLContext | None = None) -> AsyncGenerator[MongoWire]:
    """Runs it."""
    wire = MongoWire()
    writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        with suppress(OSError, asyncio.IncompleteReadError):
            await _Conversation(wire, reader, writer).run()
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()


class _Conversation:
    def __init__(self, wire: MongoWire, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._wire = wire
        self._reader = reader
        self._writer = writer
        self._is_logged_in = False
        self._first = ""
        self._nonce = ""

    async def run(self) -> None:
        while True:
            length, number, _, kind = _HEADER.unpack(await self._reader.readexactly(_HEADER.size))
            body = await self._reader.readexactly(length - _HEADER.size)
            command = _query(body) if kind == _OP_QUERY else _message(body)
            reply = bson.encode(self._answered(command))
            if kind == _OP_QUERY:
                self._send(number, _OP_REPLY, struct.pack("<iqii", 8, 0, 0, 1) + reply)
            else:
                self._send(number, _OP_MSG, struct.pack("<i", 0) + b"\0" + reply)
            await self._writer.drain()

    def _send(self, number: int, kind: int, body: bytes) -> None:
        length = _HEADER.size + len(body)
        if self._wire.oversize and self._wire.commands:
            length, self._wire.oversize = self._wire.oversize, 0
        self._writer.write(_HEADER.pack(length, number + 1, number, kind) + body)

    def _answered(self, command: Document) -> Document:
        name = next(iter(command))
        if name in _QUIET:
            return self._quiet(name, command)
        if not self._is_logged_in:
            return _failure(13, f"command {name} requires authentication")
        self._wire.commands.append(command)
        try:
            return {**self._done(name, command), "ok": 1.0}
        except DuplicateKeyError as error:
            return {"ok": 1.0, "n": 0, "writeErrors": [{"index": 0, "code": 11000, "errmsg": str(error)}]}
        except OperationFailure as error:
            return _failure(error.code or 2, str(error))

    def _quiet(self, name: str, command: Document) -> Document:
        if name in ("saslStart", "saslContinue"):
            return self._logged_in(name, command)
        if name in ("ping", "endSessions"):
            return {"ok": 1.0}
        self._wire.greetings.append(command)
        return {
            "helloOk": True,
            "isWritablePrimary": True,
            "ismaster": True,
            "ok": 1.0,
            "readOnly": False,
            "maxBsonObjectSize": 16_777_216,
            "maxMessageSizeBytes": 48_000_000,
            "maxWriteBatchSize": 100_000,
            "minWireVersion": 0,
            "maxWireVersion": 21,
            "logicalSessionTimeoutMinutes": 30,
            "saslSupportedMechs": ["SCRAM-SHA-256"],
            # Members that it tells of and nobody may dial.
            "hosts": ["metadata.example:80"],
            "me": "metadata.example:80",
        }

    def _logged_in(self, name: str, command: Document) -> Document:
        said = cast(bytes, command["payload"]).decode()
        parts = dict(part.split("=", 1) for part in said.split(",") if "=" in part)
        salt = b"0123456789abcdef"
        if name == "saslStart":
            self._nonce = parts["r"] + "server"
            self._first = f"{said.split(',', 2)[2]},r={self._nonce},s={base64.b64encode(salt).decode()},i={_ITERATIONS}"
            return _sasl(self._first.split(",", 2)[2])
        salted = hashlib.pbkdf2_hmac("sha256", self._wire.password.encode(), salt, _ITERATIONS)
        signed = f"{self._first},{said.rsplit(',p=', 1)[0]}".encode()
        key = _hmac(salted, b"Client Key")
        signature = _hmac(hashlib.sha256(key).digest(), signed)
        proof = bytes(one ^ other for one, other in zip(key, signature, strict=True))
        if parts["r"] != self._nonce or base64.b64decode(parts["p"] + "==") != proof:
            return _failure(18, "Authentication failed.")
        self._is_logged_in = True
        verifier = base64.b64encode(_hmac(_hmac(salted, b"Server Key"), signed)).decode()
        return {**_sasl(f"v={verifier}"), "done": True}

    def _done(self, name: str, command: Document) -> Document:
        database = self._wire.database
        if name == "listCollections":
            names = sorted(database.list_collection_names())
            return _cursor("$cmd.listCollections", [{"name": each, "type": "collection"} for each in names])
        collection = database[command[name]]
        if name == "find":
            found = collection.find(_readable(command.get("filter") or {}), command.get("projection"))
            if command.get("sort"):
                found = found.sort(list(command["sort"].items()))
            return _cursor(command[name], list(found.limit(command.get("limit", 0))))
        if name == "aggregate":
            return _cursor(command[name], list(collection.aggregate(command["pipeline"])))
        if name == "insert":
            for document in command["documents"]:
                collection.insert_one(document)
            return {"n": len(command["documents"])}
        if name == "update":
            [one] = command["updates"]
            result = collection.update_one(one["q"], one["u"])
            return {"n": result.matched_count, "nModified": result.modified_count}
        [one] = command["deletes"]
        return {"n": collection.delete_one(one["q"]).deleted_count}


def _query(body: bytes) -> Document:
    name = body.index(b"\0", 4)
    return bson.decode(body[name + 9 :], _AS_SENT)


def _message(body: bytes) -> Document:
    command: Document = {}
    position = 4
    while position < len(body):
        [length] = struct.unpack_from("<i", body, position + 1)
        if body[position] == 0:
            command = {**bson.decode(body[position + 1 : position + 1 + length], _AS_SENT), **command}
        else:
            end = body.index(b"\0", position + 5)
            documents = bson.decode_all(body[end + 1 : position + 1 + length], _AS_SENT)
            command[body[position + 5 : end].decode()] = documents
        position += 1 + length
    first = next(each for each in command if each not in ("documents", "updates", "deletes"))
    return {first: command[first], **command}


def _readable(query: Any) -> Any:
    """Lists of types are what mongomock does not know, nor all types."""
    if isinstance(query, list):
        return [_readable(each) for each in cast("list[Any]", query)]
    if not isinstance(query, dict):
        return query
    members = cast(Document, query)
    types = members.get("_id", {}).get("$type") if isinstance(members.get("_id"), dict) else None
    if isinstance(types, list):
        known = [each for each in cast("list[str]", types) if filtering.TYPE_MAP.get(each)]
        return {"$or": [{"_id": {"$type": each}} for each in known]}
    return {name: _readable(each) for name, each in members.items()}


def _cursor(name: str, documents: list[Document]) -> Document:
    return {"cursor": {"id": 0, "ns": f"shop.{name}", "firstBatch": documents}}


def _sasl(payload: str) -> Document:
    return {"conversationId": 1, "payload": payload.encode(), "done": False, "ok": 1.0}


def _failure(code: int, message: str) -> Document:
    return {"ok": 0.0, "code": code, "errmsg": message}


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()
