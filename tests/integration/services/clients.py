"""Google's own Dialogflow CX client library, pointed at a server on loopback."""

from dataclasses import dataclass
from types import ModuleType

import grpc
from google.auth.credentials import AnonymousCredentials

from openplaybook.wire.messages import ApiMessage


@dataclass(frozen=True)
class Clients:
    """Makes clients of one API version over one transport."""

    library: ModuleType
    """`google.cloud.dialogflowcx_v3` or `…_v3beta1`."""
    transport: str
    """`rest` or `grpc`."""
    http_port: int
    grpc_port: int

    def __call__(self, service: str) -> ApiMessage:
        """A client of a service, such as `Agents`."""
        client_class = getattr(self.library, f"{service}Client")
        if self.transport == "rest":
            options = {"api_endpoint": f"http://127.0.0.1:{self.http_port}"}
            return client_class(credentials=AnonymousCredentials(), transport="rest", client_options=options)
        channel = grpc.insecure_channel(f"127.0.0.1:{self.grpc_port}")
        return client_class(transport=client_class.get_transport_class("grpc")(channel=channel))
