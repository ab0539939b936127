"""Deployments: create, get, list, patch, delete."""

from openplaybook.services.ces.app_resources import AppResources
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_DEPLOYMENT
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_INPUT_ONLY = ("whatsapp_credentials", "instagram_credentials")


class Deployments(AppResources):
    """The standard methods of deployments.

    One serves as a session's `config.deployment`, which chooses the app's version. Channels are kept, and not run.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_DEPLOYMENT, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Credentials for channels are for Google's servers: they are dropped, never stored."""
        await super().settle(resource, stored, context)
        for field in _INPUT_ONLY:
            if resource.HasField(field):
                resource.ClearField(field)
                context.warn(f"deployment.{field} is not stored: this server does not connect to such channels")
        if resource.HasField("experiment_config"):
            context.warn("deployment.experiment_config is kept, but every session gets the deployment's app_version")
