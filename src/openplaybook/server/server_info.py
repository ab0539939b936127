"""What a client has to know of a server before it shows anything: OpenPlaybook.GetServerInfo."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook import __version__
from openplaybook.credentials.secrets.configured_backends import has_local
from openplaybook.models.base import Model
from openplaybook.models.context_windows import window_of
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.page_tokens import DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE
from openplaybook.sandbox.base import Executor
from openplaybook.server.access.principals import Role, current_principal
from openplaybook.server.settings import Settings
from openplaybook.services.turn_requests import DEFAULT_TIMEOUT_S, MAX_FILES, MAX_FILES_BYTES, MAX_TIMEOUT_S
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

SERVER_INFO = "openplaybook.v1.OpenPlaybook.GetServerInfo"
"""The full name of the RPC."""

RECENT_S = 60.0
"""How long what was found is told without looking again: a look starts two processes, and takes a fifth of a second."""

_MIB = 1024 * 1024
_WITHOUT_PROMPTS = ("offline", "scripted")
"""Kinds of models that nothing is sent to."""


@dataclass(frozen=True, slots=True)
class InfoSources:
    """What the answer is made from."""

    settings: Settings
    models: ModelDirectory
    executor: Executor | None
    started_us: int
    """Microseconds since the epoch."""


class ServerInfo:
    """Says what this server is, and to whom."""

    def __init__(self, api: Api, sources: InfoSources) -> None:
        self._response = api.message("openplaybook.v1.ServerInfo")
        self._sources = sources
        self._code = None if sources.executor is None else RecentReport(sources.executor)
        self._http, self._grpc = "", ""

    def reached_at(self, http: str, grpc: str) -> None:
        """The ports are open: at this base URL, and at this `host:port`, empty without gRPC."""
        self._http, self._grpc = http, grpc

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """All of it, without secrets; the caller is the one that asks."""
        settings = self._sources.settings
        code_problem = "The setting code_executor is off." if self._code is None else await self._code.reason()
        response = self._response(
            version=__version__,
            http_address=self._http,
            grpc_address=self._grpc,
            public_url=settings.public_url,
            sign_in=sign_in_ways(settings),
            features={**_features(settings), "code": not code_problem},
            code_problem=code_problem,
        )
        response.start_time.FromMicroseconds(self._sources.started_us)
        self._tell_models(response)
        _tell_caller(response.caller)
        _tell_limits(response.limits, settings)
        _tell_languages(response)
        return response

    def _tell_models(self, response: ApiMessage) -> None:
        directory = self._sources.models
        names = _names_by_model(directory)
        for model in [directory.default, *(each for each in names if each is not directory.default)]:
            kind = model.name.partition(":")[0]
            has_prompts = kind not in _WITHOUT_PROMPTS
            response.models.add(
                name=model.name,
                aliases=names.get(model, ()),
                is_default=model is directory.default,
                writes=kind != "offline",
                has_prompts=has_prompts,
                context_tokens=window_of(model.name.partition(":")[2], os.environ) if has_prompts else 0,
            )


def sign_in_ways(settings: Settings) -> list[str]:
    """How callers show who they are; empty where nobody is asked."""
    ways = {"api_key": settings.api_key_file is not None, "oidc": bool(settings.oidc_issuer)}
    return [way for way, is_there in ways.items() if is_there]


def _names_by_model(directory: ModelDirectory) -> Mapping[Model, list[str]]:
    names: dict[Model, list[str]] = {}
    for alias, model in directory.aliases.items():
        names.setdefault(model, []).append(alias)
    return names


def _features(settings: Settings) -> dict[str, bool]:
    return {
        "local_secrets": has_local(settings.secret_backends),
        "external_references": settings.external_references,
        "buckets": bool(settings.bucket),
        "cross_origin_pages": bool(settings.cors_origins),
    }


def _tell_caller(caller: ApiMessage) -> None:
    principal = current_principal()
    caller.role = Role.ADMIN.value
    if principal is not None:
        caller.name, caller.kind, caller.role = principal.name, principal.kind.value, principal.role.value


def _tell_limits(limits: ApiMessage, settings: Settings) -> None:
    limits.request_bytes = settings.max_body_bytes
    limits.default_page_size, limits.page_size = DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE
    limits.turn_time.FromSeconds(int(DEFAULT_TIMEOUT_S))
    limits.longest_turn_time.FromSeconds(int(MAX_TIMEOUT_S))
    limits.turn_files, limits.turn_files_bytes = MAX_FILES, MAX_FILES_BYTES
    limits.session_ttl.FromSeconds(settings.session_ttl)
    if settings.conversation_retention is not None:
        limits.conversation_retention.FromSeconds(settings.conversation_retention)
    limits.code_time.FromSeconds(settings.code_timeout)
    limits.code_memory_bytes = settings.code_memory_mb * _MIB


def _tell_languages(response: ApiMessage) -> None:
    # Here, since a server with another model, or without data stores, has neither in memory.
    from openplaybook.models.offline.language.own_sentences import LANGUAGES
    from openplaybook.retrieval.language.stop_words import STOP_WORDS

    response.conversation_languages.extend(sorted(LANGUAGES))
    response.search_languages.extend(sorted(STOP_WORDS))


class RecentReport:
    """Why code does not run here. What is known is told at once; if it is old, the next caller hears the new."""

    def __init__(self, executor: Executor, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._executor = executor
        self._clock = clock
        self._known: tuple[float, str] | None = None
        self._look: asyncio.Task[str] | None = None

    async def reason(self) -> str:
        """Why it does not; empty where it does."""
        if self._look is None and (self._known is None or self._known[0] < self._clock() - RECENT_S):
            self._look = asyncio.create_task(self._looked())
        if self._known is not None:
            return self._known[1]
        assert self._look is not None, "where nothing is known, somebody is looking"
        return await asyncio.shield(self._look)

    async def _looked(self) -> str:
        try:
            reason = (await self._executor.report()).reason
            self._known = (self._clock(), reason)
            return reason
        finally:
            self._look = None
