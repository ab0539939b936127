"""PostgreSQL's failures in words."""

import pytest
from psycopg import Error, InterfaceError, OperationalError, errors

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.sqlstates import NotConnected, may_pass, sent_nothing, translate

PLACE = "postgresql://db/chats"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (errors.DiskFull("could not extend file"), "its disk is full; free some space there (PostgreSQL: could not"),
        (errors.InvalidPassword("no"), "the user or password is refused; check the URL, PGPASSWORD or ~/.pgpass, and"),
        (errors.InvalidAuthorizationSpecification("no"), "the user or password is refused; check the URL, PGPASSWORD"),
        (errors.ReadOnlySqlTransaction("no"), "it accepts no writes; connect to the primary server (PostgreSQL: no)"),
        (errors.TooManyConnections("no"), "it accepts no more connections; raise max_connections or lower --database"),
        (errors.IndexCorrupted("bad page"), "its data are damaged; see its log, and restore a backup (PostgreSQL: bad"),
        (errors.QueryCanceled("late"), "it cancelled the statement; see statement_timeout (PostgreSQL: late)"),
        (errors.AdminShutdown("bye"), "the connection was lost (bye)"),
        (
            errors.DeadlockDetected("tie"),
            "transactions kept conflicting; try again (PostgreSQL",
        ),
        (
            OperationalError("server closed\nthe connection"),
            "cannot be reached; is it running there? (server closed the",
        ),
        (OperationalError("FATAL: too many clients"), "it accepts no more connections; raise max_connections or lower"),
        (NotConnected("no connection"), "cannot be reached; is it running there? (no connection)"),
    ],
)
def test_what_the_machine_did_is_said_with_what_to_do(error: Error, said: str) -> None:
    told = translate(error, PLACE)
    assert isinstance(told, StoreUnusable)
    assert str(told).startswith(f"{PLACE}: {said}")


@pytest.mark.parametrize("error", [errors.SyntaxError("SELEC"), errors.UniqueViolation("twice"), Error("what")])
def test_a_fault_of_ours_stays_what_it_is(error: Error) -> None:
    assert translate(error, PLACE) is error
    assert not may_pass(error)


@pytest.mark.parametrize(
    ("error", "nothing"),
    [
        (errors.AdminShutdown(), False),
        (errors.CannotConnectNow(), False),
        (errors.ConnectionFailure(), False),
        (errors.ReadOnlySqlTransaction(), False),
        (OperationalError("the connection is lost"), False),
        (InterfaceError("the connection is closed"), False),
        (errors.SerializationFailure(), True),
        (errors.DeadlockDetected(), True),
        (NotConnected(), True),
    ],
)
def test_what_may_pass_is_tried_again_and_it_is_known_whether_anything_was_done(error: Error, nothing: bool) -> None:
    assert may_pass(error)
    assert sent_nothing(error) is nothing
