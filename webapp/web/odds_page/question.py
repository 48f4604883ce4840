"""Questions about odds: their addresses, those of related ones, and their answers from the desk."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

from flask import Response, request, url_for

from webapp.engine.cards import JOKER, RANKS, SUITS, Card, Rank, format_cards, parse_cards
from webapp.engine.errors import NotationError, SetupError
from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import NoOdds
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.engine.twenty_one.hand import is_bust
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.web.api.fields import signed_numbers
from webapp.web.api.forms import OddsQuery, read
from webapp.web.api.odds_answers import OddsPendingAnswer
from webapp.web.api.serialize import pending_response
from webapp.web.errors import error_response
from webapp.web.i18n import odds_words
from webapp.web.request import visitor

MOST_LETTERS: Final = 1600
"""Letters of all fields at most: all cards of eight decks, with spaces, and own rules."""
_NAMES: Final = tuple(field.name for field in fields(OddsQuery))
_OF_HAND: Final = ("hand", "step")
_WITH_CARDS: Final = ("ask", "hands")
"""Fields that are about these very cards: with others they are left out."""
_PLACES: Final = ("cards", "thrown", "open", "dealer", "others", "seen")
"""Fields that hold cards."""


@dataclass(frozen=True)
class Asked:
    """A question about a game: the fields that are filled in, by name."""

    code: str
    values: Mapping[str, str]

    @classmethod
    def of(cls, code: str, table: str, query: OddsQuery) -> "Asked":
        """Return what a query asks."""
        given = {name: " ".join(getattr(query, name).split()) for name in _NAMES}
        return cls(code, {name: text for name, text in given.items() if text} | {"table": table})

    ranks: ClassVar = tuple(reversed(RANKS))
    deck: ClassVar = tuple(tuple(Card(rank, suit) for rank in reversed(RANKS)) for suit in reversed(SUITS))
    joker: ClassVar = JOKER

    @property
    def is_of_hand(self) -> bool:
        """A finished hand is asked about."""
        return "hand" in self.values

    @property
    def is_empty(self) -> bool:
        """Nothing is asked yet: at most a table is chosen."""
        return not set(self.values) - {"table", "to"}

    @property
    def question(self) -> dict[str, str]:
        """The fields that an answer depends on."""
        return {name: text for name, text in self.values.items() if name not in ("to", *_OF_HAND)}

    @property
    def too_long(self) -> bool:
        """The fields hold more than all cards that there are.

        Each card of a page is a link with all the others in it: such a page would be a gigabyte.
        """
        return sum(map(len, self.values.values())) > MOST_LETTERS

    def having(self, question: Mapping[str, str]) -> "Asked":
        """Return this question spelled out: one about a finished hand with its cards."""
        named = {name: text for name, text in question.items() if text and name != "variant"}
        return Asked(self.code, {"table": self.values["table"]} | named)

    def cards(self, place: str) -> tuple[Card, ...]:
        """Return the cards of a field; none of them if they cannot be read."""
        try:
            return parse_cards(self.values.get(place, ""))
        except NotationError:
            return ()

    def target(self, *places: tuple[str, int]) -> str:
        """Return the field that the next card goes to: the chosen one, else the first that needs more cards."""
        chosen = self.values.get("to", "")
        if chosen in (place for place, _ in places):
            return chosen
        return next((place for place, least in places if len(self.cards(place)) < least), places[0][0])

    def url(self, **changes: str) -> str:
        """Return the address of this question with other fields; an empty one is left out."""
        left_out = (*_OF_HAND, *(_WITH_CARDS if set(changes) & set(_PLACES) else ()))
        asked = {name: text for name, text in {**self.values, **changes}.items() if text and name not in left_out}
        fields: dict[str, Any] = {name: text.replace(" ", "") for name, text in asked.items()}
        return url_for("odds.show", code=self.code, **fields)

    @property
    def here(self) -> str:
        """The address of this question, as it was asked."""
        asked: dict[str, Any] = {**self.values}
        return url_for("odds.show", code=self.code, **asked)

    @property
    def simulated(self) -> str:
        """The address at which this spot is simulated."""
        return self._address("spots.show")

    def simulated_as(self, rounds: int, seed: int, endpoint: str = "spots.show") -> str:
        """Return the address of one simulation of this spot."""
        return self._address(endpoint, simulate=str(rounds), seed=str(seed))

    def _address(self, endpoint: str, **more: str) -> str:
        asked = {name: text.replace(" ", "") for name, text in self.values.items() if name != "to"}
        fields: dict[str, Any] = {**asked, **more}
        return url_for(endpoint, code=self.code, **fields)

    def toggled(self, place: str, card: Card, most: int) -> str:
        """Return the address with a card added or, if it is named already, removed; "" if there is no room for it."""
        for other in _PLACES:
            if card in self.cards(other):
                return self.url(**{other: format_cards(kept for kept in self.cards(other) if kept != card)}, held="")
        if len(self.cards(place)) >= most:
            return ""
        return self.url(**{place: format_cards((*self.cards(place), card))}, held="")

    def added(self, place: str, rank: Rank, decks: int) -> str:
        """Return the address with one more card of a rank at twenty-one.

        It is "" if all cards of it that the decks have are named, or if the hand would be bust.
        """
        named = Counter(card for other in _PLACES for card in self.cards(other) if card.rank is rank)
        suit = min(SUITS, key=lambda suit: named[Card(rank, suit)])
        if named[Card(rank, suit)] >= decks:
            return ""
        cards = (*(self.cards(place) if place != "dealer" else ()), Card(rank, suit))
        return "" if place == "cards" and is_bust(cards) else self.url(**{place: format_cards(cards)}, held="")

    def without(self, place: str, index: int) -> str:
        """Return the address without one card of a field."""
        cards = self.cards(place)
        return self.url(**{place: format_cards((*cards[:index], *cards[index + 1 :]))}, held="")


def game_with_odds(code: str) -> AnyGame:
    """Return a game. Refusal ``unknown-game``, NoOdds."""
    if code not in GAMES:
        raise Refusal("unknown-game", code)
    if not desk.has_odds(code):
        raise NoOdds(f"there are no odds for {code}")
    return GAMES[code]


def asked_about(code: str) -> Asked:
    """Return what the request asks about a game. SetupError: there is no such table."""
    game, query = game_with_odds(code), read(OddsQuery, request.args)
    table = query.table or game.spec.default
    if not query.hand:
        game.rules(table)
    return Asked.of(code, table, query)


def answer_to(asked: Asked, patience: float = desk.WAIT_SECONDS, **more: str) -> dict[str, Any]:
    """Return the answer of the desk; ``more`` are fields beside those of the question.

    patience: seconds for which it may wait for tables.

    Raises:
        ImpossibleSpot: the decision cannot be.
        Pending: tables are being built for it.
        Refusal: ``hand-not-found``, or what the desk refuses.
    """
    if asked.too_long:
        raise ImpossibleSpot("too-long", "that is more than all cards there are")
    if not asked.is_of_hand:
        return desk.ask("spot", {"game": asked.code, **asked.question, **more}, patience)
    found = visitor.finished_hand(asked.values["hand"])
    if found.game.spec.code != asked.code:
        raise Refusal("hand-not-found")
    step = asked.values.get("step", "0")
    if not (step.isascii() and step.isdigit() and len(step) < 5):
        raise ImpossibleSpot("finished", "no such step")
    answer = desk.ask("step", {"line": found.notation, "step": step, **more}, patience)
    return answer | {"question": answer["question"] | {"table": found.table}}


def pending(code: str, table: str) -> Response:
    """Return the answer while tables are being built."""
    return pending_response(OddsPendingAnswer, game=code, table=table)


def counting_system(name: str) -> CountingSystem:
    """Return the system of counting cards that an address names. ImpossibleSpot: there is none."""
    try:
        return CountingSystem.parse(signed_numbers(name).replace("+", ""))
    except SetupError as error:
        raise ImpossibleSpot("bad-system", str(error)) from error


def on_impossible_spot(error: ImpossibleSpot) -> Response:
    """Answer a question that makes no sense."""
    return error_response(error.code, 422, odds_words.impossible(error))
