import asyncio
from functools import partial

import pytest

from openplaybook.services import operations
from openplaybook.services.operations import KEPT_US, SILENCE_S, FinishedWork, OperationRunner, finished
from openplaybook.storage.base import Record
from openplaybook.storage.errors import StoreUnusable
from openplaybook.wire.bytes_in_flight import BytesInFlight
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import Lane
from tests.integration.services.peers import LOCATION, Caller

_OPERATIONS = "google.longrunning.Operations."
_CONTEXT = RpcContext("google.cloud.dialogflow.cx.v3beta1.Agents.ExportAgent", "v3beta1", "grpc")


class Gate:
    """Work that goes on when told."""

    def __init__(self, call: Caller) -> None:
        self._call = call
        self.opened = asyncio.Event()
        self.refusal: Exception | None = None

    async def work(self) -> FinishedWork:
        await self.opened.wait()
        if self.refusal is not None:
            raise self.refusal
        return FinishedWork(self._call.parts.empty(), {"notes": ["n"]})


@pytest.fixture
def gate(call: Caller) -> Gate:
    return Gate(call)


async def _start(call: Caller, gate: Gate) -> ApiMessage:
    return await call.parts.operations.start(_CONTEXT, LOCATION, gate.work)


async def test_an_operation_runs_until_its_work_is_done(call: Caller, gate: Gate) -> None:
    started = await _start(call, gate)
    assert started.name.startswith(f"{LOCATION}/operations/")
    assert not (await call.parts.operations.get(started.name)).done
    assert not (await call.parts.operations.wait(started.name, 0)).done
    gate.opened.set()
    done = await call(f"{_OPERATIONS}WaitOperation", {"name": started.name})
    assert done == {
        "name": started.name,
        "metadata": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": {"notes": ["n"]}},
        "done": True,
        "response": {"@type": "type.googleapis.com/google.protobuf.Empty"},
    }
    assert await call(f"{_OPERATIONS}GetOperation", {"name": started.name}) == done


@pytest.mark.parametrize(
    ("refusal", "code", "message"),
    [
        (RpcError(Code.FAILED_PRECONDITION, "not now"), Code.FAILED_PRECONDITION, "not now"),
        (StoreUnusable("disk full"), Code.UNAVAILABLE, StoreUnusable("disk full").for_callers),
    ],
)
async def test_an_operation_that_fails_says_why(
    call: Caller, gate: Gate, refusal: Exception, code: Code, message: str
) -> None:
    gate.refusal = refusal
    gate.opened.set()
    done = await call.parts.operations.wait((await _start(call, gate)).name, 5)
    assert (done.done, done.error.code, done.error.message) == (True, code, message)


