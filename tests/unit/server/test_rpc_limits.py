"""The table of what each RPC may cost."""

from openplaybook.server.access.gate import TURNS
from openplaybook.server.rpc_limits import group_of, limit_groups, limits_up_to
from openplaybook.services.tool_execution import DEFAULT_TIMEOUT_S as TOOL_TIMEOUT_S
from openplaybook.services.turn_requests import DEFAULT_TIMEOUT_S, MAX_FILES_BYTES, MAX_REQUEST_BYTES, MAX_TIMEOUT_S
from openplaybook.wire.api import load_api, unversioned
from openplaybook.wire.context import RpcLimit

MIB = 1024 * 1024
DIALOGFLOW = "google.cloud.dialogflow.cx.v3"


def limit(name: str, ceiling: int = 96 * MIB) -> RpcLimit:
    return limits_up_to(ceiling)(load_api().methods[name])


def test_every_rpc_has_limits_and_every_name_in_the_table_is_an_rpc() -> None:
    used = {group_of(name).name for name in load_api().methods}
    assert used == {group.name for group in limit_groups()}
    known = {unversioned(name) for name in load_api().methods}
    named = {rpc for group in limit_groups() for rpc in group.rpcs if "*" not in rpc}
    assert named <= known


def test_both_versions_of_an_rpc_have_the_same_limits() -> None:
    for name in load_api().methods:
        if name.startswith(f"{DIALOGFLOW}."):
            assert limit(name) == limit(name.replace(".v3.", ".v3beta1."))


def test_a_turn_has_the_time_that_turns_have_and_room_for_its_files() -> None:
    turn = limit(f"{DIALOGFLOW}.Sessions.DetectIntent")
    assert (turn.seconds, turn.longest, turn.is_cancelled) == (DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S, False)
    assert turn.body is not None
    assert MAX_REQUEST_BYTES + MAX_FILES_BYTES * 4 // 3 <= turn.body == 46 * MIB


def test_every_rpc_that_takes_a_turn_is_left_to_its_own_rules() -> None:
    turns = [name for name in load_api().methods if unversioned(name) in TURNS]
    assert {group_of(name).name for name in turns} == {"turns", "conversations"}
    assert not any(limit(name).is_cancelled for name in turns)


def test_a_tool_that_is_taken_has_the_time_that_the_handler_gives_it() -> None:
    assert limit("openplaybook.v1.OpenPlaybook.ExecuteTool").seconds == TOOL_TIMEOUT_S


def test_saving_and_importing_have_half_a_minute() -> None:
    names = ["Tools.CreateTool", "Agents.RestoreAgent", "Playbooks.UpdatePlaybook", "Agents.ListAgents"]
    found = [limit(f"{DIALOGFLOW}.{name}") for name in names]
    assert [each.body for each in found] == [72 * MIB, 96 * MIB, 8 * MIB, MIB]
    assert {(each.seconds, each.longest, each.is_cancelled) for each in found} == {(30, None, True)}


def test_the_setting_is_the_ceiling_of_all() -> None:
    assert limit(f"{DIALOGFLOW}.Agents.ListAgents", ceiling=2048).body == 2048


def test_a_caller_can_shorten_its_time_and_stretch_it_where_the_table_says_so() -> None:
    save = limit(f"{DIALOGFLOW}.Tools.CreateTool")
    assert [save.allowed_s(asked) for asked in (None, 2.0, 100.0)] == [30, 2.0, 30]
    turn = limit(f"{DIALOGFLOW}.Sessions.DetectIntent")
    assert [turn.allowed_s(asked) for asked in (None, 2.0, 300.0, 9999.0)] == [120, 2.0, 300.0, 3600]
