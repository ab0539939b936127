"""A document that means harm does none: nothing gets through, nothing hangs, memory stays bounded."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.hostile import HOSTILE
from tests.kit.hostile.attempts import SCRIPT, Prey, harm
from tests.kit.hostile.documents import Hostile
from tests.kit.http_peer import HttpPeer, answer, http_peer


class Den:
    """Keeps a server for many attempts, and takes a new one when an attempt did harm: its memory does not shrink."""

    def __init__(self, folder: Path, peer: HttpPeer) -> None:
        self._folder, self._peer = folder, peer
        self._stack = ExitStack()
        self._prey: Prey | None = None

    def attempt(self, hostile: Hostile) -> list[str]:
        """The harm done."""
        prey = self._prey = self._prey or self._new()
        done = harm(hostile, prey)
        if done:
            self.close()
        return done

    def close(self) -> None:
        """Stop the server."""
        self._stack.close()
        self._prey = None

    def _new(self) -> Prey:
        script, secret = self._folder / "script.yaml", self._folder / "secret.yaml"
        script.write_text(SCRIPT)
        secret.write_text("password-of-the-operator")
        flags = ("--model", f"scripted:{script}")
        server = self._stack.enter_context(running(self._folder / "s", *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8"))
        return Prey(server, self._peer, secret)


@pytest.fixture(scope="module")
def den(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Den]:
    with background.entered(http_peer(lambda _: answer())) as peer:
        kept = Den(tmp_path_factory.mktemp("den"), peer)
        yield kept
        kept.close()


@pytest.mark.proves("O11", "A11")
@pytest.mark.parametrize("hostile", [each for each in HOSTILE if not each.is_large], ids=lambda hostile: hostile.name)
def test_a_hostile_document_does_no_harm(hostile: Hostile, den: Den) -> None:
    assert den.attempt(hostile) == []
