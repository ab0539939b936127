"""Documents of up to 60 MB that mean harm do none either; the smaller ones are in the suite."""

from pathlib import Path

import pytest

from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.hostile import HOSTILE
from tests.kit.hostile.attempts import SCRIPT, Prey, harm
from tests.kit.hostile.documents import Hostile
from tests.kit.http_peer import answer, http_peer

LARGE = [each for each in HOSTILE if each.is_large]
MOST_BODY = str(100 * 1024 * 1024)


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("hostile", LARGE, ids=lambda hostile: hostile.name)
def test_a_large_hostile_document_does_no_harm(hostile: Hostile, tmp_path: Path, background: Background) -> None:
    script, secret = tmp_path / "script.yaml", tmp_path / "secret.yaml"
    script.write_text(SCRIPT)
    secret.write_text("password-of-the-operator")
    settings = {"OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8", "OPENPLAYBOOK_MAX_BODY_BYTES": MOST_BODY}
    with (
        background.entered(http_peer(lambda _: answer())) as peer,
        running(tmp_path / "s", "--model", f"scripted:{script}", **settings) as server,
    ):
        assert harm(hostile, Prey(server, peer, secret)) == []
