"""Whether a known caller may call an RPC now, and which role each RPC needs."""

import gc
import weakref

import pytest

from openplaybook.server.access.gate import TURNS, Gate, needed_role, roles_by_name, share_of
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.access.rate_limits import Rate, RateLimiter
from openplaybook.wire.api import load_api, unversioned
from openplaybook.wire.errors import Code, RpcError

TURN = "google.cloud.dialogflow.cx.v3.Sessions.DetectIntent"
LIST = "google.cloud.dialogflow.cx.v3.Agents.ListAgents"
SHOP, OPS = Principal("shop", Role.RUNTIME), Principal("ops", Role.ADMIN)


def limiter(count: int) -> RateLimiter:
    return RateLimiter(Rate(count, 60, f"{count}/min"), lambda: 0.0)


def refusal(gate: Gate, method: str, principal: Principal | None, client: str = "") -> RpcError:
    with pytest.raises(RpcError) as refused:
        gate.admit(method, principal, client)
    return refused.value


def test_a_role_that_is_too_low_is_told_which_one_it_takes() -> None:
    error = refusal(Gate(), LIST, SHOP)
    assert error.code is Code.PERMISSION_DENIED
    assert error.message == f"{LIST} requires the role editor; this caller has the role runtime."
    assert dict(error.headers) == {"WWW-Authenticate": 'Bearer error="insufficient_scope"'}


def test_whom_nothing_was_asked_may_do_everything() -> None:
    Gate().admit(LIST, None, "127.0.0.1")


def test_a_share_is_a_principals_wherever_it_calls_from() -> None:
    gate = Gate(limiter(2))
    gate.admit(TURN, SHOP, "10.0.0.1")
    gate.admit(TURN, SHOP, "10.0.0.2")
    gate.admit(TURN, OPS, "10.0.0.1")
    error = refusal(gate, TURN, SHOP, "10.0.0.3")
    assert error.code is Code.RESOURCE_EXHAUSTED
    assert error.message == "More requests than this server allows one caller (2/min); try again in 30 s."
    assert dict(error.headers) == {"Retry-After": "30"}
    assert error.to_json()["error"]["details"] == [
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}
    ]


def test_equal_names_of_two_kinds_are_two_callers() -> None:
    gate = Gate(limiter(1))
    kinds = (PrincipalKind.KEY, PrincipalKind.UNNAMED_KEY, PrincipalKind.TOKEN)
    for kind in kinds:
        gate.admit(LIST, Principal("10.0.0.1", Role.ADMIN, kind), "")
    gate.admit(LIST, None, "10.0.0.1")
    for kind in kinds:
        assert refusal(gate, LIST, Principal("10.0.0.1", Role.ADMIN, kind), "").code is Code.RESOURCE_EXHAUSTED


def test_no_name_is_spelled_like_another_kind_of_caller() -> None:
    gate = Gate(limiter(1))
    gate.admit(LIST, None, "client 10.0.0.1")
    for name in ("client 10.0.0.1", "address", "10.0.0.1"):
        caller = Principal(name, Role.ADMIN, PrincipalKind.TOKEN)
        gate.admit(LIST, caller, "")
        assert refusal(gate, LIST, caller).code is Code.RESOURCE_EXHAUSTED


def test_without_principals_a_share_is_an_addresss() -> None:
    gate = Gate(limiter(1))
    gate.admit(LIST, None, "10.0.0.1")
    gate.admit(LIST, None, "10.0.0.2")
    assert refusal(gate, LIST, None, "10.0.0.1").code is Code.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    ("client", "share"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("", ""),
    ],
)
def test_addresses_that_one_host_can_change_at_will_share(client: str, share: str) -> None:
    assert share_of(client) == share


def test_turns_may_have_a_smaller_share() -> None:
    gate = Gate(turns=limiter(1))
    gate.admit(TURN, OPS, "")
    gate.admit(LIST, OPS, "")
    assert refusal(gate, TURN, OPS).code is Code.RESOURCE_EXHAUSTED


def test_who_may_not_call_uses_nothing_up() -> None:
    gate = Gate(limiter(1))
    assert refusal(gate, LIST, SHOP).code is Code.PERMISSION_DENIED
    gate.admit(TURN, SHOP, "")
    assert refusal(gate, TURN, SHOP).code is Code.RESOURCE_EXHAUSTED


def test_commands_on_the_servers_machine_are_not_limited() -> None:
    gate, local = Gate(limiter(1)), Principal("local", Role.ADMIN, is_limited=False)
    for _ in range(5):
        gate.admit(LIST, local, "")
    gate.admit(LIST, OPS, "")
    assert refusal(gate, LIST, OPS).code is Code.RESOURCE_EXHAUSTED


METHODS = sorted(load_api().methods)
NAMES = {unversioned(name) for name in METHODS}
OPEN_TO_ALL = {name for name in NAMES if name.startswith("grpc.health.")}
TABLE = roles_by_name()


def test_every_rpc_stands_in_the_table_and_everything_in_it_is_an_rpc() -> None:
    services = {f"{name.rpartition('.')[0]}.*" for name in NAMES}
    assert {
        name for name in NAMES - OPEN_TO_ALL if name not in TABLE and f"{name.rpartition('.')[0]}.*" not in TABLE
    } == set()
    assert set(TABLE) - NAMES - services == set()


def test_every_rpc_of_ours_is_named_on_its_own() -> None:
    assert {name for name in NAMES if name.startswith("openplaybook.")} == {
        name for name in TABLE if name.startswith("openplaybook.")
    }


def test_turns_are_rpcs() -> None:
    assert NAMES >= TURNS


@pytest.mark.parametrize(
    ("method", "role"),
    [
        ("google.cloud.dialogflow.cx.v3.Sessions.DetectIntent", Role.RUNTIME),
        ("google.cloud.dialogflow.cx.v3beta1.Sessions.StreamingDetectIntent", Role.RUNTIME),
        ("google.cloud.dialogflow.cx.v3.Agents.DeleteAgent", Role.EDITOR),
        ("google.cloud.dialogflow.cx.v3beta1.ConversationHistory.ListConversations", Role.EDITOR),
        ("google.cloud.dialogflow.cx.v3beta1.ConversationHistory.DeleteConversation", Role.ADMIN),
        ("google.longrunning.Operations.GetOperation", Role.EDITOR),
        ("openplaybook.v1.OpenPlaybook.ExecuteTool", Role.EDITOR),
        ("openplaybook.v1.OpenPlaybook.AddSecretVersion", Role.ADMIN),
        ("somebody.v7.Else.Knows", Role.ADMIN),
        ("no name at all", Role.ADMIN),
    ],
)
def test_an_rpc_needs_its_role_in_every_version(method: str, role: Role) -> None:
    assert needed_role(method) is role


def test_a_role_includes_those_beneath_it() -> None:
    assert [[has.may(needed) for needed in Role] for has in Role] == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
    ]


class Name(str):
    """A text that can be watched."""


def test_names_that_callers_make_up_are_not_kept() -> None:
    name = Name("made.v1.Up/" + "x" * 1000)
    left = weakref.ref(name)
    assert needed_role(name) is Role.ADMIN
    assert unversioned(name) not in TURNS
    del name
    gc.collect()
    assert left() is None
