"""Agents of Dialogflow CX and apps of CX Agent Studio at Google, through Google's own clients and credentials."""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Protocol, TypeAlias

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import AGENTS, APPS
from openplaybook.sync.errors import RemoteRefusal, RemoteUnavailable, UnknownRemote

Tell: TypeAlias = Callable[[str], None]
"""Told how far the work is."""

_NOT_INSTALLED = "Google's clients are not installed; install openplaybook[google]"
_REQUEST_S = 120.0
_FIRST_POLL_S = 0.1
_MAX_POLL_S = 3.0


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """How Google is reached."""

    endpoint: str = ""
    """Base URL in place of Google's for the location."""
    is_anonymous: bool = False
    """Without credentials, for an endpoint that wants none; else Application Default Credentials are used."""
    timeout_s: float = 600.0
    """How long an export or an import may take."""


class Remote(Protocol):
    """An agent or an app on the other side."""

    @property
    def name(self) -> str:
        """Its full name there."""
        ...

    def export(self, tell: Tell) -> bytes:
        """Its package, as a zip archive. Raises `RemoteUnavailable` and `RemoteRefusal`."""
        ...

    def replace(self, package: bytes, tell: Tell) -> None:
        """Make it what a package holds. Raises `RemoteUnavailable` and `RemoteRefusal`."""
        ...


class _Operation(Protocol):
    def done(self) -> bool: ...

    def result(self, timeout: float) -> "_Exported": ...


class _Exported(Protocol):
    agent_content: bytes
    app_content: bytes


class _Agents(Protocol):
    def export_agent(self, *, request: Mapping[str, object], timeout: float) -> _Operation: ...

    def restore_agent(self, *, request: Mapping[str, object], timeout: float) -> _Operation: ...


class _Apps(Protocol):
    def export_app(self, *, request: Mapping[str, object], timeout: float) -> _Operation: ...

    def import_app(self, *, request: Mapping[str, object], timeout: float) -> _Operation: ...


def remote_of(name: str, options: RemoteOptions) -> Remote:
    """The agent or app of a full name; nothing is asked yet. Raises `UnknownRemote`."""
    if APPS.fits(name):
        return _App(name, options)
    try:
        return _Agent(str(AGENTS.parse(name)), options)
    except InvalidName as error:
        raise UnknownRemote(
            f"google:{name} is neither google:projects/P/locations/L/agents/A nor google:projects/P/locations/L/apps/A"
        ) from error


def dialogflow_host(location: str) -> str:
    """Where agents of a location are served: each region by itself
    (https://cloud.google.com/dialogflow/cx/docs/concept/region)."""
    return "dialogflow.googleapis.com" if location == "global" else f"{location}-dialogflow.googleapis.com"


@dataclass(frozen=True, slots=True)
class _Agent:
    name: str
    options: RemoteOptions

    def export(self, tell: Tell) -> bytes:
        with _google_errors(), self._client() as (library, client):
            request = {"name": self.name, "data_format": library.ExportAgentRequest.DataFormat.JSON_PACKAGE}
            operation = client.export_agent(request=request, timeout=_REQUEST_S)
            return _finished(operation, self.options.timeout_s, tell, "exporting").agent_content

    def replace(self, package: bytes, tell: Tell) -> None:
        with _google_errors(), self._client() as (_, client):
            request = {"name": self.name, "agent_content": package}
            operation = client.restore_agent(request=request, timeout=_REQUEST_S)
            _finished(operation, self.options.timeout_s, tell, "restoring")

    @contextmanager
    def _client(self) -> Generator[tuple[ModuleType, _Agents]]:
        library = _library("google.cloud.dialogflowcx_v3")
        with library.AgentsClient(**_made_with(self.options, dialogflow_host(self.name.split("/")[3]))) as client:
            yield library, client


@dataclass(frozen=True, slots=True)
class _App:
    name: str
    options: RemoteOptions

    def export(self, tell: Tell) -> bytes:
        with _google_errors(), self._client() as (library, client):
            request = {"name": self.name, "export_format": library.ExportAppRequest.ExportFormat.JSON}
            operation = client.export_app(request=request, timeout=_REQUEST_S)
            return _finished(operation, self.options.timeout_s, tell, "exporting").app_content

    def replace(self, package: bytes, tell: Tell) -> None:
        with _google_errors(), self._client() as (library, client):
            parent, _, app_id = self.name.rpartition("/apps/")
            strategies = library.ImportAppRequest.ImportOptions.ConflictResolutionStrategy
            request = {
                "parent": parent,
                "app_id": app_id,
                "app_content": package,
                "import_options": {"conflict_resolution_strategy": strategies.OVERWRITE},
            }
            operation = client.import_app(request=request, timeout=_REQUEST_S)
            _finished(operation, self.options.timeout_s, tell, "importing")

    @contextmanager
    def _client(self) -> Generator[tuple[ModuleType, _Apps]]:
        library = _library("google.cloud.ces_v1beta")
        with library.AgentServiceClient(**_made_with(self.options, "ces.googleapis.com")) as client:
            yield library, client


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise RemoteUnavailable(_NOT_INSTALLED) from error


def _made_with(options: RemoteOptions, host: str) -> dict[str, object]:
    """What a client is made with. REST, as it goes where a browser does: through proxies, and `REQUESTS_CA_BUNDLE`."""
    anonymous = import_module("google.auth.credentials").AnonymousCredentials
    return {
        "credentials": anonymous() if options.is_anonymous else None,
        "transport": "rest",
        "client_options": {"api_endpoint": options.endpoint.rstrip("/") or host},
    }


def _finished(operation: _Operation, timeout_s: float, tell: Tell, doing: str) -> _Exported:
    """What a long-running operation came to, looked at less and less often."""
    started = time.monotonic()
    pause_s = _FIRST_POLL_S
    while not operation.done():
        so_far_s = time.monotonic() - started
        if so_far_s > timeout_s:
            raise RemoteUnavailable(f"{doing} took more than {timeout_s:g} s; it may still complete there")
        tell(f"{doing} … {so_far_s:.0f} s")
        time.sleep(pause_s)
        pause_s = min(pause_s * 2, _MAX_POLL_S)
    return operation.result(timeout=_REQUEST_S)


@contextmanager
def _google_errors() -> Generator[None]:
    """Says in our words what Google's client raises."""
    try:
        from google.api_core.exceptions import GoogleAPICallError, GoogleAPIError
        from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
        from google.protobuf.json_format import ParseError
        from requests import RequestException
    except ImportError as error:
        raise RemoteUnavailable(_NOT_INSTALLED) from error
    try:
        yield
    except DefaultCredentialsError as error:
        raise RemoteUnavailable(
            "no Google credentials were found; run `gcloud auth application-default login`, or set "
            "GOOGLE_APPLICATION_CREDENTIALS"
        ) from error
    except GoogleAPICallError as error:
        status = getattr(getattr(error, "grpc_status_code", None), "name", None) or error.code
        raise RemoteRefusal(f"Google answered {status}: {error.message}") from error
    except (ParseError, TypeError) as error:
        # Google's client raises the second where an operation ends with another message.
        raise RemoteRefusal(f"the endpoint is not an API of Google: {error}") from error
    except (GoogleAPIError, GoogleAuthError, RequestException) as error:
        raise RemoteUnavailable(f"Google cannot be reached: {error}") from error
