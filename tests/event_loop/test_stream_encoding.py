"""Messages that are compressed once, and appended to any number of streams."""

import gzip
import json
import zlib
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from webapp.event_loop.stream_encoding import GzipStream, Message, PlainStream, short_message

LINES = st.one_of(
    st.binary(max_size=300),
    st.builds(lambda word, times: word * times, st.binary(min_size=1, max_size=40), st.integers(0, 2_000)),
    st.builds(lambda size, seed: Random(seed).randbytes(size), st.integers(0, 70_000), st.integers(0, 9)),
)
"""Little, much that becomes small, and much that does not, more than a window or a stored block holds."""


@given(
    plain=st.lists(LINES, min_size=1, max_size=8),
    sent=st.lists(st.lists(st.integers(0, 7), max_size=12), min_size=1, max_size=5),
)
def test_streams_that_are_sent_the_same_messages_at_different_times_say_what_these_say(
    plain: list[bytes], sent: list[list[int]]
) -> None:
    """Each stream is sent some of the messages in some order: all that was appended can be read at once, to its end."""
    messages = [Message(text) for text in plain]
    for numbers in sent:
        stream, reader, said = GzipStream(), zlib.decompressobj(wbits=31), b""
        whole = stream.begin()
        assert reader.decompress(whole) == b""
        for number in numbers:
            message = messages[number % len(messages)]
            piece = stream.add(message)
            assert reader.decompress(piece) == message.plain == plain[number % len(plain)]
            whole, said = whole + piece, said + message.plain
            assert not reader.unconsumed_tail
        end = stream.end()
        assert reader.decompress(end) == b""
        assert reader.eof
        assert not reader.unused_data
        assert gzip.decompress(whole + end) == said, "the checksum and the length are right, too"


@given(st.lists(LINES, max_size=5))
def test_several_messages_at_once_are_those_messages_one_after_the_other(plain: list[bytes]) -> None:
    messages = [Message(text) for text in plain]
    for kind in (GzipStream, PlainStream):
        together, apart = kind(), kind()
        assert together.add(*messages) == b"".join(apart.add(message) for message in messages)
        assert together.end() == apart.end()


@given(st.lists(LINES, max_size=5))
def test_a_plain_stream_is_what_the_messages_are(plain: list[bytes]) -> None:
    stream = PlainStream()
    said = stream.begin() + stream.add(*map(Message, plain)) + stream.end()
    assert said == b"".join(plain)


def test_a_stream_that_breaks_off_can_be_told_from_one_that_has_ended() -> None:
    stream, reader = GzipStream(), zlib.decompressobj(wbits=31)
    assert reader.decompress(stream.begin() + stream.add(Message(b"data: 1\n\n"))) == b"data: 1\n\n"
    assert not reader.eof


def test_a_stream_of_more_than_four_gigabytes_has_the_length_that_gzip_gives_it() -> None:
    stream, message = GzipStream(), Message(bytes(1 << 20))
    for _ in range((1 << 12) + 3):
        stream.add(message)
    assert stream.end()[-4:] == (3 << 20).to_bytes(4, "little")


def test_what_is_short_is_compressed_once_and_takes_little() -> None:
    message = short_message(b"event: moved\ndata: 7\n\n")
    assert short_message(b"event: moved\ndata: 7\n\n") is message
    assert len(message.packed) <= message.length + 8


def test_a_view_takes_a_quarter() -> None:
    html = "".join(
        f'<div class="place place--{n}" data-part="seat-{n}"><b>Aki</b> holds {n} chips</div>' for n in range(99)
    )
    message = Message(f"event: parts\ndata: {json.dumps({'version': 7, 'html': html})}\n\n".encode())
    assert len(message.packed) < message.length / 4
