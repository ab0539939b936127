"""Collections and documents of one MongoDB database."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from bson.errors import BSONError, InvalidBSON
from pymongo import errors as driver
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.asynchronous.database import AsyncDatabase

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
    ActionType,
    DataType,
    Entity,
    EntityType,
    Field,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    UnknownName,
)
from openplaybook.connectors.plugins.base import MOST_BYTES, EntityBatch, EntityScan, text_of
from openplaybook.connectors.plugins.dialled_address import tls_context
from openplaybook.connectors.plugins.exchange import Asked, SystemDesk, unanswered
from openplaybook.connectors.plugins.mongodb.bson_values import (
    extended,
    identifier_of,
    json_of,
)
from openplaybook.connectors.plugins.mongodb.entity_documents import document_of, entity_of, key_query, sampled_type
from openplaybook.connectors.plugins.mongodb.mongo_client import Document, MongoClientHolder, mongo_login
from openplaybook.connectors.plugins.mongodb.query_documents import (
    QueryDocument,
    QueryLanguage,
    behind,
    checked_pipeline,
    checked_query,
)
from openplaybook.connectors.plugins.mongodb.relay import ServerRelay
from openplaybook.connectors.plugins.pushdown import native_test
from openplaybook.connectors.plugins.sampled_types import SAMPLE, SampledTypes
from openplaybook.connectors.settings import ConnectionSettings, Destination
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, rough_size

T = TypeVar("T")
_FAILURES: Mapping[int, type[ConnectorError]] = {
    11: AuthenticationRefused,
    13: PermissionRefused,
    18: AuthenticationRefused,
    50: SystemUnavailable,
    8000: AuthenticationRefused,
    10107: SystemUnavailable,
    11000: EntityConflict,
    11001: EntityConflict,
    13435: SystemUnavailable,
}
"""By the server's error code."""


