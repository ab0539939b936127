import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.sandbox.inside.frames import (
    BadFrame,
    FrameInbox,
    frame,
    read_exactly,
    read_frame,
    write_all,
)

FRAMES = st.lists(st.tuples(st.binary(min_size=1, max_size=1), st.binary(max_size=50)), max_size=5)


@given(frames=FRAMES, cuts=st.lists(st.integers(1, 40), max_size=20))
def test_frames_are_whole_however_the_stream_cuts_them(frames: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    stream = b"".join(frame(kind, payload) for kind, payload in frames)
    inbox = FrameInbox()
    got: list[tuple[bytes, bytes]] = []
    for cut in [*cuts, len(stream)]:
        got += inbox.feed(stream[:cut])
        stream = stream[cut:]

    assert got == frames


@given(length=st.integers(1024 * 1024 + 1, 0xFFFFFFFF))
def test_a_frame_that_is_too_long_is_refused_before_it_is_read(length: int) -> None:
    with pytest.raises(BadFrame, match=f"a frame of {length} bytes; at most 1048576"):
        FrameInbox().feed(struct.pack("=cI", b"C", length))


def test_frames_are_read_from_a_descriptor_to_its_end() -> None:
    reading, writing = os.pipe()
    write_all(writing, frame(b"R", b"one"), frame(b"A"), b"cut")
    os.close(writing)

    assert [read_frame(reading), read_frame(reading)] == [(b"R", b"one"), (b"A", b"")]
    with pytest.raises(EOFError, match="the other side is gone"):
        read_exactly(reading, 4)
    os.close(reading)
