"""When the event loop is held to be saturated."""

from openplaybook.storage.saturation import HOLD_S, Saturation


class Clocks:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.wall = 0.0
        self.cpu = 0.0
        self.saturation = Saturation(lambda: self.wall, lambda: self.cpu)

    def after(self, wall: float, cpu: float) -> bool:
        """Whether it is saturated once so much has passed."""
        self.wall += wall
        self.cpu += cpu
        return self.saturation.is_saturated()


def test_a_loop_without_rest_is_saturated_until_it_rests() -> None:
    clocks = Clocks()
    assert not clocks.saturation.is_saturated()
    assert clocks.after(1, 0.9)
    clocks.saturation.committed(9)
    assert clocks.saturation.hold_s() == HOLD_S
    assert not clocks.after(1, 0.5)
    assert clocks.saturation.hold_s() == 0


def test_a_moment_says_nothing_of_the_load() -> None:
    clocks = Clocks()
    assert not clocks.after(0.005, 0.005)
    assert not clocks.after(1, 0.1)
    assert not clocks.after(0.005, 0.005)


def test_what_a_loop_did_before_a_long_rest_is_forgotten() -> None:
    clocks = Clocks()
    assert clocks.after(1, 1)
    assert not clocks.after(3600, 0.001)


def test_who_writes_alone_never_waits_for_others() -> None:
    clocks = Clocks()
    clocks.saturation.committed(9)
    for _ in range(100):
        clocks.saturation.committed(1)
    assert clocks.after(1, 1)
    assert clocks.saturation.hold_s() == 0
