"""The published test vectors of the scheme ``tf1``."""

from typing import NamedTuple


class Vector(NamedTuple):
    """A test vector. ``sha256`` is the hash of all cards, separated by spaces."""

    name: str
    seed_hex: str
    id: str
    pack: int
    decks: int
    jokers: int
    cuts: tuple[str, ...]
    commitment: str
    rejected_words: int
    first10: str
    last3: str
    sha256: str

    @property
    def seed(self) -> bytes:
        return bytes.fromhex(self.seed_hex)

    @property
    def pack_facts(self) -> tuple[bytes, str, int, int, int, tuple[str, ...]]:
        """The arguments of ``webapp.engine.shuffling.shuffled``."""
        return self.seed, self.id, self.pack, self.decks, self.jokers, self.cuts


VECTORS = [
    Vector(
        name="one deck",
        seed_hex="000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        id="testhand0000000000000A",
        pack=0,
        decks=1,
        jokers=0,
        cuts=("alice",),
        commitment="4ffa00a1de4eb7608acf4f4d6f9403cc79ae48f72f57c1e2bd24102a4ec0ba2e",
        rejected_words=0,
        first10="4h 7s 8s Kh Th 6s 5h Td 5d Qd",
        last3="7h 9s 6d",
        sha256="c21fb850e86d8f8170d78f856a8c2e5388da3008bf8c95110e6fbf09f5674291",
    ),
    Vector(
        name="one deck, a word is rejected",
        seed_hex="d8f38680088b1c92c37e09818c9a8f8d3675b39777d9e896c23e97d7d9b78407",
        id="testhand0000000000000B",
        pack=1,
        decks=1,
        jokers=0,
        cuts=("bob",),
        commitment="a5ccfd89ad98ae48b6eecd64969263a154857fa83596b88446730c568ac197fb",
        rejected_words=1,
        first10="8d Kd 2h 9c 3c 7h Qh 8c Ts 4s",
        last3="Qc Tc 2c",
        sha256="52f24a9bf015649a655a0a081897b7eeb805f63021338526bea32ce752a2af20",
    ),
    Vector(
        name="53 cards, no cut given",
        seed_hex="ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        id="testhand0000000000000C",
        pack=0,
        decks=1,
        jokers=1,
        cuts=("-",),
        commitment="dc5bd038af5254cd1ea90e7e02616cb89b77db5d3eb432cabdb5a52eb49dee06",
        rejected_words=0,
        first10="9h 3h Th Jd Td Qs 6c 5c Jc 2d",
        last3="Ts 6s Qd",
        sha256="8fd9913f4a484ea7e8bca427b3bcf61fb9ced2eb53a63eff8c328c36413d638c",
    ),
    Vector(
        name="six decks, three words rejected",
        seed_hex="1e05809aad95e957e76c05ca38e6c89c713e1cedcd79ec50c0f3f6860d5a37dd",
        id="shoe-0000000000000D",
        pack=0,
        decks=6,
        jokers=0,
        cuts=("carol_1-x",),
        commitment="b4a4f4537528492cfbd0e6f3aa7047ef1e2c16f6870bcae2c92618913da31666",
        rejected_words=3,
        first10="2h Td Ac Jd Qh Qc 5h 6h 8h 2h",
        last3="4d 4h Kc",
        sha256="99b16bf24f26072999322024912a28a9a454dd633671ef1e1e8df7da067df91a",
    ),
    Vector(
        name="a table of three, one silent",
        seed_hex="0d4fc4a78d3706edccafb665a8b2fdd9309e82c78625bb0f2b8e7bb9e1c4d21c",
        id="tableX-r17",
        pack=0,
        decks=1,
        jokers=0,
        cuts=("s1seed", "-", "s3seed"),
        commitment="3da5d89804262313005d6ef332cadb1730dfade8a272a9722a6cfb605b0c2eb2",
        rejected_words=0,
        first10="Jh 5s Qc 7s 7d Qs 8c 6s Qh 4d",
        last3="5c As Th",
        sha256="f424a3982c27c38ecb23d5f18b631cc4b1a43aaa72ed491c31b2491d4bfc821a",
    ),
]
