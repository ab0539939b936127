"""The certificate that an agent's tools show: v3beta1 `Agent.ClientCertificateSettings`, its key among the secrets."""

from openplaybook.credentials.base import Secrets
from openplaybook.credentials.errors import CredentialMissing
from openplaybook.egress.base import ClientCertificate
from openplaybook.jsonvalues import JsonObject


async def client_certificate(settings: JsonObject, secrets: Secrets) -> ClientCertificate:
    """What settings in JSON form, `{sslCertificate, privateKey, passphrase}`, stand for now.

    `privateKey` and `passphrase` name versions of secrets; only the passphrase may be missing. Raises
    `CredentialMissing`, and what the secrets raise. Whether key and certificate fit is seen when they are used.
    """
    for field in ("sslCertificate", "privateKey"):
        if not settings.get(field):
            raise CredentialMissing(
                f"the agent's clientCertificateSettings have no {field}; certificate and private key are both required"
            )
    private_key = await secrets.access(str(settings["privateKey"]))
    passphrase = await secrets.access(str(settings["passphrase"])) if settings.get("passphrase") else ""
    return ClientCertificate(str(settings["sslCertificate"]).encode(), private_key.encode(), passphrase.encode())
