"""The same words, said again on purpose right behind an answer and a kill, without a key."""

import itertools
import random
import threading
from pathlib import Path

import pytest

from tests.e2e.kit.payments import Till, open_shop, script
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import killed
from tests.kit.background import Background
from tests.kit.http_peer import http_peer

TRIES = 50
LONGEST_S = 0.05
"""Between an answer and the kill."""
SEED = 20261122
WORDS = {"text": {"text": "thanks"}}


@pytest.mark.proof
@pytest.mark.timeout(1200)
def test_words_that_are_said_again_behind_a_kill_are_nearly_always_new_words(
    tmp_path: Path, background: Background
) -> None:
    (tmp_path / "script.yaml").write_text(script())
    flags = ["--model", f"scripted:{tmp_path / 'script.yaml'}"]
    chance = random.Random(SEED)
    said: list[str] = []
    session = ""
    with background.entered(http_peer(Till().pay)) as peer:
        for _ in range(TRIES + 1):
            # A server of its own for each, killed right behind the whole answer.
            with killed(tmp_path, *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
                rest = Rest(server.http)
                session = session or f"{open_shop(rest, peer.url)}/sessions/said"
                said.append(rest.detect(session, WORDS).json["responseId"])
                killer = threading.Timer(chance.uniform(0, LONGEST_S), server.process.kill)
                killer.start()
                killer.join()
    swallowed = sum(before == after for before, after in itertools.pairwise(said))
    print(f"\n{TRIES} kills right behind an answer: {swallowed} of {TRIES} answers were given again for new words")
    # What is left is the time between the kernel's taking the bytes and the note; a busy machine makes it longer.
    assert swallowed <= TRIES // 10
