"""Make the sounds of the tables: ``python .packaging/make_sounds.py`` writes static/sound/table.wav.

All of them lie behind one another in one file, at the places that static/js/sound.js names. They are made of noise and
sines, nothing is recorded; the same script always makes the same bytes.
"""

import math
import random
import struct
from collections.abc import Callable
from pathlib import Path

RATE = 16000
"""Samples a second, of eight bits: what is soft and short needs no more."""
FILE = Path(__file__).parents[1] / "static" / "sound" / "table.wav"

Wave = Callable[[float, random.Random], float]


def decay(seconds: float, rise: float = 0.002) -> Callable[[float], float]:
    """Return the loudness after so many seconds: it rises at once, and halves again and again."""
    return lambda at: min(1.0, at / rise) * math.exp(-at / seconds)


def slide(low: float, length: float, loudness: float) -> Wave:
    """Return a card that slides over cloth: soft noise, a little lower or higher."""
    last = [0.0]
    fade = decay(length / 3, 0.012)

    def wave(at: float, noise: random.Random) -> float:
        last[0] += low * (noise.uniform(-1, 1) - last[0])
        return loudness * fade(at) * last[0]

    return wave


def struck(tones: tuple[tuple[float, float, float], ...], click: float, loudness: float) -> Wave:
    """Return something that is struck: tones of (pitch, share, seconds to fade), and a click at its begin."""
    tip = decay(0.004)

    def wave(at: float, noise: random.Random) -> float:
        body = sum(part * decay(fade)(at) * math.sin(2 * math.pi * pitch * at) for pitch, part, fade in tones)
        return loudness * (body + click * tip(at) * noise.uniform(-1, 1))

    return wave


def riffle() -> Wave:
    """Return two halves of a deck that fall into each other: many small cards, faster and faster."""
    last = [0.0]

    def wave(at: float, noise: random.Random) -> float:
        last[0] += 0.45 * (noise.uniform(-1, 1) - last[0])
        beat = (at * (34 + 60 * at)) % 1.0
        return 0.75 * min(1.0, at / 0.05) * max(0.0, 1 - at / 0.5) * math.exp(-5 * beat) * last[0]

    return wave


SOUNDS: dict[str, tuple[float, Wave]] = {
    "card1": (0.10, slide(0.35, 0.10, 0.80)),
    "card2": (0.09, slide(0.45, 0.09, 0.70)),
    "card3": (0.11, slide(0.28, 0.11, 0.90)),
    "flip": (0.09, struck(((190.0, 0.25, 0.02),), 0.9, 0.55)),
    "chip": (0.12, struck(((3150.0, 0.30, 0.022), (4480.0, 0.20, 0.014)), 0.4, 0.55)),
    "ping": (0.46, struck(((880.0, 0.60, 0.12), (1760.0, 0.18, 0.07), (2640.0, 0.08, 0.04)), 0.05, 0.55)),
    "shuffle": (0.50, riffle()),
    "tick": (0.07, struck(((410.0, 0.70, 0.014), (970.0, 0.25, 0.008)), 0.3, 0.60)),
}
"""Length in seconds and wave of each."""


def places() -> dict[str, tuple[float, float]]:
    """Return begin and length of each sound, in seconds: what static/js/sound.js has to say."""
    begin, found = 0.0, {}
    for name, (length, _) in SOUNDS.items():
        found[name] = (round(begin, 2), length)
        begin += length
    return found


def samples() -> bytes:
    """Return all sounds, eight bits a sample. Each fades out at its very end."""
    made = bytearray()
    for name, (length, wave) in SOUNDS.items():
        noise, count = random.Random(name), round(length * RATE)  # noqa: S311  # no secret
        for n in range(count):
            level = wave(n / RATE, noise) * min(1.0, (count - n) / 80)
            made.append(round(128 + 127 * max(-1.0, min(1.0, level))))
    return bytes(made)


def wav() -> bytes:
    """Return the file."""
    body = samples()
    head = struct.pack("<4sI4s", b"RIFF", 36 + len(body), b"WAVE")
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, RATE, 1, 8)
    return head + form + struct.pack("<4sI", b"data", len(body)) + body


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(wav())
    print(f"{FILE.name}: {FILE.stat().st_size} bytes, {places()}")  # noqa: T201
