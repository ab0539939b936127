"""Pages of lists whose resources are large: they end early, and are built beside the event loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.resources.names import (
    AGENTS,
    APP_TOOLS,
    APP_VERSIONS,
    APPS,
    EXAMPLES,
    OPERATIONS,
    PLAYBOOKS,
    TOOL_VERSIONS,
    TOOLS,
)
from openplaybook.services import collection, operations
from openplaybook.services.stored_records import AT_ONCE_BYTES
from openplaybook.storage.base import Put, Record
from tests.integration.services.peers import LOCATION, Caller
from tests.kit.threads_seen import LOOP, threads_of

CX = "google.cloud.dialogflow.cx.v3beta1."
CES = "google.cloud.ces.v1beta.AgentService."
_BUILT_IN = "/df-code-interpreter-tool"
LARGE = 1_500_000
COUNT = 7
AGENT = f"{LOCATION}/agents/a"
APP = f"{LOCATION}/apps/zoo"


@dataclass(frozen=True, slots=True)
class Listed:
    """A list, and what makes one of its resources."""

    rpc: str
    kind: str
    parent: str
    segment: str
    field: str
    resource: Callable[[str], JsonObject]
    """A resource with such a text."""
    parents: Sequence[tuple[str, str, JsonObject]] = ()
    """Names, kinds and bodies of what must be there."""
    asks: str = "parent"


def _described(text: str) -> JsonObject:
    return {"description": text}


def _tool(text: str) -> JsonObject:
    return {"description": text, "functionSpec": {}}


_CX_AGENT = (AGENT, AGENTS.kind, {"displayName": "Zoo"})
_CX_TOOL = (f"{AGENT}/tools/t", TOOLS.kind, {"displayName": "T"})
_CX_PLAYBOOK = (f"{AGENT}/playbooks/p", PLAYBOOKS.kind, {"displayName": "P"})
_CES_APP = (APP, APPS.kind, {"displayName": "Zoo"})

LISTS = (
    Listed(f"{CX}Agents.ListAgents", AGENTS.kind, LOCATION, "agents", "agents", _described),
    Listed(f"{CX}Tools.ListTools", TOOLS.kind, AGENT, "tools", "tools", _tool, (_CX_AGENT,)),
    Listed(
        f"{CX}Tools.ListToolVersions",
        TOOL_VERSIONS.kind,
        f"{AGENT}/tools/t",
        "versions",
        "toolVersions",
        lambda text: {"tool": _tool(text)},
        (_CX_AGENT, _CX_TOOL),
    ),
    Listed(
        f"{CX}Playbooks.ListPlaybooks",
        PLAYBOOKS.kind,
        AGENT,
        "playbooks",
        "playbooks",
        lambda text: {"goal": text},
        (_CX_AGENT,),
    ),
    Listed(
        f"{CX}Examples.ListExamples",
        EXAMPLES.kind,
        f"{AGENT}/playbooks/p",
        "examples",
        "examples",
        _described,
        (_CX_AGENT, _CX_PLAYBOOK),
    ),
    Listed(
        f"{CES}ListTools",
        APP_TOOLS.kind,
        APP,
        "tools",
        "tools",
        lambda text: {"clientFunction": {"name": "f", "description": text}},
        (_CES_APP,),
    ),
    Listed(
        f"{CES}ListAppVersions",
        APP_VERSIONS.kind,
        APP,
        "versions",
        "appVersions",
        lambda text: {"snapshot": {"app": {"description": text}}},
        (_CES_APP,),
    ),
    Listed(
        "google.longrunning.Operations.ListOperations",
        OPERATIONS.kind,
        LOCATION,
        "operations",
        "operations",
        lambda text: {"done": True, "error": {"code": 3, "message": text}},
        asks="name",
    ),
)


async def stored(call: Caller, of: Listed, sizes: Sequence[int]) -> list[str]:
    """The names of new resources of those sizes, in order of creation; each next name is before it by the alphabet."""
    names = [f"{of.parent}/{of.segment}/n{len(sizes) - at:04}" for at in range(len(sizes))]
    puts = [Put(name, kind, name.rsplit("/", 2)[0], name, dumps(body)) for name, kind, body in of.parents]
    for name, size in zip(names, sizes, strict=True):
        body = {"name": name, "displayName": name[-4:], **of.resource("x" * size)}
        if of.asks == "name":
            del body["displayName"]
        puts.append(Put(name, of.kind, of.parent, name, dumps(body)))
    await call.parts.store.apply(puts)
    return names


async def pages(call: Caller, of: Listed, **asked: object) -> list[list[str]]:
    """Names on each page."""
    found: list[list[str]] = []
    token = ""
    while not found or token:
        page = await call(of.rpc, {of.asks: of.parent, "pageToken": token, **asked})
        found.append(
            [each["name"] for each in page[of.field] if not each["name"].endswith("/df-code-interpreter-tool")]
        )
        token = page.get("nextPageToken", "")
    return found


@pytest.mark.parametrize("of", LISTS, ids=lambda of: of.rpc.rsplit(".", 1)[1])
async def test_a_page_ends_early_where_its_resources_are_large(of: Listed, call: Caller) -> None:
    names = await stored(call, of, [LARGE] * COUNT)
    found = await pages(call, of, pageSize=1000)
    assert [name for page in found for name in page] == names
    assert [len(page) for page in found] == [2, 2, 2, 1]


@pytest.mark.parametrize("of", LISTS, ids=lambda of: of.rpc.rsplit(".", 1)[1])
async def test_large_resources_of_a_page_are_read_beside_the_event_loop(
    of: Listed, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored(call, of, [LARGE] * 2)
    read = threads_of(monkeypatch, operations if of.asks == "name" else collection, "from_body")
    await pages(call, of)
    assert LOOP not in read
    assert len(read) >= 2


async def test_one_resource_that_is_larger_than_a_page_may_be_has_a_page_for_itself(call: Caller) -> None:
    for of in (LISTS[0], LISTS[-1]):
        names = await stored(call, of, [10, AT_ONCE_BYTES + 1, 10, 10])
        assert await pages(call, of) == [names[:1], names[1:2], names[2:]]


async def test_pages_in_another_order_end_early_too(call: Caller) -> None:
    of = next(each for each in LISTS if each.rpc == f"{CES}ListTools")
    names = await stored(call, of, [LARGE] * COUNT)
    by_name = await pages(call, of, orderBy="name", pageSize=1000)
    assert [name for page in by_name for name in page] == sorted(names)
    assert [len(page) for page in by_name] == [2, 2, 2, 1]
    latest_first = await pages(call, of, orderBy="create_time desc", pageSize=1000)
    assert [name for page in latest_first for name in page] == names[::-1]


async def test_a_filter_counts_only_what_the_page_holds(call: Caller) -> None:
    of = next(each for each in LISTS if each.rpc == f"{CES}ListTools")
    names = await stored(call, of, [LARGE] * COUNT)
    assert await pages(call, of, filter=f'name = "{names[-1]}"', pageSize=1000) == [names[-1:]]


async def test_small_resources_fill_the_page_whatever_their_number(call: Caller) -> None:
    for of in (LISTS[0], LISTS[-1]):
        names = await stored(call, of, [10] * 234)
        assert await pages(call, of, pageSize=100) == [names[:100], names[100:200], names[200:]]
        assert await pages(call, of, pageSize=1000) == [names]


async def test_no_more_is_in_memory_at_once_than_some_pages(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    of = LISTS[0]
    await stored(call, of, [10] * 100 + [500_000] * 60)
    read: list[int] = []
    list_ = call.parts.store.list

    async def noted(parent: str, kind: str, *, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        records = await list_(parent, kind, after=after, limit=limit)
        read.append(sum(len(record.body) for record in records))
        return records

    monkeypatch.setattr(call.parts.store, "list", noted)
    await pages(call, of, pageSize=1000)
    large = [size for size in read if size > 100_000]
    # The first large ones come as unexpectedly as small ones: so many as are read at once.
    assert max(large) <= 50 * 500_100
    assert all(size <= AT_ONCE_BYTES for size in large[1:])
