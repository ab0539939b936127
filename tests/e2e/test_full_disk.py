"""A disk that is full in the middle of a turn: the client is told, and tries again when there is room."""

import resource
from pathlib import Path

import pytest

from tests.e2e.kit.payments import Till, check, open_shop, script
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import Server, killed
from tests.kit.background import Background
from tests.kit.http_peer import Received, http_peer

PLAN = "one by one 2"


class FillingTill(Till):
    """A till during whose first payment the disk becomes full for the server."""

    def __init__(self) -> None:
        super().__init__()
        self.server: list[Server] = []

    async def pay(self, received: Received) -> bytes:
        """Take one."""
        for server in self.server:
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        self.server.clear()
        return await super().pay(received)


@pytest.mark.proves("X4")
def test_a_turn_goes_on_when_there_is_room_again(tmp_path: Path, background: Background) -> None:
    till = FillingTill()
    (tmp_path / "script.yaml").write_text(script())
    flags = ["--model", f"scripted:{tmp_path / 'script.yaml'}"]
    with (
        background.entered(http_peer(till.pay)) as peer,
        killed(tmp_path, *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server,
    ):
        rest = Rest(server.http)
        session = f"{open_shop(rest, peer.url)}/sessions/o"
        words_of_order = {"text": {"text": f"{PLAN} for o"}}
        till.server.append(server)
        refused = rest.detect(session, words_of_order)
        assert (refused.status, refused.error[1]) == (503, "UNAVAILABLE"), refused.body
        assert rest.detect(session, {"text": {"text": "anybody there?"}}).error[1] == "UNAVAILABLE"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        answer = rest.detect(session, words_of_order)
        assert check(PLAN, "o", words(answer.json["queryResult"]), till) == "c1"
        assert till.taken == {("o", "c1"): 1, ("o", "c2"): 1}