class MongoSource:
    """Implements `EntitySource`."""

    def __init__(
        self, title: str, holder: MongoClientHolder, relay: ServerRelay, desk: SystemDesk, allowed: Sequence[str]
    ) -> None:
        """`allowed` are the collections that there are; without any, all but the system's own."""
        self.title = title
        self.is_open = True
        self._holder = holder
        self._relay = relay
        self._desk = desk
        self._allowed = tuple(allowed)
        self._types = SampledTypes()

    async def check(self, call: SystemCall) -> None:
        """Log in, and look for collections."""
        await self._sent("listCollections", "", call, lambda database: database.list_collection_names())

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Collections and views."""
        if self._allowed:
            return self._allowed
        found = await self._sent(
            "listCollections", "", call, lambda database: database.list_collection_names(), is_description=True
        )
        return [name for name in found if not name.startswith("system.")]

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A collection, with the fields of some of its documents."""

        async def sample() -> EntityType:
            names = await self.names(call)
            if name not in names:
                raise UnknownName("entity", name, names)
            documents, _ = await self._found(name, {}, None, SAMPLE, call, is_description=True)
            return sampled_type(name, documents)

        return await self._types.get(name, sample)

    def actions(self) -> Sequence[ActionType]:
        """Queries in MongoDB's own language."""
        return MONGO_ACTIONS

    def tries(self, scan: EntityScan) -> bool:
        """What a query document says."""
        native = native_test(scan.condition, QueryLanguage(scan.entity_type))
        return native is not None and native.is_whole

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Documents by `_id`."""
        native = native_test(scan.condition, QueryLanguage(scan.entity_type))
        terms = [*([behind(identifier_of(after))] if after else []), *([native.native] if native else [])]
        query: QueryDocument = {"$and": terms} if len(terms) > 1 else terms[0] if terms else {}
        documents, is_cut = await self._found(scan.entity_type.name, query, scan.fields, size, call)
        is_last = len(documents) < size and not is_cut
        return EntityBatch(tuple(entity_of(each, scan.fields) for each in documents), is_last)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A document."""
        found, _ = await self._found(entity_type.name, key_query(key), fields, 1, call)
        if not found:
            raise EntityNotFound(f"{entity_type.name} has no document {key!r}")
        return entity_of(found[0], fields)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """With its own `_id` where it is given."""
        document = document_of(entity_type, values)
        if document.get("_id", "") is None:
            del document["_id"]
        asked = f"{entity_type.name}.insertOne({_shown(values)})"
        await self._sent(
            "insert", asked, call, lambda database: database[entity_type.name].insert_one(document), is_write=True
        )
        self._types.written(entity_type, values)
        return entity_of(document, ())

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some fields of a document."""
        query, document = key_query(key), document_of(entity_type, values)
        asked = f"{entity_type.name}.updateOne({key}, {{$set: {_shown(values)}}})"
        result = await self._sent(
            "update",
            asked,
            call,
            lambda database: database[entity_type.name].update_one(query, {"$set": document}),
            is_write=True,
        )
        if not result.matched_count:
            raise EntityNotFound(f"{entity_type.name} has no document {key!r}")
        self._types.written(entity_type, values)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """A document."""
        query = key_query(key)
        result = await self._sent(
            "delete",
            f"{entity_type.name}.deleteOne({key})",
            call,
            lambda database: database[entity_type.name].delete_one(query),
            is_write=True,
        )
        if not result.deleted_count:
            raise EntityNotFound(f"{entity_type.name} has no document {key!r}")

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """A query of somebody else's writing, which only reads."""
        names = await self.names(call)
        collection = text_of(parameters, "collection")
        if collection not in names:
            raise UnknownName("entity", collection, names)
        limit = _limit(parameters)
        if action == "FindDocuments":
            query = checked_query(_native(parameters, "filter") or {}, "filter")
            projection, sort = _native(parameters, "projection"), _native(parameters, "sort")
            for name, each in (("projection", projection), ("sort", sort)):
                if each is not None:
                    checked_query(each, name)
            found, is_cut = await self._listed(
                f"{collection}.find({_shown(parameters)})",
                lambda each: each[collection].find(
                    query, projection, sort=sort, limit=limit + 1, max_time_ms=_most_ms(call)
                ),
                limit + 1,
                call,
            )
        else:
            stages = [*checked_pipeline(_native(parameters, "pipeline"), names), {"$limit": limit + 1}]
            found, is_cut = await self._listed(
                f"{collection}.aggregate({_shown(parameters)})",
                lambda each: _aggregated(each[collection], stages, call),
                limit + 1,
                call,
            )
        rows = tuple({name: json_of(each) for name, each in document.items()} for document in found[:limit])
        return QueryResult(rows, is_truncated=is_cut or len(found) > limit)

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """There is no language of text."""
        raise OperationUnsupported(f"{self.title} takes queries by the actions FindDocuments and Aggregate")

    async def aclose(self) -> None:
        """Close the client."""
        await self._holder.aclose()

    def failure(self, error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        """By the driver's classes, and the server's codes."""
        behind_it, self._relay.failure = self._relay.failure, None
        if isinstance(error, driver.ServerSelectionTimeoutError | driver.WaitQueueTimeoutError):
            return behind_it or SystemUnavailable(f"the system does not answer: {said}")
        if isinstance(error, driver.ConnectionFailure):
            return behind_it if isinstance(behind_it, SystemFault) else unanswered(asked, said)
        if isinstance(error, driver.OperationFailure):
            made = _FAILURES.get(error.code or 0)
            return made(f"the system says: {said}") if made else InvalidValue("", said)
        if isinstance(error, InvalidBSON | driver.ProtocolError):
            return SystemFault(f"the system's answer cannot be read: {said}")
        if isinstance(error, BSONError | OverflowError | driver.PyMongoError):
            return InvalidValue("", said)
        return None

    async def _found(
        self,
        collection: str,
        query: QueryDocument,
        fields: Sequence[str] | None,
        size: int,
        call: SystemCall,
        *,
        is_description: bool = False,
    ) -> tuple[Sequence[Document], bool]:
        """The documents, and whether there may be more of them than so many bytes let through."""
        names = [name for name in fields or () if not name.startswith("$") and "." not in name]
        is_chosen = fields is not None and len(names) == len(fields)
        projection = dict.fromkeys(["_id", *names], 1) if is_chosen else None
        return await self._listed(
            f"{collection}.find({query}, {projection}).sort({{_id: 1}}).limit({size})",
            lambda each: each[collection].find(
                query, projection, sort=[("_id", 1)], limit=size, max_time_ms=_most_ms(call)
            ),
            size,
            call,
            is_description=is_description,
        )

    async def _listed(
        self,
        asked: str,
        opened: Callable[[AsyncDatabase[Document]], Any],
        most: int,
        call: SystemCall,
        *,
        is_description: bool = False,
    ) -> tuple[Sequence[Document], bool]:
        async def work(database: AsyncDatabase[Document]) -> tuple[Sequence[Document], bool]:
            cursor = opened(database)
            if asyncio.iscoroutine(cursor):
                cursor = await cursor
            found: list[Document] = []
            size = 0
            async with cursor:
                async for document in cursor:
                    found.append(document)
                    size += rough_size(json_of(document), MOST_BYTES)
                    if size > MOST_BYTES or len(found) == most:
                        return found, size > MOST_BYTES
            return found, False

        return await self._sent("find", asked, call, work, _told, is_description=is_description)

    async def _sent(
        self,
        method: str,
        asked: str,
        call: SystemCall,
        work: Callable[[AsyncDatabase[Document]], Awaitable[T]],
        told: Callable[[T], str] = str,
        *,
        is_write: bool = False,
        is_description: bool = False,
    ) -> T:
        what = Asked(method, asked, is_write=is_write, is_description=is_description)
        self._desk.admit(what, call)
        # Apart, so that a write for which nobody could be reached is not in doubt.
        database = await self._holder_database(call)
        return await self._desk.sent(what, call, lambda: work(database), told)

    async def _holder_database(self, call: SystemCall) -> AsyncDatabase[Document]:
        try:
            async with asyncio.timeout(max(call.timeout_s, 0.05)):
                return await self._holder.database()
        except TimeoutError:
            raise SystemUnavailable("the system does not answer in time") from None


def opened_source(definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess) -> MongoSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    destination: Destination = settings.destination(definition.default_port)
    if not settings.text("database"):
        raise InvalidConnection("configVariables.database", "is required")
    login = mongo_login(settings)
    relay = ServerRelay(access, destination, tls_context(settings.tls) if settings.tls.is_used else None)
    holder = MongoClientHolder(settings, relay, login)
    address = f"mongodb://{destination.host}:{destination.port}/{settings.text('database')}"
    allowed = [each.strip() for each in settings.text("collections").split(",") if each.strip()]

    def failure(error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        return source.failure(error, said, asked)

    desk = SystemDesk(settings, address, failure, [login.password] if login else [])
    source = MongoSource(definition.title, holder, relay, desk, allowed)
    return source


async def _aggregated(collection: AsyncCollection[Document], stages: list[QueryDocument], call: SystemCall) -> Any:
    return await collection.aggregate(stages, maxTimeMS=_most_ms(call))


def _native(parameters: JsonObject, name: str) -> Any:
    """A parameter in extended JSON, such as `{"$oid": "…"}`, with the driver's values."""
    value: JsonValue = parameters.get(name)
    return None if value is None else extended(dumps(value).decode(), name)


def _most_ms(call: SystemCall) -> int:
    """After which the server gives up too."""
    return max(1, int(call.timeout_s * 1_000))


def _limit(parameters: JsonObject) -> int:
    given = parameters.get("limit")
    if given is not None and not (isinstance(given, int) and 0 < given <= LARGEST_PAGE_SIZE):
        raise InvalidValue("limit", f"must be from 1 to {LARGEST_PAGE_SIZE}")
    return LARGEST_PAGE_SIZE if given is None else given


def _shown(values: JsonObject) -> str:
    return dumps(values).decode("utf-8", "replace")


def _told(told: tuple[Sequence[Document], bool]) -> str:
    documents = told[0]
    return f"{len(documents)} documents: {str(documents[:20])[:8_000]}"


_COLLECTION = Field("collection", DataType.STRING, is_required=True, is_nullable=False)
_LIMIT = Field("limit", DataType.INTEGER, default=LARGEST_PAGE_SIZE, description="Documents that are given at most.")
MONGO_ACTIONS = (
    ActionType(
        "FindDocuments",
        "Find documents",
        "Gives the documents that meet a query of MongoDB (extended JSON), in which no program may be.",
        (
            _COLLECTION,
            Field("filter", DataType.STRUCT),
            Field("projection", DataType.STRUCT),
            Field("sort", DataType.STRUCT),
            _LIMIT,
        ),
        is_read_only=True,
        is_repeatable=True,
    ),
    ActionType(
        "Aggregate",
        "Aggregate",
        "Gives what the stages of an aggregation make of a collection; stages that write are refused.",
        (_COLLECTION, Field("pipeline", DataType.ARRAY, is_required=True, is_nullable=False), _LIMIT),
        is_read_only=True,
        is_repeatable=True,
    ),
)
