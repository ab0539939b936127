"""The filter, run by a small machine for classic BPF: what it answers, on both architectures that have a table."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.sandbox.inside import seccomp
from openplaybook.sandbox.inside.seccomp import AARCH64, X86_64

KILL, ALLOW, ENOSYS, EPERM, EACCES, ENOTTY = 0x80000000, 0x7FFF0000, 0x50026, 0x50001, 0x5000D, 0x50019
MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
THREAD = 0x3D0F00
"""Flags of pthread_create."""


def judged(machine: str, number: int, *arguments: int, processes: bool = False, architecture: int | None = None) -> int:
    """What a filter answers to a call (struct seccomp_data of linux/seccomp.h)."""
    own = MACHINES[machine][0] if architecture is None else architecture
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, own, 0, *arguments, *[0] * (6 - len(arguments)))
    program = list(struct.iter_unpack("=HBBI", seccomp.program(machine, processes=processes)))
    held, at = 0, 0
    while True:
        operation, if_true, if_false, value = program[at]
        at += 1
        if operation == 0x20:
            held = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x06:
            return value
        else:
            met = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[operation]
            at += if_true if met else if_false


def test_no_filter_is_longer_than_the_kernel_takes() -> None:
    lengths = [len(seccomp.program(machine, processes=each)) // 8 for machine in MACHINES for each in (False, True)]

    assert all(length < 4096 for length in lengths)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_name_of_the_list_has_a_number_somewhere_and_is_allowed(machine: str) -> None:
    numbers = MACHINES[machine][1]

    assert [name for name in seccomp.ALLOWED if name not in X86_64] == []
    assert {judged(machine, numbers[name]) for name in seccomp.ALLOWED if name in numbers} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 0x3FFFFFFF))
def test_what_is_not_in_the_table_is_refused(machine: str, number: int) -> None:
    if number not in MACHINES[machine][1].values():
        assert judged(machine, number) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 0xFFFFFFFF), architecture=st.integers(0, 0xFFFFFFFF))
def test_another_architecture_kills(machine: str, number: int, architecture: int) -> None:
    if architecture != MACHINES[machine][0]:
        assert judged(machine, number, architecture=architecture) == KILL


@given(number=st.integers(0x40000000, 0xFFFFFFFF))
def test_x32_kills(number: int) -> None:
    assert judged("x86_64", number) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_may_be_made_and_processes_where_they_are_allowed(machine: str) -> None:
    clone = MACHINES[machine][1]["clone"]

    assert judged(machine, clone, THREAD) == ALLOW
    assert {judged(machine, clone, THREAD & ~0x400, processes=each) for each in (False, True)} == {EPERM}
    assert (judged(machine, clone, 17), judged(machine, clone, 17, processes=True)) == (EPERM, ALLOW)
    assert judged(machine, MACHINES[machine][1]["clone3"], processes=True) == ENOSYS
    assert judged(machine, MACHINES[machine][1]["execve"]) == EPERM
    assert judged(machine, MACHINES[machine][1]["execve"], processes=True) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("namespace", [0x80, 1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30])
@pytest.mark.parametrize("others", [0, THREAD, 17, 0xFFFFFFFF00000000])
def test_no_namespace_may_be_made(machine: str, namespace: int, others: int) -> None:
    clone = MACHINES[machine][1]["clone"]

    assert {judged(machine, clone, namespace | others, processes=each) for each in (False, True)} == {EPERM}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("ioctl", (0, 0x5401), ALLOW), ("ioctl", (0, 0x5412), ENOTTY), ("ioctl", (0, 0x541C), ENOTTY),
        ("ioctl", (0, 0x5412 | 1 << 32), ENOTTY), ("prctl", (15,), ALLOW), ("prctl", (4,), EPERM),
        ("prctl", (22,), EPERM), ("prctl", (36,), EPERM), ("prlimit64", (0,), ALLOW), ("prlimit64", (1,), EPERM),
        ("prlimit64", (0, 7), ALLOW), ("prlimit64", (0, 4), EPERM), ("setrlimit", (7,), ALLOW),
        ("setrlimit", (4,), EPERM),
        ("socketpair", (1,), ALLOW), ("socketpair", (2,), EACCES), ("socket", (1,), EACCES),
        ("fcntl", (0, 3), ALLOW), ("fcntl", (0, 1024), EPERM), ("fcntl", (0, 1026), EPERM), ("fcntl", (0, 1031), EPERM),
        ("fcntl", (0, 8), EPERM), ("fcntl", (0, 10), EPERM), ("fcntl", (0, 15), EPERM),
        ("sendto", (0, 0, 0, 0x4000), ALLOW), ("sendto", (0, 0, 0, 0x4001), EPERM),
        ("recvfrom", (0, 0, 0, 0), ALLOW), ("recvfrom", (0, 0, 0, 1), EPERM),
        ("sendmsg", (0,), EPERM), ("recvmsg", (0,), EPERM),
        ("mmap", (0, 9, 3, 0x22), ALLOW), ("mmap", (0, 9, 3, 0x01), ALLOW), ("mmap", (0, 9, 3, 0x21), EPERM),
        ("mmap", (0, 9, 3, 0x23), EPERM), ("mmap", (0, 9, 3, 0x4022), ALLOW),
        ("close_range", (3, 9, 4), ALLOW), ("close_range", (3, 9, 2), EPERM),
    ],
)  # fmt: skip
def test_some_calls_are_judged_by_an_argument(machine: str, name: str, arguments: tuple[int, ...], answer: int) -> None:
    number = MACHINES[machine][1][name]

    assert {judged(machine, number, *arguments, processes=each) for each in (False, True)} == {answer}


def test_a_machine_without_a_table_has_no_filter() -> None:
    with pytest.raises(KeyError, match="riscv64"):
        seccomp.program("riscv64", processes=False)
