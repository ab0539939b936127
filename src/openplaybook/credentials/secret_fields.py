"""Which fields of stored resources hold a secret itself, and where they are: asked for sealing, masking in answers, and
leaving out of exports. Of tools, their kinds say it. And what a stored tool names in place of one.

A reference to a secret version is no secret, and neither is an expression such as `$session.params.token`, or
`$context.variables.token` in an app, which stands for a value of the session.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.tool_kinds import SecretField, tool_kinds

_OF_AGENTS = (SecretField(("gitIntegrationSettings", "githubSettings"), "accessToken"),)
_BY_MEMBER = {field.holder[0]: (field,) for field in _OF_AGENTS}


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """A place in a resource where a secret is, or should be."""

    path: str
    """JSON path, such as `$.openApiSpec.authentication.apiKeyConfig.apiKey`."""
    holder: JsonObject
    """The object that has the field, part of the resource."""
    field: SecretField

    @property
    def value(self) -> JsonValue:
        """What stands there; None when nothing does."""
        return self.holder.get(self.field.key)

    @property
    def is_secret(self) -> bool:
        """Whether a secret itself stands there, sealed or not."""
        return bool(self.value) and not (isinstance(self.value, str) and is_reference(self.value))


def is_reference(text: str) -> bool:
    """Whether a text stands for a value that comes with a request."""
    return text.startswith(("$session.params.", "$request.payload.", "$context.variables."))


def fields_below(members: Iterable[str]) -> Sequence[SecretField]:
    """The fields that hold secrets, of a resource with these members."""
    kinds = tool_kinds()
    # Most resources have nothing of the kind: one look at each member is all that they cost.
    return [field for member in members for field in kinds.secrets(member) or _BY_MEMBER.get(member, ())]


def secret_places(resource: JsonObject) -> Iterator[SecretPlace]:
    """Every place of a tool, a toolset or an agent (JSON form) that is there for a secret."""
    for field in fields_below(resource):
        for path, holder in _holders(resource, field.holder, "$"):
            yield SecretPlace(f"{path}.{field.key}", holder, field)


def _holders(value: JsonValue, keys: tuple[str, ...], path: str) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(value, list):
        for index, item in enumerate(as_list(value)):
            yield from _holders(item, keys, f"{path}[{index}]")
    elif isinstance(value, dict):
        if not keys:
            yield path, as_object(value)
        else:
            yield from _holders(as_object(value).get(keys[0]), keys[1:], f"{path}.{keys[0]}")


async def unmet_needs(tool: JsonObject, sources: CredentialSources) -> AsyncIterator[tuple[str, str]]:
    """JSON path and reason of each name in a tool (v3beta1, JSON form) that gives nothing now; values are let go."""
    for place in secret_places(tool):
        key = place.field.version_key
        if key and (version := place.holder.get(key)):
            try:
                await sources.secrets.access(str(version))
            except CredentialError as error:
                yield f"{place.path.removesuffix(place.field.key)}{key}", str(error)
    for path, service in _services(tool):
        try:
            await sources.directory.endpoints(service)
        except CredentialError as error:
            yield path, str(error)


def _services(tool: JsonObject) -> Iterator[tuple[str, str]]:
    """JSON path and name of the private service that a tool is reached through, where there is one."""
    field = tool_kinds().field(tool)
    if field is None or not field.service:
        return
    *above, last = (field.name, *field.service)
    holder = tool
    for key in above:
        holder = as_object(holder.get(key))
    if name := holder.get(last):
        yield ".".join(("$", *above, last)), str(name)
