"""Values that would take minutes to be judged, at every door: each is answered or refused, and the server lives."""

from collections.abc import Iterator

import pytest

from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background
from tests.kit.heavy_doors import SCRIPT, answers, unexpected
from tests.kit.heavy_values import FITTING, HEAVY, Heavy
from tests.kit.http_peer import HttpPeer, answer, http_peer

TAKEN = (
    "the same over a long text",
    "a pattern that is a condition",
    "300 constants for each item",
    "definitions that are each other, by oneOf",
    "a list 900 levels deep",
)


@pytest.fixture(scope="module")
def peer(background: Background) -> Iterator[HttpPeer]:
    with background.entered(http_peer(lambda _: answer())) as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("heavy")
    (folder / "script.yaml").write_text(SCRIPT)
    flags = ("--model", f"scripted:{folder / 'script.yaml'}")
    with running(folder / "s", *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as found:
        yield found


@pytest.mark.proves("X8")
@pytest.mark.parametrize("name", TAKEN)
def test_a_heavy_value_does_no_harm(name: str, server: Server, peer: HttpPeer) -> None:
    heavy: Heavy = next(each for each in HEAVY if each.name == name)
    rest = Rest(server.http)
    peer.requests.clear()
    found = answers(heavy, rest, peer.url)
    assert unexpected(found) == []
    assert (rest.send("GET", "/healthz").status, server.process.poll()) == (200, None)
    assert len(peer.requests) == (name in FITTING)
