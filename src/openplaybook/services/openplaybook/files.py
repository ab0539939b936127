"""OpenPlaybook.GetSessionFile: a file that a tool's answer gave a conversation."""

from openplaybook.resources.names import SESSION_FILES
from openplaybook.services.errors import not_found
from openplaybook.storage.base import Store
from openplaybook.tools.session_files import read_file
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class SessionFileExport:
    """Reads files by their handles."""

    def __init__(self, api: Api, store: Store) -> None:
        self._response = api.message("openplaybook.v1.SessionFile")
        self._store = store

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The file with its contents. NOT_FOUND: the session has none of that name, any more or at all."""
        name = str(SESSION_FILES.parse(request.name))
        file = await read_file(self._store, name)
        if file is None:
            raise not_found("File", name)
        context.answer_bytes = len(file.data)
        return self._response(name=name, display_name=file.name, mime_type=file.media_type, contents=file.data)
