"""Documents of a store, one by one: create, get, list, update and delete."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import replace
from hashlib import sha256

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.errors import InvalidId, InvalidPageToken
from openplaybook.resources.masks import merge
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.retrieval.base import SearchEngine, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import SourceFault
from openplaybook.retrieval.ingestion.document_form import document_form, document_json
from openplaybook.retrieval.ingestion.document_reader import DocumentReader, digested
from openplaybook.retrieval.ingestion.form_source import ContentLoader
from openplaybook.retrieval.records.document_ids import checked_id
from openplaybook.services.discoveryengine.schemas import DEFAULT_SCHEMA
from openplaybook.services.discoveryengine.search_results import shown_text
from openplaybook.services.discoveryengine.store_contents import filling
from openplaybook.services.discoveryengine.store_names import name_in_branch
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.large_messages import done_aside
from openplaybook.services.listings import PAGE_BYTES, PageBuilder
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.errors import RecordExists
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

_TEMPLATE = "documents/{document}"
_READ_AT_ONCE = 50
_DIGEST_BYTES = 8


class Documents:
    """The five standard methods, and what a document was cut into."""

    def __init__(self, parts: ServiceParts, engine: SearchEngine, stores: StoreReadings, load: ContentLoader) -> None:
        """`load` gives the contents that a document has in a bucket."""
        self._parts = parts
        self._engine = engine
        self._stores = stores
        self._load = load
        self._reader = DocumentReader()

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Read the document and put it into its store."""
        branch = name_in_branch(request.parent, field="parent")
        if not request.document_id:
            raise invalid(("document_id", "is required"))
        _check_id("document_id", request.document_id)
        if await self._engine.get(branch.store, request.document_id) is not None:
            raise RecordExists(f"{request.parent}/documents/{request.document_id}")
        return await self._put(branch.store, branch.words[0], request.document_id, request.document)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The document of that name."""
        name = name_in_branch(request.name, _TEMPLATE)
        return await self._message(name.store, name.words[0], await self._stored(request.name))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Documents by id; of those that came with their contents, without these."""
        branch = name_in_branch(request.parent, field="parent")
        size = page_size(request.page_size)
        after = _read_token(branch.store, request.page_token)
        await self._stores.existing(branch.store)
        response = self._parts.discovery("ListDocumentsResponse")
        held = 0
        while len(response.documents) < size and held < PAGE_BYTES:
            limit = min(_READ_AT_ONCE, size - len(response.documents))
            page = await self._engine.page(branch.store, after=after, limit=limit)
            for document in page.documents:
                shown = await self._message(branch.store, branch.words[0], document, has_raw_bytes=False)
                response.documents.append(shown)
                held += shown.ByteSize()
            after = page.next_after
            if not after:
                break
        response.next_page_token = _token(branch.store, after) if after else ""
        context.answer_bytes = held
        return response

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Put another state of the document; with `allow_missing` also where there is none."""
        name = name_in_branch(request.document.name, _TEMPLATE, "document.name")
        stored = await self._engine.get(name.store, name.id)
        if stored is None and not request.allow_missing:
            await self._stores.existing(name.store)
            raise not_found("Document", request.document.name)
        document = request.document
        if stored is not None and request.update_mask.paths:
            before = await self._message(name.store, name.words[0], stored)
            document = merge(before, document, request.update_mask.paths, context.sent_fields)
        _check_id("document.name", name.id)
        return await self._put(name.store, name.words[0], name.id, document)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Take the document out of its store."""
        name = name_in_branch(request.name, _TEMPLATE)
        if not await self._engine.delete(name.store, [name.id]):
            await self._stores.existing(name.store)
            raise not_found("Document", request.name)
        return self._parts.empty()

    async def chunks(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of the chunks of a document, as searches find them. NOT_FOUND: the store has no such document."""
        chunk_message = self._parts.api.message("openplaybook.v1.DocumentChunk")
        name = name_in_branch(request.parent, _TEMPLATE, "parent")
        document = await self._engine.get(name.store, name.id)
        if document is None:
            raise not_found("Document", request.parent)
        query = ("chunks", name.store, name.id)
        building = PageBuilder(page_size(request.page_size), query)
        begin = read_token(query, request.page_token)
        for number, passage in enumerate(document.passages[begin:], begin):
            text = shown_text(passage.text)
            chunk = chunk_message(
                id=f"c{number}",
                headings=passage.headings,
                text=text,
                truncated=text != passage.text,
                page=passage.page,
            )
            building.add(number + 1, chunk, chunk.ByteSize())
            if building.is_full:
                break
        page = building.listing()
        context.answer_bytes = page.size
        return self._parts.api.message("openplaybook.v1.ListDocumentChunksResponse")(
            chunks=page.messages,
            next_page_token=page.token,
            total_size=len(document.passages),
            language=document.language,
            question=document.question,
        )

    async def _put(self, store: str, branch: str, id: str, message: ApiMessage) -> ApiMessage:
        reading = await self._stores.reading(store)
        sent = await self._parts.json_of(message)
        try:
            form = await done_aside(lambda: document_form({**sent, "id": id}), message.ByteSize())
            if form.uri:
                form = replace(form, raw=await self._load(form.uri))
        except InvalidSource as error:
            raise invalid(("document", str(error))) from error
        size = max(message.ByteSize(), len(form.raw or b""))
        known = await done_aside(lambda: digested(form, reading), size)
        [read] = await self._reader.read([known], reading)
        if isinstance(read, SourceFault):
            raise RpcError(Code[read.code], f"document: {read.message}")
        async with filling(self._engine, self._stores, store):
            await self._engine.put(store, [read])
        if read.question:
            await self._stores.mark_faq(store)
        return await self._message(store, branch, read)

    async def _stored(self, text: str) -> StoreDocument:
        name = name_in_branch(text, _TEMPLATE)
        found = await self._engine.get(name.store, name.id)
        if found is None:
            await self._stores.existing(name.store)
            raise not_found("Document", text)
        return found

    async def _message(
        self, store: str, branch: str, document: StoreDocument, *, has_raw_bytes: bool = True
    ) -> ApiMessage:
        size = sum(len(passage.text) for passage in document.passages)
        if has_raw_bytes:
            size += len(str(as_object(document.source.get("content")).get("rawBytes", "")))

        def built() -> ApiMessage:
            name = f"{store}/branches/{branch}/documents/{document.id}"
            shown = document_json(document, has_raw_bytes=has_raw_bytes)
            return self._parts.api.codec.from_json(_named(shown, name), self._parts.discovery("Document"))

        return await done_aside(built, size)


def _named(shown: JsonObject, name: str) -> JsonObject:
    return {"schemaId": DEFAULT_SCHEMA, **shown, "name": name}


def _check_id(field: str, id: str) -> None:
    try:
        checked_id(id)
    except InvalidSource as error:
        raise InvalidId(field, id) from error


def _token(store: str, after: str) -> str:
    """A token for the page behind a document, bound to its store."""
    return urlsafe_b64encode(_digest(store) + after.encode()).decode("ascii").rstrip("=")


def _read_token(store: str, token: str) -> str:
    """The id that a token stands for, empty for an empty one. Raises `InvalidPageToken`."""
    if not token:
        return ""
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        digest, after = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:].decode()
    except (Base64Error, ValueError):
        raise InvalidPageToken from None
    if digest != _digest(store) or not after:
        raise InvalidPageToken
    return after


def _digest(store: str) -> bytes:
    return sha256(store.encode()).digest()[:_DIGEST_BYTES]
