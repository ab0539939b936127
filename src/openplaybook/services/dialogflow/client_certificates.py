"""The client certificate of an agent, judged when it is saved."""

from functools import partial

from openplaybook.credentials.base import Secrets
from openplaybook.credentials.client_certificate import client_certificate
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls_contexts import check_client_certificate
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.services.errors import invalid
from openplaybook.wire.context import RpcContext
from openplaybook.workers.lanes import DOCUMENTS

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
