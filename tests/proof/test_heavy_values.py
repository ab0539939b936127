"""Every heavy value at every door, while the server's health is asked for."""

from pathlib import Path

import pytest

from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.heavy_doors import SCRIPT, answers, unexpected
from tests.kit.heavy_values import HEAVY
from tests.kit.hostile.attempts import LONGEST_HEALTH_S, MOST_MB, peak_mb, watched
from tests.kit.http_peer import answer, http_peer


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_no_heavy_value_keeps_others_waiting(tmp_path: Path, background: Background) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    flags = ("--model", f"scripted:{tmp_path / 'script.yaml'}")
    harm: list[str] = []
    with (
        background.entered(http_peer(lambda _: answer())) as peer,
        running(tmp_path / "s", *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server,
    ):
        for heavy in HEAVY:
            with watched(server) as waits:
                found = answers(heavy, Rest(server.http), peer.url)
            told = {door: each.status for door, each in found.items()}
            print(f"{heavy.name}: {told}, the health check waited {max(waits):.3f} s")
            harm += [f"{heavy.name}: {each}" for each in unexpected(found)]
            harm += [f"{heavy.name}: the health check waited"] if max(waits) > LONGEST_HEALTH_S else []
        harm += ["the server grew"] if peak_mb(server.process.pid) > MOST_MB else []
    assert harm == []
