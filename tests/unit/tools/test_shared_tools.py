"""What callers of one toolbox share: each asks as if it were alone, and every resource is built once."""

import asyncio
from dataclasses import dataclass, field

import pytest

from openplaybook.credentials.base import CredentialSources
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import AgentScope, InvalidTool
from openplaybook.tools.code_interpreter.kind import CodeInterpreter
from openplaybook.tools.fakes import FakedTool
from openplaybook.tools.openapi.check_process import AT_ONCE
from openplaybook.tools.openapi.openapi_tool import OpenApiTool
from openplaybook.tools.toolbox import COMPILED_BYTES, Toolbox
from tests.kit.calling import call
from tests.kit.openapi import Remembering, operation, resource
from tests.kit.sealing import AskedSeals

FAKE = {"codeBlock": {"pythonCode": "def fake_tool_call(tool, input, callback_context):\n    return {}"}}
API_KEY = {"apiKeyConfig": {"keyName": "X-Key", "apiKey": "sealed", "requestLocation": "HEADER"}}


@dataclass
class Shared:
    """A toolbox, what it sends, and the names of the tools that it builds."""

    transport: Remembering = field(default_factory=Remembering)
    seals: AskedSeals = field(default_factory=AskedSeals)

    def __post_init__(self) -> None:
        self.toolbox = Toolbox(self.transport, CredentialSources(self.transport, sealed=self.seals))


@pytest.fixture
def shared() -> Shared:
    return Shared()


def named(name: str, document: JsonObject | None = None, **spec: object) -> JsonObject:
    return {**resource(document or operation(), **spec), "name": name}


def test_whoever_builds_or_checks_an_equal_resource_shares_one_tool(shared: Shared) -> None:
    assert shared.toolbox.check(named("a")) == []
    tool = shared.toolbox.build(named("a"))
    assert shared.toolbox.build(named("a")) is tool
    assert shared.toolbox.check(named("a")) == []
    assert shared.seals.built == ["a"]


@pytest.mark.parametrize("changed", [named("a", operation(path="/others")), {**named("a"), "displayName": "others"}])
def test_what_was_changed_is_built_at_once(shared: Shared, changed: JsonObject) -> None:
    before = shared.toolbox.build(named("a"))
    assert shared.toolbox.build(changed) is not before
    assert shared.toolbox.build(named("a")) is before


async def test_no_tool_has_the_secrets_of_another(shared: Shared) -> None:
    for name in ("a", "b"):
        await call(shared.toolbox.build(named(name, authentication=API_KEY)))
    assert [dict(sent.headers)["X-Key"] for sent in shared.transport.sent] == ["the key of a", "the key of b"]


def test_no_agent_has_the_scope_of_another(shared: Shared) -> None:
    scopes = [AgentScope(), AgentScope({"sslCertificate": "one"}), AgentScope({"sslCertificate": "other"})]
    first, second, third = (shared.toolbox.build(named("a"), scope) for scope in scopes)
    assert len({id(tool) for tool in (first, second, third)}) == 3


def test_a_tool_that_cannot_be_built_is_tried_each_time(shared: Shared) -> None:
    wrong = named("a", authentication={"apiKeyConfig": {}})
    for _ in range(2):
        with pytest.raises(InvalidTool):
            shared.toolbox.build(wrong)
        assert [problem.is_error for problem in shared.toolbox.check(wrong)] == [True]
    assert shared.seals.built == ["a"] * 4


def test_a_long_description_is_checked_once(shared: Shared) -> None:
    long = named("a", operation(description="x" * AT_ONCE))
    remarks = shared.toolbox.check(long)
    assert shared.toolbox.check(long) is remarks
    assert shared.seals.built == ["a"]


def test_a_fake_belongs_to_the_resource_that_has_it(shared: Shared) -> None:
    tool = shared.toolbox.build({**named("a"), "toolFakeConfig": FAKE})
    assert isinstance(tool, FakedTool)
    assert isinstance(shared.toolbox.build(named("a")), OpenApiTool)


def test_built_in_tools_are_shared_too(shared: Shared) -> None:
    name = "projects/p/locations/global/agents/a/tools/df-code-interpreter-tool"
    built_in: JsonObject = {"name": name, "displayName": "code-interpreter", "toolType": "BUILTIN_TOOL"}
    tool = shared.toolbox.build(built_in)
    assert isinstance(tool, CodeInterpreter)
    assert shared.toolbox.build(built_in) is tool


def test_large_tools_push_each_other_out_and_the_latest_stays(shared: Shared) -> None:
    words = "x" * (COMPILED_BYTES // 16)
    for name in ("a", "b", "b", "a"):
        shared.toolbox.build(named(name, operation(description=words)))
    assert shared.seals.built == ["a", "b", "a"]


async def test_threads_that_ask_at_once_get_one_tool(shared: Shared) -> None:
    tools = await asyncio.gather(*(asyncio.to_thread(shared.toolbox.build, named("a")) for _ in range(8)))
    assert len({id(tool) for tool in tools}) == 1
    assert shared.seals.built == ["a"]
