"""OpenPlaybook's secrets: added, listed, deleted. No RPC gives a value back."""

from openplaybook.credentials.secrets.base import MAX_SECRET_BYTES
from openplaybook.credentials.secrets.local_secrets import LocalSecrets, LocalSecretVersion
from openplaybook.credentials.secrets.secret_chain import without_line_break
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import is_valid_id
from openplaybook.resources.secret_names import SecretName
from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.services.stored_records import retried
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class SecretStore:
    """The RPCs over the local store of secrets."""

    def __init__(self, api: Api, local: LocalSecrets, *, is_read: bool) -> None:
        """`is_read`: whether the local store is among those that tools read from."""
        self._local = local
        self._is_read = is_read
        self._version = api.message("openplaybook.v1.SecretVersion")
        self._listed = api.message("openplaybook.v1.ListSecretsResponse")
        self._empty = api.message("google.protobuf.Empty")

    async def add(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Keep a value as the newest version. Line breaks at its end are left out, with a warning."""
        name = SecretName.parse(request.parent)
        if not self._is_read:
            raise precondition(
                "LOCAL_SECRETS_OFF", "the setting secret_backends does not name local: no tool would read this secret"
            )
        value = _value(request.payload.data, context)
        added = await retried(lambda: self._add(name, value))
        return self._version_message(added)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The secrets of a project, or of all, with their versions."""
        head, _, project = request.parent.partition("/")
        if head != "projects" or not is_valid_id(project):
            raise InvalidName(request.parent, "projects/{project}", "parent")
        response = self._listed()
        for secret in await self._local.list(project):
            shown = response.secrets.add(name=secret.name)
            shown.versions.extend(map(self._version_message, secret.versions))
        return response

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a secret with all its versions."""
        name = SecretName.parse(request.name)
        try:
            await self._local.delete(name)
        except RecordNotFound as error:
            raise not_found("Secret", request.name) from error
        return self._empty()

    async def _add(self, name: SecretName, value: str) -> LocalSecretVersion:
        try:
            return await self._local.add(name, value)
        except RecordExists as error:
            # Another one made the secret, or a version of it, in between: then this is the next version.
            raise VersionMismatch(error.name, 0) from error

    def _version_message(self, version: LocalSecretVersion) -> ApiMessage:
        shown = self._version(name=version.name)
        shown.create_time.FromMicroseconds(version.created_us)
        return shown


def _value(data: bytes, context: RpcContext) -> str:
    if len(data) > MAX_SECRET_BYTES:
        raise invalid(("payload.data", f"has {len(data)} bytes; at most {MAX_SECRET_BYTES} are allowed"))
    try:
        given = data.decode()
    except UnicodeDecodeError:
        raise invalid(("payload.data", "is not UTF-8 text")) from None
    value = without_line_break(given)
    if not value:
        raise invalid(("payload.data", "is empty"))
    if value != given:
        context.warn("the line break at the end of the secret was removed")
    return value
