"""Files of a server as entities, and what can be done with them as actions."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

from openplaybook.connectors.base import (
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityType,
    Field,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.syntax import ColumnComparison
from openplaybook.connectors.errors import (
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    UnknownName,
)
from openplaybook.connectors.plugins.base import MOST_BYTES, EntityBatch, EntityScan, text_of
from openplaybook.connectors.plugins.exchange import Asked, SystemDesk
from openplaybook.connectors.plugins.file_content import CONTENT, content_result, given_content
from openplaybook.connectors.plugins.file_transfer.base import FileEntry, FileServer, FileSession, checked_path
from openplaybook.connectors.plugins.pushdown import equal_texts
from openplaybook.jsonvalues import JsonObject

_MOST_DEPTH = 20
"""Folders within each other that a listing goes down."""
_MOST_FOLDERS = 200
"""Folders that one listing looks into."""

FILES = EntityType(
    "Files",
    (
        Field(
            "path", DataType.STRING, is_key=True, is_nullable=False, is_read_only=True, description="Below the root."
        ),
        Field("name", DataType.STRING, is_nullable=False, is_read_only=True),
        Field("folder", DataType.STRING, is_nullable=False, is_read_only=True, description="Empty for the root."),
        Field("isFolder", DataType.BOOLEAN, is_nullable=False, is_read_only=True),
        Field("size", DataType.BIGINT, is_read_only=True, description="Bytes, of a file."),
        Field("modifiedAt", DataType.TIMESTAMP_WITH_ZONE, is_read_only=True),
    ),
    frozenset({EntityOperation.LIST, EntityOperation.GET, EntityOperation.DELETE}),
    description="Files and folders. Without folder = '…' in the condition, also those in folders within folders.",
    default_sort="path",
)

T = TypeVar("T")


class FileServerSource:
    """Implements `EntitySource` with a server of files: each call logs in anew, so that no login grows old."""

    def __init__(self, title: str, server: FileServer, desk: SystemDesk) -> None:
        self.title = title
        self.is_open = False
        self._server = server
        self._desk = desk

    async def check(self, call: SystemCall) -> None:
        """Log in and look at the root folder."""
        await self._sent(Asked("CHECK", "login"), call, lambda session: session.welcome())

    async def names(self, call: SystemCall) -> Sequence[str]:
        """`Files` alone."""
        del call
        return (FILES.name,)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """`Files`."""
        del call
        if name != FILES.name:
            raise UnknownName("entity", name, (FILES.name,))
        return FILES

    def actions(self) -> Sequence[ActionType]:
        """What can be done with files."""
        return FILE_ACTIONS

    def tries(self, scan: EntityScan) -> bool:
        """Only in which folder."""
        return isinstance(scan.condition, ColumnComparison) and bool(equal_texts(scan.condition, "folder"))

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Folders before what is in them, each folder by name; those that lie before `after` are not looked into."""
        folders = equal_texts(scan.condition, "folder")
        only = checked_path(folders[0], "folder") if folders else None
        walk = _Walk(after, only)
        return await self._sent(
            Asked("LIST", f"{only or '/'} after {after!r}"),
            call,
            lambda session: walk.batch(session, size),
            _told_batch,
        )

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """By its folder's listing."""
        path = checked_path(key)
        found = await self._sent(Asked("STAT", path), call, lambda session: session.entry(path))
        if found is None:
            raise EntityNotFound(f"there is no file or folder {path!r}")
        return _entity(path.rpartition("/")[0], found)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """By the action `UploadFile` instead."""
        raise OperationUnsupported("files are made by the action UploadFile")

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """By the action `UploadFile` instead."""
        raise OperationUnsupported("files are changed by the action UploadFile")

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """A file, or a folder that is empty."""
        path = _file_path(key, "path")
        await self._sent(Asked("DELETE", path, is_write=True), call, lambda session: _removed(session, path))

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """What can be done with files."""
        path = _file_path(text_of(parameters, "path"), "path")
        if action == "DownloadFile":
            data = await self._sent(
                Asked("READ", path), call, lambda session: session.read(path, MOST_BYTES), lambda d: f"{len(d)} bytes"
            )
            return QueryResult((content_result("path", path, data),))
        if action == "UploadFile":
            data = given_content(parameters)
            overwrites = parameters.get("overwrite") is True
            asked = Asked("WRITE", f"{path} ({len(data)} bytes)", is_write=True)
            await self._sent(asked, call, lambda session: _written(session, path, data, overwrites=overwrites))
            return QueryResult(({"path": path, "size": len(data)},))
        if action in ("MoveFile", "CopyFile"):
            target = _file_path(text_of(parameters, "target"), "target")
            if target == path:
                # To make room for it, the file itself would be taken away.
                raise InvalidValue("target", "is the path itself")
            asked = Asked("MOVE" if action == "MoveFile" else "COPY", f"{path} to {target}", is_write=True)
            moves, overwrites = action == "MoveFile", parameters.get("overwrite") is True
            await self._sent(
                asked, call, lambda session: _moved(session, path, target, moves=moves, overwrites=overwrites)
            )
            return QueryResult(({"path": target},))
        await self._sent(Asked("MAKE FOLDER", path, is_write=True), call, lambda session: session.make_folder(path))
        return QueryResult(({"path": path},))

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """There is no language."""
        raise OperationUnsupported(f"{self.title} has no query language")

    async def aclose(self) -> None:
        """No login outlives its call."""

    async def _sent(
        self,
        asked: Asked,
        call: SystemCall,
        work: Callable[[FileSession], Awaitable[T]],
        told: Callable[[T], str] = str,
    ) -> T:
        self._desk.admit(asked, call)
        async with AsyncExitStack() as stack:
            entered = self._server.session(max(call.timeout_s, 1.0))
            session = await self._desk.sent(
                Asked("LOGIN", ""), call, lambda: stack.enter_async_context(entered), lambda _: ""
            )
            return await self._desk.sent(asked, call, lambda: work(session), told)


