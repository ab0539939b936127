"""Scheduled runs of evaluations: kept, started once when they are due, and moved on to their next time."""

import asyncio
import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import ModelReply
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.server.evaluation_runs import EvaluationTrials
from openplaybook.server.evaluation_schedules import EvaluationSchedules
from openplaybook.services.ces.run_schedules import DueRuns, next_time_us
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import Caller
from tests.kit.agents import PlayedModel
from tests.kit.sealing import SEALER

SERVICE = "google.cloud.ces.v1beta.EvaluationService."
NOW = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
"""A Tuesday: the tests' clock begins there."""
DAY_S = 86_400


@pytest.fixture
def studio(call: Caller) -> Studio:
    call.version = "v1beta"
    return Studio(call)


def after(**time: float) -> str:
    return (NOW + timedelta(**time)).isoformat().replace("+00:00", "Z")


async def rpc(studio: Studio, method: str, request: JsonObject) -> JsonObject:
    return await studio.call(SERVICE + method, request)


async def evaluation_of(studio: Studio, app: str) -> str:
    golden: JsonObject = {"turns": [{"steps": [{"userInput": {"text": "hi"}}]}]}
    request: JsonObject = {"parent": app, "evaluation": {"displayName": "Hi", "golden": golden}}
    return str((await rpc(studio, "CreateEvaluation", request))["name"])


def nightly(app: str, *evaluations: str, **fields: JsonValue) -> JsonObject:
    config: JsonObject = {"frequency": "DAILY", "startTime": after(hours=1)}
    return {
        "displayName": "Nightly",
        "request": {"app": app, "evaluations": [*evaluations]},
        "schedulingConfig": config,
        "active": True,
        **fields,
    }


async def scheduled(studio: Studio, app: str, *evaluations: str, **fields: JsonValue) -> JsonObject:
    schedule = nightly(app, *evaluations, **fields)
    request: JsonObject = {"parent": app, "scheduledEvaluationRunId": "nightly", "scheduledEvaluationRun": schedule}
    return await rpc(studio, "CreateScheduledEvaluationRun", request)


async def read(studio: Studio, schedule: JsonObject) -> JsonObject:
    return await rpc(studio, "GetScheduledEvaluationRun", {"name": schedule["name"]})


async def test_each_time_is_started_once_by_one_of_several_servers(studio: Studio) -> None:
    app = await studio.app()
    made = await scheduled(studio, app, await evaluation_of(studio, app))
    assert made["nextScheduledExecutionTime"] == after(hours=1)
    begun: list[str] = []

    async def start(request: ApiMessage, schedule: str) -> None:
        begun.append(f"{schedule} {request.app}")

    servers = [DueRuns(studio.call.parts, start) for _ in range(3)]

    async def looked() -> list[str]:
        return [name for names in await asyncio.gather(*(each.start_due() for each in servers)) for name in names]

    assert await looked() == []
    studio.call.clock.advance(3600)
    assert await looked() == [made["name"]]
    assert await looked() == []
    # Of the days on which no server ran only one is made up for.
    studio.call.clock.advance(3 * DAY_S)
    assert await looked() == [made["name"]]
    assert begun == [f"{made['name']} {app}"] * 2
    kept = await read(studio, made)
    assert (kept["totalExecutions"], kept["nextScheduledExecutionTime"]) == (2, after(days=4, hours=1))
    await rpc(studio, "DeleteScheduledEvaluationRun", {"name": made["name"]})
    studio.call.clock.advance(9 * DAY_S)
    assert await looked() == []


async def test_a_schedule_of_a_deleted_app_is_forgotten(studio: Studio) -> None:
    app = await studio.app()
    await scheduled(studio, app, await evaluation_of(studio, app))
    await studio("DeleteApp", {"name": app})
    studio.call.clock.advance(DAY_S)

    async def start(request: ApiMessage, schedule: str) -> None:
        raise AssertionError(schedule)

    assert await DueRuns(studio.call.parts, start).start_due() == []
    assert await studio.call.parts.store.list("dueEvaluationRuns", "due_evaluation_run") == []


async def test_it_rests_while_it_is_not_active(studio: Studio) -> None:
    app = await studio.app()
    made = await scheduled(studio, app, await evaluation_of(studio, app), active=False)
    assert "nextScheduledExecutionTime" not in made
    assert studio.warnings == ["scheduled_evaluation_run is not active: it is kept, and does not run"]
    change: JsonObject = {"name": made["name"], "active": True}
    request: JsonObject = {"scheduledEvaluationRun": change, "updateMask": "active"}
    assert (await rpc(studio, "UpdateScheduledEvaluationRun", request))["nextScheduledExecutionTime"] == after(hours=1)
    change["active"] = False
    assert "nextScheduledExecutionTime" not in await rpc(studio, "UpdateScheduledEvaluationRun", request)
    assert await studio.call.parts.store.list("dueEvaluationRuns", "due_evaluation_run") == []