async def test_a_fault_of_ours_is_told_by_number_only(
    call: Caller, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    gate.refusal = ZeroDivisionError("secret detail")
    gate.opened.set()
    done = await call.parts.operations.wait((await _start(call, gate)).name, 5)
    assert done.error.code == Code.INTERNAL
    assert "secret detail" not in done.error.message
    [record] = [record for record in caplog.records if record.name == "openplaybook.operations"]
    assert done.error.message.split()[-1].rstrip(".") in record.getMessage()


async def test_an_operation_whose_result_cannot_be_written_down_ends_with_our_fault(call: Caller) -> None:
    metadata = call.parts.api.message("google.cloud.ces.v1beta.OperationMetadata")()

    async def work() -> FinishedWork:
        return FinishedWork(call.parts.empty(), {"no such member": True})

    started = await call.parts.operations.start(_CONTEXT, LOCATION, work, metadata=metadata)
    done = await call.parts.operations.wait(started.name, 5)
    assert (done.done, done.error.code) == (True, Code.INTERNAL)
    assert done.error.message.startswith("Internal error.")


async def test_an_operation_whose_result_is_not_written_down_in_time_ends_with_that(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_ENDS", Lane("ends", threads=0, waiting=1, seconds=0))
    started = await call.parts.operations.start(_CONTEXT, LOCATION, partial(finished, call.parts.empty()))
    done = await call.parts.operations.wait(started.name, 5)
    assert (done.done, done.error.code) == (True, Code.DEADLINE_EXCEEDED)
    assert done.error.message == "the work on ends takes more than 0 s, waiting included"


async def test_a_cancelled_operation_ends_with_cancelled(call: Caller, gate: Gate) -> None:
    name = (await _start(call, gate)).name
    assert await call(f"{_OPERATIONS}CancelOperation", {"name": name}) == {}
    done = await call.parts.operations.get(name)
    assert (done.done, done.error.code) == (True, Code.CANCELLED)
    assert await call(f"{_OPERATIONS}CancelOperation", {"name": name}) == {}


async def test_a_deleted_operation_is_gone_even_when_its_work_ends_later(call: Caller, gate: Gate) -> None:
    name = (await _start(call, gate)).name
    assert await call(f"{_OPERATIONS}DeleteOperation", {"name": name}) == {}
    gate.opened.set()
    await call.parts.operations.close(5)
    assert await call.refusal(f"{_OPERATIONS}GetOperation", {"name": name}) == (
        Code.NOT_FOUND,
        f"Operation {name} does not exist",
    )


async def test_closing_lets_work_end_within_the_grace_time(call: Caller, gate: Gate) -> None:
    name = (await _start(call, gate)).name
    asyncio.get_running_loop().call_soon(gate.opened.set)
    await call.parts.operations.close(5)
    assert (await call.parts.operations.get(name)).HasField("response")


async def test_closing_cancels_what_takes_longer(call: Caller, gate: Gate) -> None:
    name = (await _start(call, gate)).name
    await call.parts.operations.close(0)
    assert (await call.parts.operations.get(name)).error.code == Code.CANCELLED


async def test_an_operation_of_a_server_that_is_gone_has_ended(call: Caller, gate: Gate) -> None:
    name = (await _start(call, gate)).name
    next_server = OperationRunner(call.parts.store, call.parts.api, call.clock)
    found = await next_server.get(name)
    assert (found.done, found.error.code) == (True, Code.ABORTED)
    assert found.error.message == "The server stopped during this operation; start it again"
    assert (await next_server.wait(name, 5)).done
    gate.opened.set()
    await call.parts.operations.close(5)
    assert await call.parts.operations.get(name) == found


class TestOfServersThatShareAStore:
    @pytest.fixture
    def other(self, call: Caller) -> OperationRunner:
        """Another server, which hears of operations by the store alone."""
        return OperationRunner(call.parts.store, call.parts.api, call.clock, is_shared=True)

    async def test_an_operation_runs_on_however_often_another_server_is_asked_for_it(
        self, call: Caller, gate: Gate, other: OperationRunner
    ) -> None:
        name = (await _start(call, gate)).name
        call.clock.advance(SILENCE_S - 1)
        assert not (await other.get(name)).done
        assert not (await other.wait(name, 0)).done
        waiting = asyncio.create_task(other.wait(name, 60))
        await asyncio.sleep(0)
        gate.opened.set()
        done = await waiting
        assert done.HasField("response")
        assert await call.parts.operations.get(name) == done

    async def test_signs_of_life_keep_it_and_its_end_is_recorded(self, call: Caller, gate: Gate) -> None:
        runner = OperationRunner(call.parts.store, call.parts.api, call.clock, is_shared=True, sign_of_life_s=0.001)
        name = (await runner.start(_CONTEXT, LOCATION, gate.work)).name
        while (await _record(call, name)).version < 4:
            await runner.wait(name, 0.001)
        gate.opened.set()
        assert (await runner.wait(name, 60)).HasField("response")

    async def test_one_whose_server_is_silent_has_ended(self, call: Caller, gate: Gate, other: OperationRunner) -> None:
        name = (await _start(call, gate)).name
        call.clock.advance(SILENCE_S)
        assert (await other.wait(name, 60)).error.code == Code.ABORTED
        gate.opened.set()


async def _record(call: Caller, name: str) -> Record:
    record = await call.parts.store.get(name)
    assert record is not None
    return record


async def test_operations_are_listed_by_location_page_by_page(call: Caller, gate: Gate) -> None:
    gate.opened.set()
    names = [(await _start(call, gate)).name for _ in range(3)]
    await call.parts.operations.close(5)
    first = await call(f"{_OPERATIONS}ListOperations", {"name": LOCATION, "pageSize": 2})
    assert [operation["name"] for operation in first["operations"]] == names[:2]
    request = {"name": LOCATION, "pageSize": 2, "pageToken": first["nextPageToken"]}
    last = await call(f"{_OPERATIONS}ListOperations", request)
    assert [operation["name"] for operation in last["operations"]] == names[2:]
    assert "nextPageToken" not in last
    assert await call(f"{_OPERATIONS}ListOperations", {"name": "projects/other/locations/eu"}) == {}


async def test_a_filter_is_refused_rather_than_ignored(call: Caller) -> None:
    code, _ = await call.refusal(f"{_OPERATIONS}ListOperations", {"name": LOCATION, "filter": "done=true"})
    assert code is Code.INVALID_ARGUMENT


async def test_finished_operations_are_forgotten_after_a_day(call: Caller, gate: Gate) -> None:
    gate.opened.set()
    old = (await _start(call, gate)).name
    await call.parts.operations.close(5)
    call.clock.advance(KEPT_US // 1_000_000)
    same_day = (await _start(call, gate)).name
    assert (await call.parts.operations.get(old)).done
    call.clock.advance(1)
    await _start(call, gate)
    assert (await call.refusal(f"{_OPERATIONS}GetOperation", {"name": old}))[0] is Code.NOT_FOUND
    assert (await call.parts.operations.wait(same_day, 5)).done


async def test_a_malformed_operation_name_is_an_invalid_argument(call: Caller) -> None:
    assert (await call.refusal(f"{_OPERATIONS}GetOperation", {"name": "operations/1"}))[0] is Code.INVALID_ARGUMENT


async def test_an_operation_that_does_not_end_is_ended(
    call: Caller, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "LONGEST_S", 0.01)
    done = await call.parts.operations.wait((await _start(call, gate)).name, 5)
    sentence = "The operation did not end within 0.01 s, the limit of such operations."
    assert (done.done, done.error.code, done.error.message) == (True, Code.DEADLINE_EXCEEDED, sentence)


async def test_what_an_operation_works_on_counts_until_it_is_done(call: Caller, gate: Gate) -> None:
    budget = BytesInFlight()
    context = RpcContext(_CONTEXT.method, "v3beta1", "rest", room=budget.reserve(1000))
    started = await call.parts.operations.start(context, LOCATION, gate.work)
    assert context.room is not None
    context.room.release()
    assert budget.held == 1000
    gate.opened.set()
    await call.parts.operations.wait(started.name, 5)
    assert budget.held == 0
