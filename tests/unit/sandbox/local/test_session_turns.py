"""Executions of one session follow each other."""

import asyncio

from openplaybook.sandbox.local.session_turns import SessionTurns


async def test_a_session_is_used_by_one_at_a_time_and_others_are_not_held_up() -> None:
    turns, log, first_is_done = SessionTurns(), list[str](), asyncio.Event()

    async def use(name: str, tenant: str, session: str) -> None:
        async with turns.alone(tenant, session):
            log.append(name)
            if name == "first":
                await first_is_done.wait()

    async with asyncio.TaskGroup() as group:
        group.create_task(use("first", "t", "s"))
        group.create_task(use("second", "t", "s"))
        group.create_task(use("of another tenant", "u", "s"))
        group.create_task(use("without", "t", ""))
        for _ in range(5):
            await asyncio.sleep(0)
        assert log == ["first", "of another tenant", "without"]
        first_is_done.set()
    assert log == ["first", "of another tenant", "without", "second"]
    assert turns.in_use == 0
