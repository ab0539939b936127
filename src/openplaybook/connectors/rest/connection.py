"""An opened connection to a system with an HTTP API: the port of `connectors.base`, served by a manifest."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import monotonic

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    LARGEST_PAGE_SIZE,
    ActionType,
    Entity,
    EntityPage,
    EntityQuery,
    EntityType,
    QueryResult,
    SqlQuery,
    SystemCall,
    WriteReport,
)
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.entity_sql.entity_query import run_entity_query
from openplaybook.connectors.errors import (
    InvalidValue,
    OperationUnsupported,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.rest.actions import action_types, executed, queried
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_pages import EntityPages, list_plan
from openplaybook.connectors.rest.entity_writes import EntityWrites
from openplaybook.connectors.rest.exchange import SystemClient
from openplaybook.connectors.rest.field_sources import EntityForms
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import filled_path
from openplaybook.connectors.rest.soap.soap_client import SoapClient
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.writes_by_condition import written_one_by_one
from openplaybook.jsonvalues import JsonObject


class RestConnection:
    """A `SystemConnection` over HTTP."""

    def __init__(
        self,
        manifest: SystemManifest,
        settings: ConnectionSettings,
        access: SystemAccess,
        client: SystemClient | None = None,
    ) -> None:
        """Nothing is sent yet; `client` sends requests otherwise than the usual one. Raises `InvalidConnection` and
        `CredentialAbsent`."""
        self._manifest = manifest
        self._settings = settings
        self._client = client or _client(manifest, settings, access)
        self._forms = EntityForms(manifest, self._client, access)
        self._pages = EntityPages(self._client, PageTokens(settings))
        self._cap = settings.write_cap
        self._writes = EntityWrites(self._client)

    async def check(self, call: SystemCall) -> None:
        """Reach the system with the credential: by the request that the manifest names, else by listing something; of
        a system without either the token is fetched."""
        if self._manifest.check is not None:
            line = self._manifest.check
            path = filled_path(line.path, self._client.values)
            await self._client.send(SystemRequest(line.method, path, host=line.host), call)
            return
        for name in await self._forms.names(call):
            query = EntityQuery(name, page_size=1)
            try:
                form = await self._forms.form(name, call)
                list_plan(form, query)
            except (InvalidValue, OperationUnsupported, UnknownName):
                # It cannot be listed, or not without a condition: another may.
                continue
            if not self._client.proves_itself(form.manifest):
                continue
            await self._pages.page(form, query, call)
            return
        await self._client.authenticate(call)

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        """Names of the entity types, sorted."""
        return await self._forms.names(call)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One entity type."""
        return (await self._forms.form(name, call)).entity_type()

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        """The actions of the manifest, and queries."""
        return action_types(self._manifest)

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        """A page of entities."""
        form = await self._forms.form(query.entity_type, call)
        return await self._pages.page(form, query, call)

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """One entity."""
        return await self._writes.read(await self._forms.form(entity_type, call), key, fields, call)

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        """A new entity, with what the system made of it."""
        return await self._writes.create(await self._forms.form(entity_type, call), values, call)

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        """Change some fields of one entity; gives it as it is then."""
        return await self._writes.update(await self._forms.form(entity_type, call), key, values, call)

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        """Take one entity away."""
        await self._writes.delete(await self._forms.form(entity_type, call), key, call)

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        """Change the entities that meet a condition, one by one; none where they are more than the cap."""
        form = await self._forms.form(entity_type, call)
        if form.manifest.update is None:
            raise OperationUnsupported(f"{form.name} cannot be updated")
        form.checked(values, is_new=False)
        return await self._each(form, condition, lambda key, inner: self._writes.change(form, key, values, inner), call)

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        """Take away the entities that meet a condition, one by one; none where they are more than the cap."""
        form = await self._forms.form(entity_type, call)
        if form.manifest.delete is None:
            raise OperationUnsupported(f"{form.name} cannot be deleted")
        return await self._each(form, condition, lambda key, inner: self._writes.delete(form, key, inner), call)

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Take an action of the manifest."""
        found = self._manifest.actions.get(action)
        if found is None:
            raise UnknownName("action", action, [each.name for each in action_types(self._manifest)])
        return await executed(self._client, found, parameters, call)

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Run a query in the system's own language, or in SQL over its entities where it has none."""
        if self._manifest.query is not None:
            return await queried(self._client, self._manifest.query, query, call)
        if not self._manifest.definition.takes_queries:
            raise OperationUnsupported(f"{self._manifest.definition.title} takes no {CUSTOM_QUERY}: it lists nothing")
        return await run_entity_query(self, query, call)

    async def aclose(self) -> None:
        """Connections are the transport's; what was learnt of the system is forgotten."""
        self._forms.forget()

    async def _each(
        self,
        form: EntityForm,
        condition: Condition,
        change: Callable[[str, SystemCall], Awaitable[None]],
        call: SystemCall,
    ) -> WriteReport:
        """Find the keys first, all of them; then change one after the other."""
        if self._settings.is_read_only:
            raise WriteRefused("this connection is read-only (the config variable read_only): nothing was sent")
        ends = monotonic() + call.timeout_s
        keys = await self._keys(form, condition, call)

        async def changed(key: str) -> None:
            await change(key, replace(call, timeout_s=ends - monotonic(), idempotency_key=_own_key(call, key)))

        return await written_one_by_one(keys, changed, lambda: ends - monotonic())

    async def _keys(self, form: EntityForm, condition: Condition, call: SystemCall) -> Sequence[str]:
        """Keys of all entities that meet a condition. Raises `WriteRefused` for more than the cap, or than can be
        known."""
        cap = self._cap
        names = tuple(each.name for each in form.keys)
        query = EntityQuery(form.name, condition, names, page_size=min(cap + 1, LARGEST_PAGE_SIZE))
        keys: dict[str, None] = {}
        while True:
            page = await self._pages.page(form, query, call)
            keys |= dict.fromkeys(each.key for each in page.entities)
            if len(keys) > cap:
                raise WriteRefused(f"more than {cap} entities meet the condition, which is this connection's cap")
            if page.notes.get("truncated"):
                raise WriteRefused(
                    f"the condition has to be tried here, and {page.notes.get('rowsScanned')} entities were read "
                    "without coming to an end; narrow it by what the system can try"
                )
            if not page.next_page_token:
                return tuple(keys)
            query = replace(query, page_token=page.next_page_token)


def _client(manifest: SystemManifest, settings: ConnectionSettings, access: SystemAccess) -> SystemClient:
    if manifest.soap is not None:
        return SoapClient(manifest, manifest.soap, settings, access)
    return SystemClient(manifest, settings, access)


def _own_key(call: SystemCall, key: str) -> str:
    """Each entity's change is another request to the system."""
    return f"{call.idempotency_key}-{key}"[:200] if call.idempotency_key else ""