@pytest.mark.parametrize(
    ("fields", "code", "why"),
    [
        ({"schedulingConfig": {"frequency": "NONE", "startTime": after(hours=-1)}}, "INVALID_ARGUMENT", "is past"),
        ({"schedulingConfig": {"startTime": after(hours=1)}}, "INVALID_ARGUMENT", "frequency"),
        (
            {"schedulingConfig": {"frequency": "WEEKLY", "startTime": after(), "daysOfWeek": [8]}},
            "INVALID_ARGUMENT",
            "must be 1 (Monday) to 7",
        ),
        (
            {"schedulingConfig": {"frequency": "DAILY", "startTime": after(), "daysOfWeek": [1]}},
            "INVALID_ARGUMENT",
            "WEEKLY and BIWEEKLY only",
        ),
        (
            {"schedulingConfig": {"frequency": "DAILY", "startTime": "9999-12-31T00:00:00Z"}},
            "INVALID_ARGUMENT",
            "1970 to 8999",
        ),
        ({"request": {"app": "APP"}}, "INVALID_ARGUMENT", "request.evaluations"),
        ({"request": {"app": "projects/p/locations/global/apps/x"}}, "INVALID_ARGUMENT", "request.app"),
        ({"request": {"app": "APP", "evaluations": ["APP/evaluations/none"]}}, "NOT_FOUND", "evaluations"),
        ({"request": {"app": "APP", "appVersion": "APP/versions/1"}}, "UNIMPLEMENTED", "app_version is not served"),
    ],
)
async def test_what_could_never_run_is_refused(studio: Studio, fields: JsonObject, code: str, why: str) -> None:
    app = await studio.app()
    body = {"parent": app, "scheduledEvaluationRun": {**nightly(app, await evaluation_of(studio, app)), **fields}}
    refused = await studio.call.refusal(SERVICE + "CreateScheduledEvaluationRun", _in_app(body, app))
    assert refused[0] is Code[code]
    assert why in refused[1]


def _in_app(value: JsonValue, app: str) -> JsonObject:
    def placed(part: JsonValue) -> JsonValue:
        if isinstance(part, dict):
            return {name: placed(member) for name, member in part.items()}
        if isinstance(part, list):
            return [placed(item) for item in part]
        return part.replace("APP", app) if isinstance(part, str) else part

    found = placed(value)
    assert isinstance(found, dict)
    return found


async def test_a_run_that_is_due_is_held_and_one_that_cannot_start_says_why(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app)
    await studio("UpdateApp", {"app": {"name": app, "rootAgent": agent["name"]}, "updateMask": "rootAgent"})
    evaluation = await evaluation_of(studio, app)
    made = await scheduled(studio, app, evaluation)
    parts = studio.call.parts
    models, toolbox = (
        ModelDirectory(PlayedModel(ModelReply("Hello.", (), "played")), {}),
        Toolbox(HttpTransport(AddressPolicy(()))),
    )
    parts = dataclasses.replace(parts, models=models)
    trials = EvaluationTrials(parts, models, SEALER, toolbox, asyncio.Semaphore(1))
    schedules = EvaluationSchedules(parts, trials)
    studio.call.clock.advance(DAY_S)
    assert await schedules.look() == [made["name"]]
    [run] = (await rpc(studio, "ListEvaluationRuns", {"parent": app}))["evaluationRuns"]
    await parts.operations.wait(str(run["operation"]), 30)
    run = await rpc(studio, "GetEvaluationRun", {"name": run["name"]})
    assert (run["state"], run["scheduledEvaluationRun"]) == ("COMPLETED", made["name"])
    assert (await read(studio, made))["lastCompletedRun"] == run["name"]
    await rpc(studio, "DeleteEvaluation", {"name": evaluation})
    studio.call.clock.advance(DAY_S)
    assert await schedules.look() == [made["name"]]
    [_, failed] = (await rpc(studio, "ListEvaluationRuns", {"parent": app}))["evaluationRuns"]
    assert failed["state"] == "ERROR"
    assert evaluation in failed["errorInfo"]["errorMessage"]


@pytest.mark.parametrize(
    ("config", "after_days", "next_days"),
    [
        ({"frequency": "NONE"}, -1, 0),
        ({"frequency": "NONE"}, 0, None),
        ({"frequency": "DAILY"}, 0, 1),
        ({"frequency": "DAILY"}, 100.5, 101),
        ({"frequency": "WEEKLY"}, 0, 7),
        ({"frequency": "WEEKLY", "daysOfWeek": [1, 5]}, -9, 3),
        ({"frequency": "WEEKLY", "daysOfWeek": [1, 5]}, 3, 6),
        ({"frequency": "BIWEEKLY"}, 0, 14),
        # Its next Monday is in the week after the next.
        ({"frequency": "BIWEEKLY", "daysOfWeek": [1]}, 0, 13),
        ({"frequency": "BIWEEKLY", "daysOfWeek": [1]}, 13, 27),
    ],
)
def test_times_follow_the_frequency(config: JsonObject, after_days: float, next_days: int | None) -> None:
    api = load_api()
    kind = api.message("google.cloud.ces.v1beta.ScheduledEvaluationRun.SchedulingConfig")
    message = api.codec.from_json({**config, "startTime": after()}, kind())
    start_us = int(NOW.timestamp()) * 1_000_000
    wanted = None if next_days is None else start_us + next_days * DAY_S * 1_000_000
    assert next_time_us(message, start_us + int(after_days * DAY_S) * 1_000_000) == wanted
