"""What is played when, and what it did to the ordinary turns."""

import random
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.environments import ROOT
from benchmarks.figures import quantile
from benchmarks.hostile.judgement import Violation, violations
from benchmarks.hostile.playing import Attacker, Player
from benchmarks.hostile.prey import Told
from benchmarks.hostile.target import Target
from benchmarks.processes import Process
from benchmarks.turns.peers import free_port
from openplaybook.jsonvalues import JsonObject, JsonValue

_SETTLED_S = 0.1
"""A pause after a case, in which what it left behind shows."""
_ATTACKERS, _AT_ONCE = 3, 1
_RENEWED_AFTER = 40
"""Cases after which a new agent and a new app are attacked: what cases save stays where it is, and adds up."""
_LAST = "yaml-eight-at-once"
"""What is under way when the server is told to stop, beside all the rest."""
_LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Turn:
    """An ordinary request."""

    due: float
    seconds: float
    door: str
    """`rest` and `grpc` are turns; `save` is a tool that is saved."""
    fault: str


@dataclass(frozen=True, slots=True)
class Played:
    """One case."""

    name: str
    begun: float
    ended: float
    told: Sequence[Told]
    fault: str
    """Why it did not come to its end."""

    @property
    def statuses(self) -> str:
        """Each status that it was answered, with how often."""
        counts: dict[str, int] = {}
        for each in self.told:
            counts[each.status] = counts.get(each.status, 0) + 1
        return " ".join(f"{status}×{count}" if count > 1 else status for status, count in counts.items())


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case did while it was played alone."""

    slowest_s: float
    """Of its own answers."""
    gap_s: float
    """Longest time without an answer to the health check."""
    memory_mb: float
    cpu_s: float
    """Of the server and its children."""
    turns_s: Sequence[float]
    wrong: Sequence[str]


@dataclass(frozen=True, slots=True)
class Window:
    """The ordinary turns of a time, and how the server was meanwhile."""

    turns: Sequence[Turn]
    gap_ms: float
    memory_mb: float
    threads: int
    descriptors: int

    @property
    def wrong(self) -> Sequence[str]:
        """What turns were told in place of their answer."""
        return [turn.fault for turn in self.turns if turn.fault]

    def p50_ms(self) -> float:
        """Middle of the latencies."""
        return self._quantile_ms(0.5)

    def p99_ms(self) -> float:
        """What all but a hundredth of the turns stayed under."""
        return self._quantile_ms(0.99)

    def longest_ms(self) -> float:
        """The longest latency."""
        return self._quantile_ms(1.0)

    def words(self) -> str:
        """As a sentence."""
        wrong = f", {len(self.wrong)} WRONG, such as {self.wrong[0][:150]}" if self.wrong else ""
        return (
            f"{len(self.turns)} turns, p50 {self.p50_ms():.1f} ms, p99 {self.p99_ms():.1f} ms, longest "
            f"{self.longest_ms():.0f} ms{wrong}; health waited {self.gap_ms:.0f} ms; {self.memory_mb:.0f} MB, "
            f"{self.threads} threads, {self.descriptors} descriptors at most"
        )

    def _quantile_ms(self, share: float) -> float:
        return quantile([turn.seconds for turn in self.turns], share) * 1000 if self.turns else float("inf")


@dataclass
class Scene:
    """A server, the ordinary turns, the pulse, and what they told so far."""

    target: Target
    service: str
    turns: list[Turn] = field(default_factory=list[Turn])
    gaps: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    violations: list[Violation] = field(default_factory=list[Violation])
    costs: dict[str, Cost] = field(default_factory=dict[str, Cost])
    """Of the cases that were played alone."""
    names: set[str] = field(default_factory=set[str])
    """Of all cases that were played."""
    answers: int = 0
    """That the cases got."""

    def heard_turn(self, line: JsonValue) -> None:
        """A line of the ordinary process."""
        self.turns.append(Turn(*line))

    def heard_gap(self, line: JsonValue) -> None:
        """A line of the pulse."""
        self.gaps.append((line[0], line[1]))

    def settle(self) -> None:
        """Return when the ordinary turns have come to be held; `RuntimeError` when they do not."""
        until = time.monotonic() + 60
        while len(self.turns) < 40:
            if time.monotonic() > until:
                raise RuntimeError("no ordinary turns are held")
            time.sleep(0.1)

    def window(self, during: Callable[[], object]) -> Window:
        """What was while something went on; turns that were due are waited for."""
        since = time.monotonic()
        during()
        until = time.monotonic()
        time.sleep(1.0)
        turns = [turn for turn in self.turns if since <= turn.due <= until and turn.door != "save"]
        samples = [each for each in self.target.samples if since <= each.at <= until]
        return Window(
            turns,
            self.longest_gap(since, until) * 1000,
            max(self.target.peak_mb(since, until), 0.1),
            max((each.threads for each in samples), default=0),
            max((each.descriptors for each in samples), default=0),
        )

    def longest_gap(self, since: float, until: float) -> float:
        """Seconds of the longest time without an answer to the health check that lay at least partly in a time."""
        return max((gap for at, gap in self.gaps if since <= at and at - gap <= until), default=0.0)

    def cost(self, played: Played, cpu_s: float) -> Cost:
        """What a case did until now, played alone."""
        until = time.monotonic()
        turns = [turn for turn in self.turns if played.begun <= turn.due <= until and turn.door != "save"]
        slowest = max((each.seconds for each in played.told), default=0.0)
        gap, memory = self.longest_gap(played.begun, until), self.target.peak_mb(played.begun, until)
        wrong = [turn.fault for turn in turns if turn.fault]
        return Cost(slowest, gap, memory, cpu_s, [turn.seconds for turn in turns], wrong)

    def attacker(self) -> Attacker:
        """A new attacker."""
        return Attacker(str(self.target.http), str(self.target.grpc), self.service)

    def played(self, line: JsonObject) -> Played:
        """What came of a case, judged."""
        told = [Told(*each) for each in line["told"]]
        self.violations += violations(line["case"], told)
        self.answers += len(told)
        self.names.add(line["case"])
        return Played(line["case"], line["begun"], line["ended"], told, line["fault"])


@contextmanager
def scene(per_s: float) -> Generator[Scene]:
    """A running server and everything around it but the attackers; `per_s`: ordinary turns a second."""
    with TemporaryDirectory(prefix="hostile-") as name, ExitStack() as stack:
        folder = Path(name)
        pets = _peer(stack, folder, "benchmarks.turns.pets_peer")
        service = _peer(stack, folder, "benchmarks.hostile.service")
        target = Target(folder)
        stack.callback(target.close)
        built = Scene(target, service)
        ordinary = Player("ordinary", str(target.http), str(target.grpc), pets, str(per_s), heard=built.heard_turn)
        stack.callback(ordinary.close)
        pulse = Player("pulse", str(target.http), heard=built.heard_gap)
        stack.callback(pulse.close)
        yield built


def _peer(stack: ExitStack, folder: Path, module: str) -> str:
    port = free_port()
    command = [sys.executable, "-m", module, str(port)]
    process = Process(command, folder / f"{module}.log", {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}, None)
    stack.callback(process.stop)
    process.wait_ready(port, "/stats")
    return f"http://127.0.0.1:{port}"


def alone(place: Scene, names: Sequence[str], tell: Callable[[Scene, Played], None], budget_s: float) -> Sequence[str]:
    """Play cases one after the other and tell of each; those that are left when the server dies, does not
    answer at all any more, or time is up."""
    attacker = place.attacker()
    until = time.monotonic() + budget_s
    index = 0
    try:
        for index, name in enumerate(names):
            if not place.target.is_alive or time.monotonic() > until:
                return names[index:]
            if index and index % _RENEWED_AFTER == 0:
                attacker.close()
                attacker = place.attacker()
            cpu = place.target.process.cpu_s()
            attacker.begin([name])
            lines = attacker.played(_LIMIT_S)
            time.sleep(_SETTLED_S)
            for line in lines:
                played = place.played(line)
                place.costs[name] = place.cost(played, place.target.process.cpu_s() - cpu)
                tell(place, played)
            if place.target.is_alive and not place.target.is_answering():
                place.violations.append(Violation(name, "the server does not answer any more"))
                return names[index + 1 :]
            if not lines:
                place.violations.append(Violation(name, "the attacker did not come to an end"))
                return names[index + 1 :]
    except RuntimeError as error:  # the attacker could not make what it attacks
        place.violations.append(Violation(names[index], str(error)))
        return names[index + 1 :]
    finally:
        attacker.close()
    return []


def mixed(place: Scene, names: Sequence[str], seconds: float) -> None:
    """Play all cases mixed, several at once, for so long; returns while some still go on."""
    shuffled = random.Random(7).sample(names, len(names))
    attackers = [place.attacker() for _ in range(_ATTACKERS + 1)]
    try:
        for number, attacker in enumerate(attackers[:-1]):
            attacker.begin(shuffled[number::_ATTACKERS], at_once=_AT_ONCE, seconds=seconds)
        time.sleep(seconds)
        attackers[-1].begin([_LAST])
        hearing = [threading.Thread(target=_hear, args=(place, attacker)) for attacker in attackers[:-1]]
        for thread in hearing:
            thread.start()
        for thread in hearing:
            thread.join()
    finally:
        for attacker in attackers:
            attacker.close()


def _hear(place: Scene, attacker: Attacker) -> None:
    for line in attacker.played(10):
        place.played(line)
