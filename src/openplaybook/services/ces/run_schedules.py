"""Scheduled runs of evaluations: the standard methods, and which are due.

Each active one has a record next to those of all apps that says when it is due, so that nobody has to read every app
to find out. Times are UTC. A time that passed while no server ran is made up for once.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, date, datetime, timedelta

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import APPS, root_of
from openplaybook.services.ces.app_references import check_references
from openplaybook.services.ces.evaluations import refuse_unserved
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, EVALUATION_RUN, SCHEDULED_EVALUATION_RUN
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Change, Delete, Put
from openplaybook.storage.errors import RecordNotFound, VersionMismatch
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

_DUE = "dueEvaluationRuns"
"""Parent of the records that say when each is due."""
_DUE_KIND = "due_evaluation_run"
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_LONGEST_DAYS = 15
"""From one day of a schedule to the next, at most."""
_DAYS_OF_WEEK = range(1, 8)

StartRun = Callable[[ApiMessage, str], Awaitable[None]]
"""Starts the run of a `RunEvaluationRequest` for the schedule of that name."""


class ScheduledEvaluationRuns(ResourceService):
    """The standard methods."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(SCHEDULED_EVALUATION_RUN, parts, parent=APP)
        self._runs = Collection(EVALUATION_RUN, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Refuse a run that could never start, and note when it starts next."""
        request, field = resource.request, self.kind.field
        if str(APPS.parse(request.app)) != root_of(resource.name):
            raise invalid((f"{field}.request.app", f"must be {root_of(resource.name)}"))
        refuse_unserved(request)
        if not (request.evaluations or request.evaluation_dataset):
            raise invalid((f"{field}.request.evaluations", "is required, or an evaluation_dataset"))
        await check_references(self.parts.store, resource, stored, field)
        _check_times(resource.scheduling_config, f"{field}.scheduling_config")
        if not resource.active:
            resource.ClearField("next_scheduled_execution_time")
            context.warn(f"{field} is not active: it is kept, and does not run")
            return
        if stored is not None and stored.active and stored.scheduling_config == resource.scheduling_config:
            return
        next_us = next_time_us(resource.scheduling_config, self.parts.now_us())
        if next_us is None:
            raise invalid((f"{field}.scheduling_config.start_time", "is past, and nothing repeats it"))
        resource.next_scheduled_execution_time.FromMicroseconds(next_us)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The schedule, with its last run that ended."""
        message = await super().get(request, context)
        await self._fill([message], root_of(message.name))
        return message

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's schedules, each as `get` has it."""
        response = await super().list(request, context)
        await self._fill(response.scheduled_evaluation_runs, request.parent)
        return response

    async def alongside(self, before: ApiMessage | None, after: ApiMessage | None) -> Sequence[Change]:
        """The record that says when it is due."""
        if after is not None and after.HasField("next_scheduled_execution_time"):
            due_us = after.next_scheduled_execution_time.ToMicroseconds()
            body = dumps({"schedule": after.name, "dueUs": due_us})
            return [Put(_due_name(after.name), _DUE_KIND, _DUE, _DUE, body)]
        resource = after or before
        assert resource is not None, "a change has one of them"
        name = _due_name(resource.name)
        return [Delete(name)] if await self.parts.store.get(name) is not None else []

    async def _fill(self, messages: Sequence[ApiMessage], app: str) -> None:
        if not messages:
            return
        completed = [run for run in await self._runs.all(app) if run.state == run.COMPLETED]
        last = {run.scheduled_evaluation_run: run.name for run in completed}
        for message in messages:
            message.last_completed_run = last.get(message.name, "")


class DueRuns:
    """Starts the runs that are due. Of several servers one starts each."""

    def __init__(self, parts: ServiceParts, start: StartRun) -> None:
        self._parts = parts
        self._start = start
        self._schedules = ScheduledEvaluationRuns(parts)

    async def start_due(self) -> list[str]:
        """Start them; names of their schedules. Raises `StoreError`."""
        started: list[str] = []
        now_us = self._parts.now_us()
        position = 0
        while page := await self._parts.store.list(_DUE, _DUE_KIND, after=position):
            position = page[-1].position
            for record in page:
                due = as_object(loads(record.body))
                schedule, due_us = due.get("schedule"), due.get("dueUs")
                if not isinstance(schedule, str) or not isinstance(due_us, int) or due_us > now_us:
                    continue
                claimed = await self._claimed(schedule, record.name, now_us)
                if claimed is not None:
                    await self._start(copy_of(claimed.request), schedule)
                    started.append(schedule)
        return started

    async def _claimed(self, name: str, due_record: str, now_us: int) -> ApiMessage | None:
        """The schedule, moved on to its next time; None where another server has it, or it is no longer due."""
        try:
            stored = await self._schedules.records.read(name)
            message = copy_of(stored.message)
            if not message.active or message.next_scheduled_execution_time.ToMicroseconds() > now_us:
                return None
            message.total_executions += 1
            message.ClearField("next_scheduled_execution_time")
            if (next_us := next_time_us(message.scheduling_config, now_us)) is not None:
                message.next_scheduled_execution_time.FromMicroseconds(next_us)
            return await self._schedules.replace(message, stored)
        except (VersionMismatch, RecordNotFound):
            return None
        except RpcError as error:
            if error.code is not Code.NOT_FOUND:
                raise
        # Its app was deleted, which does not reach this record.
        if await self._parts.store.get(due_record) is not None:
            await self._parts.store.apply([Delete(due_record)])
        return None


def next_time_us(config: ApiMessage, after_us: int) -> int | None:
    """The first time of a `SchedulingConfig` after a moment, in microseconds since the epoch; None: there is none."""
    start, after = _moment(config.start_time.ToMicroseconds()), _moment(after_us)
    if start > after and not config.days_of_week:
        return _microseconds(start)
    if config.frequency == config.NONE:
        return None
    first = max(start.date(), after.date())
    for days in range(_LONGEST_DAYS + 1):
        day = first + timedelta(days=days)
        moment = datetime.combine(day, start.timetz())
        if moment > after and moment >= start and _is_on(config, start.date(), day):
            return _microseconds(moment)
    return None


def _is_on(config: ApiMessage, start: date, day: date) -> bool:
    """Whether a schedule that begins at `start` has that day."""
    if config.frequency == config.DAILY:
        return True
    if day.isoweekday() not in (config.days_of_week or [start.isoweekday()]):
        return False
    weeks = (_monday(day) - _monday(start)).days // 7
    return config.frequency == config.WEEKLY or weeks % 2 == 0


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _check_times(config: ApiMessage, path: str) -> None:
    """INVALID_ARGUMENT for what is no schedule."""
    if config.frequency not in (config.NONE, config.DAILY, config.WEEKLY, config.BIWEEKLY):
        raise invalid((f"{path}.frequency", "must be NONE, DAILY, WEEKLY or BIWEEKLY"))
    if not 0 <= config.start_time.ToMicroseconds() < _microseconds(_LATEST):
        raise invalid((f"{path}.start_time", "must be from 1970 to 8999"))
    if config.days_of_week and config.frequency not in (config.WEEKLY, config.BIWEEKLY):
        raise invalid((f"{path}.days_of_week", "is for WEEKLY and BIWEEKLY only"))
    if not all(day in _DAYS_OF_WEEK for day in config.days_of_week):
        raise invalid((f"{path}.days_of_week", "must be 1 (Monday) to 7 (Sunday)"))


def _moment(us: int) -> datetime:
    return datetime.fromtimestamp(us // 1_000_000, UTC) + timedelta(microseconds=us % 1_000_000)


def _microseconds(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _due_name(schedule: str) -> str:
    return f"{_DUE}/{schedule.replace('/', ':')}"