class _Walk:
    """Goes through folders in the order of paths, part by part."""

    def __init__(self, after: str, only: str | None) -> None:
        self._after = tuple(after.split("/")) if after else ()
        self._only = only
        self._found: list[Entity] = []
        self._folders = 0
        self._is_cut = False

    async def batch(self, session: FileSession, size: int) -> EntityBatch:
        """So many, at least, unless there are no more."""
        is_last = True
        async for entity in self._entities(session, self._only or "", 0):
            if len(self._found) == size:
                is_last = False
                break
            self._found.append(entity)
        return EntityBatch(tuple(self._found), is_last, self._is_cut)

    async def _entities(self, session: FileSession, folder: str, depth: int) -> AsyncIterator[Entity]:
        if self._folders >= _MOST_FOLDERS or depth > _MOST_DEPTH:
            self._is_cut = True
            return
        self._folders += 1
        try:
            listed = await session.listed(folder)
        except EntityNotFound:
            return
        for entry in sorted(listed, key=lambda each: each.name):
            entity = _entity(folder, entry)
            place = tuple(entity.key.split("/"))
            if place > self._after:
                yield entity
            if entry.is_folder and self._only is None and place >= self._after[: len(place)]:
                async for inner in self._entities(session, entity.key, depth + 1):
                    yield inner


def _told_batch(batch: EntityBatch) -> str:
    return f"{len(batch.entities)} entries"


def _entity(folder: str, entry: FileEntry) -> Entity:
    path = f"{folder}/{entry.name}" if folder else entry.name
    return Entity(
        path,
        {
            "path": path,
            "name": entry.name,
            "folder": folder,
            "isFolder": entry.is_folder,
            "size": entry.size,
            "modifiedAt": entry.modified_at or None,
        },
    )


def _file_path(text: str, name: str) -> str:
    path = checked_path(text, name)
    if not path:
        raise InvalidValue(name, "is the root folder itself")
    return path


async def _found(session: FileSession, path: str) -> FileEntry:
    found = await session.entry(path)
    if found is None:
        raise EntityNotFound(f"there is no file or folder {path!r}")
    return found


async def _removed(session: FileSession, path: str) -> None:
    await session.remove(path, is_folder=(await _found(session, path)).is_folder)


async def _written(session: FileSession, path: str, data: bytes, *, overwrites: bool) -> None:
    if not overwrites and await session.entry(path) is not None:
        raise EntityConflict(f"there is a file {path!r} already; it is replaced where overwrite is true")
    await session.write(path, data)


async def _moved(session: FileSession, path: str, target: str, *, moves: bool, overwrites: bool) -> None:
    source = await _found(session, path)
    there = await session.entry(target)
    if there is not None and not overwrites:
        raise EntityConflict(f"there is a file {target!r} already; it is replaced where overwrite is true")
    if not moves:
        if source.is_folder:
            raise InvalidValue("path", f"{path!r} is a folder; files can be copied")
        await session.write(target, await session.read(path, MOST_BYTES))
        return
    if there is not None and not there.is_folder:
        await session.remove(target, is_folder=False)
    await session.move(path, target)


_PATH = Field("path", DataType.STRING, is_required=True, is_nullable=False, description="Below the root folder.")
_TARGET = Field("target", DataType.STRING, is_required=True, is_nullable=False, description="Its new path.")
_OVERWRITE = Field("overwrite", DataType.BOOLEAN, default=False, description="Whether to replace what is there.")
FILE_ACTIONS = (
    ActionType(
        "DownloadFile",
        "Download file",
        f"Gives the content of a file of at most {MOST_BYTES:,} bytes.",
        (_PATH,),
        (_PATH, Field("size", DataType.BIGINT), *CONTENT),
        is_read_only=True,
        is_repeatable=True,
    ),
    ActionType("UploadFile", "Upload file", "Makes a file.", (_PATH, *CONTENT, _OVERWRITE), (_PATH,)),
    ActionType("MoveFile", "Move file", "Gives a file or a folder another path.", (_PATH, _TARGET, _OVERWRITE)),
    ActionType("CopyFile", "Copy file", "Makes a second file like one.", (_PATH, _TARGET, _OVERWRITE)),
    ActionType("CreateFolder", "Create folder", "Makes an empty folder.", (_PATH,), (_PATH,)),
)
