"""Agents: create, get, list, patch, delete."""

from functools import partial

from openplaybook.credentials.authenticator_builder import client_certificate
from openplaybook.credentials.base import Secrets
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls_contexts import check_client_certificate
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.field_behavior import settle_output_only
from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import AGENTS, LOCATIONS, PLAYBOOKS, new_id
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.agent_locks import refuse_locked
from openplaybook.services.dialogflow.generative_settings import check_pause_settings
from openplaybook.services.documented_bounds import check_agent
from openplaybook.services.errors import invalid
from openplaybook.services.locations import LocatedResources
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, PLAYBOOK
from openplaybook.storage.base import Change
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_DEFAULT_PLAYBOOK = "Default Generative Playbook"


class Agents(LocatedResources):
    """The standard methods of agents.

    An agent has no playbook until one is created, but for one case that Google's clients use: when it is created
    with `startPlaybook` set to `…/agents/-/playbooks/ID`, an empty playbook of that id is created with it.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(AGENT, parts, parent=None)
        self._playbooks = Collection(PLAYBOOK, parts)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new agent, and the start playbook that it asks for."""
        location = str(LOCATIONS.parse(request.parent))
        agent = copy_of(request.agent)
        agent.name = str(AGENTS.child(location, new_id()))
        settle_output_only(agent, None)
        first = self._first_playbook(agent)
        await self.complete(agent, None, context)
        others: list[Change] = [] if first is None else [self._playbooks.put(first, expect=0)]
        if first is not None:
            agent.start_playbook = first.name
        return await self.insert(agent, *others)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """The default language stays; the start playbook is one of the agent's own; the client certificate works; a
        locked agent is only unlocked."""
        if stored is not None and resource.locked:
            await refuse_locked(self.parts, resource.name)
        if stored is not None:
            _keep_language(resource, stored)
        check_agent(resource, stored)
        self.parts.inline_secrets.keep(resource, stored, field="agent")
        check_pause_settings(resource, "agent")
        await self._check_client_certificate(resource, stored, context)
        if stored is None or resource.start_playbook != stored.start_playbook:
            await self._check_start_playbook(resource)

    async def _check_client_certificate(
        self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext
    ) -> None:
        field = "client_certificate_settings"
        if not resource.HasField(field):
            return
        if stored is None or getattr(stored, field) != getattr(resource, field):
            settings = self.parts.api.codec.to_json(getattr(resource, field))
            await check_settings(settings, self.parts.secrets, context)

    def _first_playbook(self, agent: ApiMessage) -> ApiMessage | None:
        """The playbook to create with an agent; its reference is taken out until then."""
        head, _, id = agent.start_playbook.rpartition("/agents/-/playbooks/")
        if not head:
            return None
        playbook = self._playbooks.new()
        playbook.name = str(PLAYBOOKS.child(agent.name, id))
        PLAYBOOKS.parse(playbook.name)
        playbook.display_name = _DEFAULT_PLAYBOOK
        now_us = self.parts.now_us()
        playbook.create_time.FromMicroseconds(now_us)
        playbook.update_time.FromMicroseconds(now_us)
        agent.ClearField("start_playbook")
        return playbook

    async def _check_start_playbook(self, agent: ApiMessage) -> None:
        if not agent.start_playbook:
            return
        try:
            name = PLAYBOOKS.parse(agent.start_playbook)
        except InvalidName as error:
            raise invalid(("agent.start_playbook", str(error))) from error
        if name.parent != agent.name or not await self._playbooks.exists(str(name)):
            raise invalid(("agent.start_playbook", f"{name} is not a playbook of this agent"))


def _keep_language(agent: ApiMessage, stored: ApiMessage) -> None:
    if agent.default_language_code not in ("", stored.default_language_code):
        raise invalid(
            ("agent.default_language_code", f"is {stored.default_language_code!r} and cannot be changed after creation")
        )
    agent.default_language_code = stored.default_language_code


_FIELD = "agent.client_certificate_settings"
_SECRETS = {"privateKey": "private_key", "passphrase": "passphrase"}


async def check_settings(settings: JsonObject, secrets: Secrets, context: RpcContext) -> None:
    """INVALID_ARGUMENT for `clientCertificateSettings` (JSON form) that cannot work.

    Secrets that cannot be read now are a warning: they may be set later.
    """
    for member, field in _SECRETS.items():
        try:
            if settings.get(member):
                SecretVersionName.parse(str(settings[member]))
        except InvalidName as error:
            raise invalid((f"{_FIELD}.{field}", str(error))) from error
    try:
        certificate = await client_certificate(settings, secrets)
        await DOCUMENTS.run(partial(check_client_certificate, certificate))
    except CredentialError as error:
        context.warn(f"{_FIELD}: {error}")
    except TlsFailed as error:
        raise invalid((_FIELD, str(error))) from error
