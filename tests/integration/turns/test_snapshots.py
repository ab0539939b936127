import asyncio

import pytest

from openplaybook.jsonvalues import dumps, loads
from openplaybook.models.base import AgentText, DeclarationKind, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.storage.base import Delete, Store
from openplaybook.turns.agent.snapshot_store import KEPT_BYTES, Snapshots, blob_key, bundle_in
from openplaybook.turns.errors import NoSuchAgent, SnapshotLost
from tests.kit.agents import AGENT, START, AgentDraft

ACTIONS = [
    {"userUtterance": {"text": "pet 3?"}},
    {
        "toolUse": {
            "tool": f"{AGENT}/tools/pets",
            "action": "getPet",
            "inputActionParameters": {"petId": 3},
            "outputActionParameters": {"200": {"name": "Rex"}},
        }
    },
    {"agentUtterance": {"text": "It is Rex."}},
]


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    draft.tool("pets", "getPet", "listPets", document={"openApiSpec": {}})
    draft.tool("unused", "other")
    return draft


def example(draft: AgentDraft, name: str, *actions: object, **more: object) -> None:
    document = {"displayName": name, "languageCode": "en", "actions": list(actions), **more}
    draft.document("example", f"{START}/examples/{name}", document)


async def test_a_snapshot_is_stored_a_document_a_line(store: Store) -> None:
    draft = pets()
    draft.playbook("Lines", 'One,\nanother,\n["and",\n"more"]')
    await draft.put(store)
    snapshot = await Snapshots(store, draft.shelf).current(AGENT)
    text = await store.get_blob(blob_key(snapshot.digest))
    assert text is not None
    documents = bundle_in(text)

    assert documents == loads(text)
    assert len(text.splitlines()) == len(documents) > 3
    # As earlier versions stored it.
    assert bundle_in(dumps(documents)) == documents


async def test_a_playbook_offers_the_actions_of_the_tools_it_names(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    assert [(each.name, each.reference, each.action) for each in view.declarations] == [
        ("getPet", "pets", "getPet"),
        ("listPets", "pets", "listPets"),
    ]


async def test_tools_and_playbooks_that_are_attached_are_offered_too(store: Store) -> None:
    draft = AgentDraft()
    other = draft.playbook("Book: a table!")
    draft.playbook("Start", start=True, referencedTools=[f"{AGENT}/tools/pets"], referencedPlaybooks=[other])
    draft.tool("pets", "getPet")
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    assert [(each.name, each.kind) for each in view.declarations] == [
        ("getPet", DeclarationKind.TOOL),
        ("Book_a_table", DeclarationKind.PLAYBOOK),
    ]
    assert dict(view.children) == {"Book_a_table": other}


async def test_names_are_unique_whatever_they_belong_to(store: Store) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "${TOOL: a} ${TOOL: b} ${PLAYBOOK: get} ${PLAYBOOK: end playbook}", start=True)
    draft.playbook("get")
    draft.playbook("end playbook")
    draft.tool("a", "get", "x")
    draft.tool("b", "x")
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    names = [each.name for each in view.declarations_with_end]
    assert names == ["get", "a_x", "b_x", "get_2", "end_playbook", "end_playbook_2"]
    assert view.end_name == "end_playbook_2"


async def test_an_example_speaks_of_functions_by_the_names_they_are_declared_under(store: Store) -> None:
    draft = pets()
    example(draft, "Ask", *ACTIONS, conversationState="OUTPUT_STATE_OK", retrievalStrategy="STATIC")
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    assert view.examples == (
        ExampleDialogue(
            display_name="Ask",
            entries=(
                UserText("pet 3?"),
                FunctionCall("example-2", "getPet", {"petId": 3}),
                FunctionResult("example-2", "getPet", {"200": {"name": "Rex"}}),
                AgentText("It is Rex."),
            ),
            end_state="OK",
            is_static=True,
        ),
    )


async def test_an_example_that_is_never_shown_or_calls_what_is_not_there_is_left_out(store: Store) -> None:
    draft = pets()
    example(draft, "Never", *ACTIONS, retrievalStrategy="NEVER")
    example(draft, "Gone", {"toolUse": {"tool": "gone", "action": "x"}})
    example(draft, "Here", {"userUtterance": {"text": "hi"}})
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    assert [each.display_name for each in view.examples] == ["Here"]


