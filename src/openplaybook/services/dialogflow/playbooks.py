"""Playbooks: create, get, list, patch, delete."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.findings import Finding
from openplaybook.resources.names import PLAYBOOKS, TOOLS
from openplaybook.resources.playbook_compiler import compile_playbook
from openplaybook.resources.token_counts import playbook_tokens
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.agent_directory import AgentDirectory, read_directory
from openplaybook.services.dialogflow.resource_users import UsedResource, detach, users_of
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, PLAYBOOK
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import retried, users_in_words
from openplaybook.storage.base import Change, Delete, Record
from openplaybook.wire.context import MAX_WARNINGS, RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_REFERENCES: tuple[tuple[str, ReferenceKind, Callable[[str], object]], ...] = (
    ("referenced_tools", ReferenceKind.TOOL, TOOLS.parse),
    ("referenced_playbooks", ReferenceKind.PLAYBOOK, PLAYBOOKS.parse),
)
"""Fields that list what a playbook may call."""

_AT_ONCE = 32 * 1024
"""Bytes of a playbook whose references are read on the event loop."""


class Playbooks(ResourceService):
    """The standard methods of playbooks.

    `referenced_tools` and `referenced_playbooks` are what the client gives, or, where it gives nothing, what goal
    and instructions refer to. References that lead nowhere are let be and told in a warning.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(PLAYBOOK, parts, parent=AGENT)
        self._agents = Collection(AGENT, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Fill the references that the text implies, and warn of those that lead nowhere."""
        _check_names(resource)
        directory = await read_directory(self.parts.store, PLAYBOOKS.parse(resource.name).root)
        work = partial(self._settled, resource, stored, directory)
        is_large = resource.ByteSize() + (stored.ByteSize() if stored is not None else 0) > _AT_ONCE
        for warning in await DOCUMENTS.run(work) if is_large else work():
            context.warn(warning)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a playbook with its examples and versions.

        FAILED_PRECONDITION while the agent starts with it; while others use it too, naming them, unless `force` (which
        Google's request lacks) has every reference in a field of theirs removed as well.
        """
        users = await retried(lambda: self._remove(request.name, request.force))
        if users:
            left = "instructions that mention it are unchanged"
            context.warn(f"{request.name} was used by {users_in_words(users)}; {left}")
        return self.parts.empty()

    def shown(self, message: ApiMessage) -> ApiMessage:
        """With how many tokens it is, about, unless its package says so. Not stored: an export has no line of it."""
        shown = super().shown(message)
        shown.token_count = shown.token_count or playbook_tokens(self.parts.api.codec.to_json(shown))
        return shown

    async def _remove(self, name: str, force: bool) -> list[Record]:
        """Delete it and its name from other playbooks' lists; everything that used it."""
        stored = await self.records.read(name)
        agent = await self._agents.read(stored.record.parent)
        if agent.message.start_playbook == stored.record.name:
            raise precondition(
                "START_PLAYBOOK", f"{name} is the agent's start playbook; set another start_playbook first"
            )
        used = UsedResource(agent.record.name, ReferenceKind.PLAYBOOK, stored.record.name, stored.message.display_name)
        users = await users_of(self.parts.store, used)
        if users and not force:
            hint = "add force=true to the request over REST to remove it there too"
            raise precondition("PLAYBOOK_IN_USE", f"{name} is used by {users_in_words(users)}; {hint}")
        changes: list[Change] = [Delete(stored.record.name, tree=True)]
        for user in users:
            if user.kind == PLAYBOOKS.kind:
                playbook = self.records.message_of(user)
                detach(playbook, stored.record.name)
                changes.append(self.records.replacing(user, playbook))
        await self.parts.store.apply(changes)
        return users

    def _settled(self, resource: ApiMessage, stored: ApiMessage | None, directory: AgentDirectory) -> list[str]:
        """Fill the references, in place; the warnings, no more than are given."""
        to_json = self.parts.api.codec.to_json
        warnings = [*islice(_warnings(to_json(resource)), MAX_WARNINGS)]
        for field, kind, _ in _REFERENCES:
            self._imply(resource, stored, directory, field, kind)
        for reference in directory.dangling(to_json(resource)):
            warnings.append(f"{reference.path} at {reference.start}: {reference.message}")
        for field, known in (("referenced_tools", directory.tools), ("referenced_playbooks", directory.playbooks)):
            for name in getattr(resource, field):
                if name not in known and name != resource.name:
                    warnings.append(f"{field}: {name} does not exist")
        return warnings

    def _imply(
        self,
        playbook: ApiMessage,
        stored: ApiMessage | None,
        directory: AgentDirectory,
        field: str,
        kind: ReferenceKind,
    ) -> None:
        """Fill a list of references, unless the client has given one of its own."""
        to_json = self.parts.api.codec.to_json
        names = list(getattr(playbook, field))
        was_implied = (
            stored is not None
            and names == list(getattr(stored, field))
            and names == directory.implied(to_json(stored), kind)
        )
        if not names or was_implied:
            playbook.ClearField(field)
            getattr(playbook, field).extend(directory.implied(to_json(playbook), kind))


_TOLD = ("$.handlers", "$.codeBlock", "$.instruction", "$.steps")


def _warnings(playbook: JsonObject) -> Iterator[str]:
    """What of handlers, code and references in instructions will not do what it says."""
    findings: list[Finding] = []
    compile_playbook(playbook, findings.append)
    for finding in findings:
        if finding.path.startswith(_TOLD):
            at = "" if finding.start is None else f" at {finding.start}"
            yield f"{finding.path}{at}: {finding.message}"


def _check_names(playbook: ApiMessage) -> None:
    for field, _, parse in _REFERENCES:
        for index, name in enumerate(getattr(playbook, field)):
            try:
                parse(name)
            except InvalidName as error:
                raise invalid((f"playbook.{field}[{index}]", str(error))) from error
