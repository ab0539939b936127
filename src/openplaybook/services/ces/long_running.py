"""Long-running operations of CX Agent Studio: most are over before anybody can ask for them."""

from openplaybook.services.operations import Work
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_AT_ONCE_S = 0.5
"""Work that takes no longer is answered as done; Google's clients would ask for the first time after a second."""


async def started(parts: ServiceParts, context: RpcContext, parent: str, work: Work) -> ApiMessage:
    """The operation that does the work, listed under the location `parent`; done already where that is quick.

    Its metadata is an `OperationMetadata`.
    """
    operation = await parts.operations.start(context, parent, work, metadata=parts.ces("OperationMetadata"))
    return await parts.operations.wait(operation.name, _AT_ONCE_S)
