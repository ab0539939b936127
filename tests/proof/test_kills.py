"""A process that dies at any moment of a turn loses nothing and repeats no completed call."""

import random
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.kit.payments import PLANS, Talk, Till, check, open_shop, script
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, killed
from tests.kit.background import Background
from tests.kit.http_peer import http_peer

KILLS = 1_000
STREETS = 4
"""Servers side by side, each on data of its own; each is killed and followed by the next again and again."""
LONGEST_LIFE_S = 0.8
"""A first turn after a start compiles the agent and takes a fifth of that, one of five calls in a row less."""
SEED = 20261121


class Street:
    """Servers that follow each other on one database, and the conversations that outlive them."""

    def __init__(self, folder: Path, number: int, peer_url: str, till: Till) -> None:
        self._chance = random.Random(SEED + number)
        self._number = number
        self._till = till
        self._start = partial(
            killed,
            folder / f"street-{number}",
            "--model",
            f"scripted:{folder / 'script.yaml'}",
            OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8",
        )
        with self._start() as server:
            self._agent = open_shop(Rest(server.http), peer_url)
        self._orders = 0
        self._talk: Talk | None = None
        self.outcomes: Counter[str] = Counter()

    def live(self, kills: int) -> Counter[str]:
        """Talk while servers are killed, and end what is open with one that is not."""
        for _ in range(kills):
            with self._start() as server:
                killer = threading.Timer(self._chance.uniform(0, LONGEST_LIFE_S), server.process.kill)
                killer.start()
                while self._ends(server):
                    self._talk = None
                killer.join()
        with self._start() as server:
            assert self._ends(server)
        return self.outcomes

    def _ends(self, server: Server) -> bool:
        """Whether the open conversation, or a new one, comes to its end before the server does."""
        talk = self._talk = self._talk or self._new_talk()
        said = talk.go_on(server.http)
        if said is None:
            self.outcomes["cut short"] += 1
            return False
        doubtful = check(talk.plan, talk.order, said, self._till)
        self.outcomes["with a call in doubt" if doubtful else "ended"] += 1
        return True

    def _new_talk(self) -> Talk:
        self._orders += 1
        order = f"{self._number}-{self._orders}"
        return Talk(self._agent, self._chance.choice(list(PLANS)), order, keyed=self._chance.random() < 0.5)


def together(outcomes: Sequence[Counter[str]]) -> dict[str, int]:
    return dict(sum(outcomes, Counter()))


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_no_kill_loses_a_turn_or_doubles_a_call(tmp_path: Path, background: Background) -> None:
    (tmp_path / "script.yaml").write_text(script())
    till = Till()
    with background.entered(http_peer(till.pay)) as peer, ThreadPoolExecutor(STREETS) as threads:
        streets = [Street(tmp_path, number, peer.url, till) for number in range(STREETS)]
        lives = [threads.submit(street.live, KILLS // STREETS) for street in streets]
        outcomes = together([life.result() for life in lives])
    # Every conversation came to its end, as each thread checks; over all of them no call was made twice.
    assert set(till.taken.values()) == {1}, till.taken.most_common(3)
    print(f"\n{KILLS} kills, conversations: {outcomes}; {len(till.taken)} calls, none doubled, none lost")
