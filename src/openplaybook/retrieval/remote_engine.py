"""From the setting `search_engine` to an engine that is not part of the server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from openplaybook.credentials.errors import CredentialError
from openplaybook.credentials.identity.bearer_requests import BearerAccess
from openplaybook.credentials.secrets.file_secrets import read_token
from openplaybook.egress.base import Transport
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.opensearch.cluster_address import read_cluster_address
from openplaybook.retrieval.opensearch.cluster_connection import ClusterConnection
from openplaybook.retrieval.opensearch.opensearch_engine import OpenSearchEngine
from openplaybook.retrieval.vertex.vertex_address import VertexAddress, read_vertex_address
from openplaybook.retrieval.vertex.vertex_connection import VertexConnection
from openplaybook.retrieval.vertex.vertex_engine import VertexEngine

OwnAccess: TypeAlias = Callable[[], BearerAccess]
"""Makes the access of this server itself to Google's services."""

ALLOWED: Final = "embedded, opensearch:URL, vertex and vertex:URL"


def remote_engine(setting: str, transport: Transport, own_access: OwnAccess) -> SearchEngine:
    """The engine of a setting such as `opensearch:https://search:9200` or `vertex`.

    `transport` is that for services of the operator's own, `own_access` this server at Google. Raises `ValueError` that
    says what is allowed.
    """
    kind, _, argument = setting.partition(":")
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is not a search engine; allowed are {ALLOWED}")
    return _KINDS[kind](argument, transport, own_access)


def _opensearch(argument: str, transport: Transport, own_access: OwnAccess) -> SearchEngine:
    return OpenSearchEngine(ClusterConnection(read_cluster_address(argument), transport))


def _vertex(argument: str, transport: Transport, own_access: OwnAccess) -> SearchEngine:
    address = read_vertex_address(argument)
    return VertexEngine(VertexConnection(address, transport, _access(address, own_access)))


_Maker: TypeAlias = Callable[[str, Transport, OwnAccess], SearchEngine]
_KINDS: Final[Mapping[str, _Maker]] = {"opensearch": _opensearch, "vertex": _vertex}


def _access(address: VertexAddress, own_access: OwnAccess) -> BearerAccess | None:
    """Who asks: whom a file says, else this server where Google is asked, else nobody."""
    if address.token_file is not None:
        return _TokenFile(address.token_file)
    return own_access() if address.is_google else None


class _TokenFile:
    """A token that somebody else renews."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def token(self) -> str:
        # Read each time: whoever writes it replaces it before it ends.
        return read_token(self._path)

    def forget(self, token: str) -> bool:
        """Whether the file has another one by now."""
        try:
            return read_token(self._path) != token
        except CredentialError:
            return False