async def test_an_example_may_call_a_playbook(store: Store) -> None:
    draft = AgentDraft()
    other = draft.playbook("Other")
    draft.playbook("Start", "${PLAYBOOK: Other}", start=True)
    invocation = {
        "playbook": other,
        "playbookInput": {"actionParameters": {"a": 1}},
        "playbookOutput": {"actionParameters": {"b": 2}},
    }
    example(draft, "Call", {"playbookInvocation": invocation})
    await draft.put(store)
    view = (await Snapshots(store, draft.shelf).current(AGENT)).playbooks[START]
    assert view.examples[0].entries == (
        FunctionCall("example-1", "Other", {"a": 1}),
        FunctionResult("example-1", "Other", {"b": 2}),
    )


async def test_a_tool_that_cannot_be_compiled_is_left_out_and_named(store: Store) -> None:
    draft = pets()
    del draft.shelf.tools["pets"]
    await draft.put(store)
    snapshot = await Snapshots(store, draft.shelf).current(AGENT)
    view = snapshot.playbooks[START]
    assert dict(view.unusable_tools) == {f"{AGENT}/tools/pets": "$: is not on the shelf"}
    assert (view.declarations, set(snapshot.tools)) == ((), {f"{AGENT}/tools/unused"})


async def test_the_same_revision_is_compiled_once_and_a_change_makes_another(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf)
    first = await snapshots.current(AGENT)
    assert await snapshots.current(AGENT) is first
    await store.apply([Delete(f"{AGENT}/tools/unused")])
    second = await snapshots.current(AGENT)
    assert second.digest != first.digest
    assert await snapshots.by_digest(AGENT, first.digest) is first


async def test_an_earlier_snapshot_is_compiled_again_from_the_store(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    first = await Snapshots(store, draft.shelf).current(AGENT)
    await store.apply([Delete(AGENT), Delete(START)])
    again = await Snapshots(store, draft.shelf).by_digest(AGENT, first.digest)
    assert (again.start_playbook, again.playbooks) == (first.start_playbook, first.playbooks)


async def test_what_is_not_there_is_said(store: Store) -> None:
    snapshots = Snapshots(store, pets().shelf)
    with pytest.raises(NoSuchAgent):
        await snapshots.current(AGENT)
    with pytest.raises(SnapshotLost):
        await snapshots.by_digest(AGENT, "0" * 64)


async def test_parameters_that_any_authentication_reads_are_secret(store: Store) -> None:
    draft = pets()
    bearer = {"bearerTokenConfig": {"token": "$session.params.user-token"}}
    draft.document("tool", f"{AGENT}/tools/x", {"displayName": "x", "openApiSpec": {"authentication": bearer}})
    override = {"oauth2AuthCodeConfig": {"oauthToken": "$session.params.crm.token"}}
    draft.document("tool", f"{AGENT}/tools/y", {"displayName": "y", "connectorSpec": {"endUserAuthConfig": override}})
    await draft.put(store)
    snapshot = await Snapshots(store, draft.shelf).current(AGENT)
    assert set(snapshot.secret_parameters) == {"user-token", "crm.token"}


async def test_settings_of_the_default_language_win(store: Store) -> None:
    draft = AgentDraft(defaultLanguageCode="de")
    for language in ("en", "de"):
        name = f"{AGENT}/generativeSettings/{language}"
        draft.document("generative_settings", name, {"languageCode": language, "llmModelSettings": {"model": language}})
    await draft.put(store)
    assert (await Snapshots(store, draft.shelf).current(AGENT)).settings.model == "de"


async def test_an_agent_that_starts_with_a_flow_begins_at_its_only_playbook(store: Store) -> None:
    draft = AgentDraft(startFlow=f"{AGENT}/flows/f")
    only = draft.playbook("Only")
    await draft.put(store)
    assert (await Snapshots(store, draft.shelf).current(AGENT)).start_playbook == only
    draft.playbook("Another")
    await draft.put(store)
    assert (await Snapshots(store, draft.shelf).current(AGENT)).start_playbook == ""


async def test_many_turns_that_wait_for_one_agent_compile_it_once(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf)
    found = await asyncio.gather(*(snapshots.current(AGENT) for _ in range(20)))
    assert all(each is found[0] for each in found)


async def test_who_stops_waiting_for_an_agent_takes_it_from_nobody(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf)
    leaving, staying = (asyncio.create_task(snapshots.current(AGENT)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).agent == AGENT
    assert leaving.cancelled()


async def test_large_agents_push_each_other_out_of_memory_and_come_back_from_the_store(store: Store) -> None:
    draft = pets()
    draft.document("playbook", f"{AGENT}/playbooks/large", {"displayName": "Large", "goal": "x" * (KEPT_BYTES // 2)})
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf)
    first = await snapshots.current(AGENT)
    await store.apply([Delete(f"{AGENT}/tools/unused")])
    second = await snapshots.current(AGENT)
    assert await snapshots.by_digest(AGENT, second.digest) is second
    assert await snapshots.by_digest(AGENT, first.digest) is not first
