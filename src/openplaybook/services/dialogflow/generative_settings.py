"""Generative settings: one set per agent and language, empty until it is first written."""

from openplaybook.jsonvalues import dumps, loads
from openplaybook.resources.field_behavior import check_required, settle_output_only
from openplaybook.resources.masks import merge
from openplaybook.resources.names import GENERATIVE_SETTINGS, ResourceName, settings_record
from openplaybook.resources.stored_form import from_body, updated
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.services.resource_service import unseen_by
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Put, Record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class GenerativeSettings:
    """Get and patch. Without a language code, the agent's default language is meant."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The settings of one language."""
        name, language = await self._name(request.name, request.language_code)
        settings, _ = await self._read(name, language)
        return settings

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Replace the masked fields of the settings of one language."""
        settings = request.generative_settings
        name, language = await self._name(settings.name, settings.language_code)
        return await retried(lambda: self._merge(name, language, request, context))

    async def _merge(self, name: ResourceName, language: str, request: ApiMessage, context: RpcContext) -> ApiMessage:
        stored, record = await self._read(name, language)
        is_unseen = unseen_by(self._parts.api, context.version)
        paths, sent = request.update_mask.paths, context.sent_fields
        merged = merge(stored, request.generative_settings, paths, sent, is_unseen)
        settle_output_only(merged, stored)
        merged.name, merged.language_code = str(name), language
        check_required(merged, stored, prefix="generative_settings.")
        check_pause_settings(merged, "generative_settings")
        await self._parts.store.apply([self._put(name, merged, record)])
        return merged

    def _put(self, name: ResourceName, settings: ApiMessage, before: Record | None) -> Put:
        document = self._parts.api.codec.to_json(settings)
        if before is not None:
            known = loads(before.body)
            message = self._parts.api.codec.from_json(known, self._parts.cx("GenerativeSettings"))
            document = updated(document, known, self._parts.api.codec.to_json(message))
        expect = before.version if before is not None else 0
        record = settings_record(name.parent, settings.language_code)
        return Put(record, GENERATIVE_SETTINGS.kind, name.parent, name.parent, dumps(document), expect=expect)

    async def _name(self, text: str, language_code: str) -> tuple[ResourceName, str]:
        """The name and its language; NOT_FOUND when there is no such agent."""
        name = GENERATIVE_SETTINGS.parse(text)
        agent = (await self._agents.read(name.parent)).message
        return name, language_code or agent.default_language_code

    async def _read(self, name: ResourceName, language: str) -> tuple[ApiMessage, Record | None]:
        """The settings and their record; None when never written."""
        settings = self._parts.cx("GenerativeSettings")
        record = await self._parts.store.get(settings_record(name.parent, language))
        if record is not None:
            from_body(record.body, settings, self._parts.api.codec)
        settings.name, settings.language_code = str(name), language
        return settings, record


_TIMEOUT = "tool_call_result_timeout"


def check_pause_settings(resource: ApiMessage, field: str) -> None:
    """INVALID_ARGUMENT for a wait of no length. `field` is what the request calls the resource."""
    if resource.HasField(_TIMEOUT) and getattr(resource, _TIMEOUT).ToNanoseconds() <= 0:
        raise invalid((f"{field}.{_TIMEOUT}", "must be more than 0 seconds; leave it out for a wait without limit"))
