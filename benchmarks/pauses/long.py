"""One conversation of many turns: what its last turns cost beside its first ones, the prompt left out."""

from pathlib import Path

from benchmarks.processes import Process
from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from benchmarks.turns.ours import Ours

TURNS = 500
WINDOW = 50


_SCRIPT = "rules:\n  - reply: {text: 'Hello.'}\n"


class Scripted(Ours):
    """Ours with a model that writes no prompt."""

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        script = folder / "script.yaml"
        script.write_text(_SCRIPT)
        started = super().start(port, peers, folder)
        model = [f"scripted:{script}" if each == "openai:fake" else each for each in started.arguments]
        return Start(model, started.environment)


async def early_and_late_ms(system: Ours, server: Process, port: int) -> tuple[float, float]:
    """CPU of a turn, in ms: mean of the turns after a warm-up of one window, and of the last window."""
    connection = await Connection.open(port)
    session = await system.session(connection)
    costs: list[float] = []
    for _ in range(TURNS // WINDOW):
        before = server.cpu_s()
        for _ in range(WINDOW):
            await connection.must("POST", *system.turn(session, "Hello there."))
        costs.append((server.cpu_s() - before) / WINDOW * 1000)
    connection.close()
    return costs[1], costs[-1]
