"""Resources: names, versions, order, unique keys, revisions; what `apply` promises."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import BeginTurn, Delete, Put, Record, Started, Store, TurnState
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch

AGENT = Put("agents/a", "agent", "agents", "agents/a", b"{}")


def tool(number: int, body: bytes = b"{}", unique_key: str | None = None, expect: int | None = None) -> Put:
    """A tool of the agent."""
    return Put(f"agents/a/tools/{number}", "tool", "agents/a", "agents/a", body, unique_key, expect)


async def names(
    store: Store, parent: str = "agents/a", kind: str = "tool", after: int = 0, limit: int = 9
) -> list[str]:
    return [record.name for record in await store.list(parent, kind, after=after, limit=limit)]


async def test_a_stored_record_reads_back_as_it_was_written(store: Store, now_us: Callable[[], int]) -> None:
    body = bytes(range(256))
    written = await store.apply([tool(1, body)])
    expected = Record("agents/a/tools/1", "tool", "agents/a", "agents/a", body, 1, 1, now_us(), now_us())
    assert list(written) == [expected]
    assert await store.get("agents/a/tools/1") == expected


async def test_a_name_that_is_not_there_reads_as_none(store: Store) -> None:
    assert await store.get("agents/a") is None


async def test_a_record_outlives_the_store_that_wrote_it(open_store: Callable[[], Awaitable[Store]]) -> None:
    before = await open_store()
    (written,) = await before.apply([AGENT])
    await before.close()
    after = await open_store()
    assert await after.get("agents/a") == written


async def test_replacing_counts_the_version_and_keeps_place_and_birth(
    store: Store, now_us: Callable[[], int], advance: Callable[[int], None]
) -> None:
    (one, _) = await store.apply([tool(1), tool(2)])
    advance(5)
    (again,) = await store.apply([tool(1, b"new")])
    assert again == replace(one, body=b"new", version=2, updated_us=now_us())
    assert await names(store) == ["agents/a/tools/1", "agents/a/tools/2"]


async def test_the_records_come_back_in_the_order_of_the_puts(store: Store) -> None:
    await store.apply([tool(3)])
    written = await store.apply([tool(2), Delete("agents/a/tools/3"), tool(1)])
    assert [record.name for record in written] == ["agents/a/tools/2", "agents/a/tools/1"]


class TestExpect:
    async def test_zero_refuses_a_name_that_is_taken(self, store: Store) -> None:
        await store.apply([tool(1, expect=0)])
        with pytest.raises(RecordExists) as refused:
            await store.apply([tool(1, expect=0)])
        assert (refused.value.name, refused.value.unique_key) == ("agents/a/tools/1", None)

    async def test_a_version_refuses_a_record_that_was_changed_since(self, store: Store) -> None:
        await store.apply([tool(1)])
        await store.apply([tool(1, b"theirs", expect=1)])
        with pytest.raises(VersionMismatch) as refused:
            await store.apply([tool(1, b"ours", expect=1)])
        assert (refused.value.name, refused.value.version) == ("agents/a/tools/1", 2)
        found = await store.get("agents/a/tools/1")
        assert found is not None
        assert found.body == b"theirs"

    async def test_a_version_refuses_a_record_that_is_gone(self, store: Store) -> None:
        with pytest.raises(RecordNotFound) as refused:
            await store.apply([tool(1, expect=1)])
        assert refused.value.name == "agents/a/tools/1"

    async def test_a_delete_checks_the_version_too(self, store: Store) -> None:
        await store.apply([tool(1)])
        with pytest.raises(VersionMismatch):
            await store.apply([Delete("agents/a/tools/1", expect=2)])
        await store.apply([Delete("agents/a/tools/1", expect=1)])
        assert await store.get("agents/a/tools/1") is None


class TestUniqueKeys:
    async def test_a_key_is_taken_once_per_parent_and_kind(self, store: Store) -> None:
        await store.apply([tool(1, unique_key="Pets")])
        with pytest.raises(RecordExists) as refused:
            await store.apply([tool(2, unique_key="Pets")])
        assert (refused.value.name, refused.value.unique_key) == ("agents/a/tools/1", "Pets")
        assert await names(store) == ["agents/a/tools/1"]

    async def test_a_key_may_hold_any_character(self, store: Store) -> None:
        for key in ("\0", "a\0b", "\N{CAT FACE}", "'; --"):
            await store.apply([tool(1, unique_key=key)])
            with pytest.raises(RecordExists) as refused:
                await store.apply([tool(2, unique_key=key)])
            assert refused.value.unique_key == key

    async def test_another_kind_or_parent_may_use_the_key(self, store: Store) -> None:
        pets = tool(1, unique_key="Pets")
        await store.apply([pets, replace(pets, name="x", kind="playbook"), replace(pets, name="y", parent="agents/b")])
        assert await names(store, parent="agents/b") == ["y"]

    async def test_records_without_a_key_may_be_alike(self, store: Store) -> None:
        await store.apply([tool(1), tool(2)])
        assert len(await names(store)) == 2

    async def test_a_record_keeps_its_own_key_when_it_is_written_again(self, store: Store) -> None:
        await store.apply([tool(1, unique_key="Pets")])
        await store.apply([tool(1, b"new", unique_key="Pets")])
        with pytest.raises(RecordExists):
            await store.apply([tool(2, unique_key="Pets")])

    async def test_a_key_is_free_after_a_delete_or_a_change(self, store: Store) -> None:
        await store.apply([tool(1, unique_key="Pets"), tool(2, unique_key="Cats")])
        await store.apply([tool(1, unique_key="Dogs"), Delete("agents/a/tools/2")])
        await store.apply([tool(3, unique_key="Pets"), tool(4, unique_key="Cats")])
        assert len(await names(store)) == 3


class TestAtomicity:
    @pytest.mark.parametrize(
        "bad",
        [tool(1, expect=0), tool(1, expect=7), tool(8, unique_key="Pets"), Delete("nothing"), tool(9, expect=1)],
        ids=["exists", "version", "unique key", "not found", "expected"],
    )
    async def test_one_bad_change_leaves_everything_as_it_was(self, store: Store, bad: Put | Delete) -> None:
        await store.apply([AGENT, tool(1, unique_key="Pets")])
        before = (await store.scan("agents/a"), await store.revision("agents/a"))
        with pytest.raises((RecordExists, RecordNotFound, VersionMismatch)):
            await store.apply([tool(2), tool(1, b"new", "Pets"), Delete("agents/a"), bad])
        assert (await store.scan("agents/a"), await store.revision("agents/a")) == before

    async def test_a_later_change_sees_the_earlier_ones(self, store: Store) -> None:
        await store.apply([tool(1, expect=0), tool(1, b"2", expect=1), Delete("agents/a/tools/1", expect=2)])
        assert await store.scan("agents/a") == []

    async def test_no_changes_are_no_fault(self, store: Store) -> None:
        assert list(await store.apply([])) == []


class TestDelete:
    async def test_a_missing_record_is_not_found(self, store: Store) -> None:
        for delete in (Delete("agents/a"), Delete("agents/a", tree=True), Delete("agents/a", expect=1)):
            with pytest.raises(RecordNotFound):
                await store.apply([delete])

    async def test_a_tree_takes_all_beneath_the_name_and_nothing_beside_it(self, store: Store) -> None:
        others = ("agents/a0", "agents/a-b", "agents/a.b", "agents/", "agents/ab/c", "agents/A/tools/1")
        beside = [replace(AGENT, name=name) for name in others]
        deep = replace(AGENT, name="agents/a/tools/1/versions/1")
        await store.apply([AGENT, tool(1), deep, *beside])
        await store.apply([Delete("agents/a", tree=True)])
        assert [record.name for record in await store.scan("agents/a")] == [put.name for put in beside]

    async def test_without_tree_what_is_beneath_stays(self, store: Store) -> None:
        await store.apply([AGENT, tool(1)])
        await store.apply([Delete("agents/a")])
        assert await names(store) == ["agents/a/tools/1"]

    @pytest.mark.parametrize("tree", [True, False])
    async def test_the_sessions_of_a_root_go_with_its_record(self, store: Store, first: BeginTurn, tree: bool) -> None:
        kept = replace(first, session="agents/b/sessions/s", root="agents/b")
        await store.apply([AGENT])
        for begin in (first, kept):
            begun = await store.begin_turn(begin)
            assert isinstance(begun, Started)
            await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"r", steps=[("said", b"")])
        await store.apply([Delete("agents/a", tree=tree)])
        assert await store.session(first.session) is None
        assert await store.history(first.session) == []
        assert len(await store.history(kept.session)) == 1


class TestPaging:
    async def test_pages_join_to_the_whole_in_order_of_insertion(self, store: Store) -> None:
        await store.apply([tool(number) for number in (5, 3, 9, 1, 7)])
        pages: list[list[str]] = []
        after = 0
        while page := await store.list("agents/a", "tool", after=after, limit=2):
            pages.append([record.name[-1] for record in page])
            after = page[-1].position
        assert pages == [["5", "3"], ["9", "1"], ["7"]]

    async def test_a_page_is_not_moved_by_writes_between_two_reads(self, store: Store) -> None:
        await store.apply([tool(number) for number in (1, 2, 3, 4)])
        cursor = (await store.list("agents/a", "tool", limit=2))[-1].position
        await store.apply([Delete("agents/a/tools/1"), tool(2, b"new"), Delete("agents/a/tools/4"), tool(5)])
        assert await names(store, after=cursor) == ["agents/a/tools/3", "agents/a/tools/5"]

    async def test_a_position_is_never_used_again(self, store: Store) -> None:
        (_, last) = await store.apply([tool(1), tool(2)])
        await store.apply([Delete("agents/a/tools/2")])
        (new,) = await store.apply([tool(2)])
        assert new.position > last.position

    async def test_only_the_kind_directly_under_the_parent_is_listed(self, store: Store) -> None:
        version = Put("agents/a/tools/1/versions/1", "tool", "agents/a/tools/1", "agents/a", b"")
        await store.apply([AGENT, tool(1), version, replace(tool(2), kind="playbook")])
        assert await names(store) == ["agents/a/tools/1"]


class TestRevisions:
    async def test_a_root_without_writes_is_at_zero(self, store: Store) -> None:
        assert await store.revision("agents/a") == 0

    async def test_each_record_written_or_deleted_counts(self, store: Store) -> None:
        await store.apply([AGENT, tool(1), tool(2)])
        await store.apply([tool(1, b"new")])
        await store.apply([Delete("agents/a/tools/2")])
        assert await store.revision("agents/a") == 5
        await store.apply([Delete("agents/a", tree=True)])
        assert await store.revision("agents/a") == 7

    async def test_it_never_falls_so_that_a_name_made_anew_is_told_from_the_old(self, store: Store) -> None:
        await store.apply([AGENT])
        await store.apply([Delete("agents/a", tree=True), AGENT])
        assert await store.revision("agents/a") == 3

    async def test_a_record_that_changes_its_root_counts_for_both(self, store: Store) -> None:
        await store.apply([AGENT, tool(1)])
        await store.apply([replace(tool(1), root="agents/b")])
        assert (await store.revision("agents/a"), await store.revision("agents/b")) == (3, 1)

    async def test_other_roots_and_refused_writes_do_not_count(self, store: Store) -> None:
        await store.apply([AGENT])
        with pytest.raises(RecordNotFound):
            await store.apply([tool(1), Delete("nothing")])
        await store.apply([replace(AGENT, name="agents/b", root="agents/b")])
        assert await store.revision("agents/a") == 1

    async def test_scan_gives_every_record_of_the_root_in_order_of_insertion(self, store: Store) -> None:
        await store.apply([tool(2), AGENT, replace(tool(1), root="agents/b"), tool(1, b"moved")])
        assert [record.name for record in await store.scan("agents/a")] == [
            "agents/a/tools/2",
            "agents/a",
            "agents/a/tools/1",
        ]


class TestScansOfKinds:
    async def test_of_some_kinds_it_gives_those_of_the_root_in_order_of_insertion(self, store: Store) -> None:
        playbook = replace(tool(3), name="agents/a/playbooks/3", kind="playbook")
        example = Put("agents/a/playbooks/3/examples/1", "example", playbook.name, "agents/a", b"e")
        elsewhere = replace(tool(4), name="agents/b/tools/4", parent="agents/b", root="agents/b")
        written = await store.apply([tool(2), AGENT, playbook, elsewhere, example, tool(1)])
        by_name = {record.name: record for record in written}
        for kinds, expected in (
            (("tool",), (tool(2), tool(1))),
            (("example", "tool"), (tool(2), example, tool(1))),
            (["playbook", "agent", "playbook"], (AGENT, playbook)),
            (("tools", "TOOL", "tool'", ""), ()),
            ((), (tool(2), AGENT, playbook, example, tool(1))),
        ):
            assert list(await store.scan("agents/a", kinds)) == [by_name[put.name] for put in expected]

    async def test_of_a_root_without_records_it_gives_none(self, store: Store) -> None:
        await store.apply([AGENT, tool(1)])
        for root in ("agents/b", "agents", "agents/a/tools/1"):
            assert await store.scan(root, ("tool", "agent")) == []

    async def test_a_record_that_changed_its_kind_is_of_the_new_one_and_keeps_its_place(self, store: Store) -> None:
        await store.apply([tool(1), tool(2)])
        await store.apply([replace(tool(1), kind="playbook")])
        assert [record.name for record in await store.scan("agents/a", ("tool",))] == [tool(2).name]
        assert [record.name for record in await store.scan("agents/a", ("tool", "playbook"))] == [
            tool(1).name,
            tool(2).name,
        ]


class TestUntouched:
    async def test_they_are_named_that_were_written_last_before_then_the_first_inserted_first(
        self, store: Store, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        await store.apply([tool(2), tool(1)])
        first_us = now_us()
        advance(10)
        await store.apply([tool(3)])
        for before_us, expected in (
            (first_us, ()),
            (first_us + 1, (2, 1)),
            (first_us + 10, (2, 1)),
            (first_us + 11, (2, 1, 3)),
        ):
            found = await store.untouched("agents/a", "tool", before_us=before_us)
            assert list(found) == [tool(number).name for number in expected]

    async def test_one_that_is_written_again_is_touched(
        self, store: Store, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        await store.apply([tool(1), tool(2)])
        advance(10)
        await store.apply([tool(1, b"new")])
        assert list(await store.untouched("agents/a", "tool", before_us=now_us())) == [tool(2).name]

    async def test_they_are_of_the_kind_and_directly_under_the_parent(
        self, store: Store, now_us: Callable[[], int]
    ) -> None:
        version = Put("agents/a/tools/1/versions/1", "tool", "agents/a/tools/1", "agents/a", b"")
        elsewhere = replace(tool(4), name="agents/b/tools/4", parent="agents/b", root="agents/b")
        await store.apply([AGENT, tool(1), version, replace(tool(2), kind="playbook"), elsewhere])
        later = now_us() + 1
        assert list(await store.untouched("agents/a", "tool", before_us=later)) == [tool(1).name]
        assert list(await store.untouched("agents/c", "tool", before_us=later)) == []

    async def test_no_more_are_named_than_are_asked_for(self, store: Store, now_us: Callable[[], int]) -> None:
        await store.apply([tool(number) for number in (3, 1, 2)])
        found = [await store.untouched("agents/a", "tool", before_us=now_us() + 1, limit=limit) for limit in (0, 2, 9)]
        expected = [tool(3).name, tool(1).name, tool(2).name]
        assert [list(each) for each in found] == [[], expected[:2], expected]
