"""Whether a known caller may call an RPC now."""

import pytest

from openplaybook.server.access.gate import Gate, share_of
from openplaybook.server.access.principals import Kind, Principal, Role
from openplaybook.server.access.rates import Rate, RateLimiter
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
    kinds = (Kind.KEY, Kind.UNNAMED_KEY, Kind.TOKEN)
    for kind in kinds:
        gate.admit(LIST, Principal("10.0.0.1", Role.ADMIN, kind), "")
    gate.admit(LIST, None, "10.0.0.1")
    for kind in kinds:
        assert refusal(gate, LIST, Principal("10.0.0.1", Role.ADMIN, kind), "").code is Code.RESOURCE_EXHAUSTED


def test_no_name_is_spelled_like_another_kind_of_caller() -> None:
    gate = Gate(limiter(1))
    gate.admit(LIST, None, "client 10.0.0.1")
    for name in ("client 10.0.0.1", "address", "10.0.0.1"):
        gate.admit(LIST, Principal(name, Role.ADMIN, Kind.TOKEN), "")


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
    refusal(gate, LIST, SHOP)
    gate.admit(TURN, SHOP, "")


def test_commands_on_the_servers_machine_are_not_limited() -> None:
    gate, local = Gate(limiter(1)), Principal("local", Role.ADMIN, is_limited=False)
    for _ in range(5):
        gate.admit(LIST, local, "")
