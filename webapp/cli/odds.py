"""``tefuda odds``: what every decision is worth, and whole tables. Needs no database."""

import json
import os
from typing import Any, Final, Never

import click

from webapp.cli.app import load_games, to_install
from webapp.config import instance_folder
from webapp.engine.action import Action
from webapp.engine.cards import parse_cards
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.errors import EngineError, SetupError
from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.engine.odds import odds_of
from webapp.engine.odds.blackjack.count_index import CountIndices, IndexingCounts
from webapp.engine.odds.question import whole_number
from webapp.engine.odds.value import ActionValue, Decision, GameValue, NoOdds
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.services.odds.store import FolderStore

SHOWN_OUTCOMES: Final = 4


class Unanswerable(click.ClickException):
    """An invalid question; the message has one line."""

    exit_code = 2


@click.group()
def odds() -> None:
    """What every decision is worth."""
    load_games()


@odds.command()
@click.argument("cards")
@click.option("--table", default="poker/quest", show_default=True, help="Game and table: joker/kings-or-better")
@click.option("--thrown", default="", help="Cards of earlier exchanges, where there are several.")
@click.option("--exchanges", default="", help="Exchanges left, where there are several; all that are possible.")
@click.option("--action", help="Price this one too, in the last line: hold-1-3, or stop.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def hold(cards: str, table: str, thrown: str, exchanges: str, action: str | None, as_json: bool) -> None:
    """Price all 32 holds of a hand of draw poker, best first: "Ah Kh Qh Jh 2c".

    A value is what the hand pays on average for each coin (or its average score), the stake not taken off.
    """
    try:
        decision, staked, chosen = _price_holds(cards, table, thrown, exchanges, action)
    except EngineError as error:
        refuse(error)
    if as_json:
        click.echo(json.dumps(_hold_json(decision, staked, chosen)))
        return
    for option in decision.options:
        likely = sorted(option.outcomes.items(), key=lambda item: -item[1])[:SHOWN_OUTCOMES]
        chances = ", ".join(f"{code.lower().replace('_', ' ')} {100 * chance:.3g} %" for code, chance in likely)
        click.echo(f"{option.action!s:16} {float(option.value + staked):12.6f}  {chances}".rstrip())
    if chosen:
        click.echo(f"{chosen.action} costs {float(decision.cost(chosen.action)):.6f}")
    if not decision.method.exact:
        click.echo(f"approximate: within {100 * (decision.method.error or 0):g} %")


@odds.command()
@click.option("--table", default="vegas", show_default=True, help="Table: vegas, vegas,decks=2")
@click.option("--hand", required=True, help='The player\'s cards: "Th 6s"')
@click.option("--dealer", required=True, help="The dealer's open card: Tc")
@click.option("--seen", default="", help="Other cards seen since the shuffle, for values with the count.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def blackjack(table: str, hand: str, dealer: str, seen: str, as_json: bool) -> None:
    """Price all actions on a hand of blackjack, best first, in bets.

    Values are by the book: from the whole shoe without the cards of this hand. Where the dealer looks for a natural he
    has looked.
    """
    try:
        shown = _price_actions(table, hand, dealer, seen)
    except EngineError as error:
        refuse(error)
    if as_json:
        click.echo(json.dumps(shown))
        return
    for option in shown["options"]:
        counted = f"  {option['counted']:10.6f} with the count" if seen else ""
        click.echo(f"{option['action']:10} {option['value']:10.6f}{counted}")
    if not shown["exact"]:
        click.echo("hands of a split are played by one fixed policy")


@odds.command()
@click.argument("table")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def game(table: str, as_json: bool) -> None:
    """Print the return of optimal play at a table: poker/quest, joker/kings-or-better, blackjack/vegas,decks=2.

    Where it is known exactly, also the variance of what one hand pays for each chip: video/jacks-9-6.
    """
    try:
        played, variant = game_and_variant(table)
        value = odds_of(played).game(variant, open_store())
    except EngineError as error:
        refuse(error)
    shown = _game_json(value)
    if as_json:
        click.echo(json.dumps(shown))
        return
    exact = f" = {shown['exact']}" if shown.get("exact") else ""
    click.echo(f"{value.figure} {float(value.value):.10g}{exact}")
    if value.variance is not None:
        click.echo(f"variance {float(value.variance):.10g}")
    if not value.method.exact and value.method.error:
        click.echo(f"approximate: within {100 * value.method.error:g} %")


@odds.command()
@click.option("--table", default="vegas", show_default=True, help="Table: vegas, vegas,surrender=late")
@click.option(
    "--system", default="hi-lo", show_default=True, help="hi-lo, ko, hi-opt-2, zen, or ten tags, from the ace."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def index(table: str, system: str, as_json: bool) -> None:
    """Print the counts of cards from which another action than that of basic strategy is better.

    A number is a true count, rounded down; of a system that is not balanced it is the running count from which the
    action gains on average. Behind it is the exact count for each 52 unseen cards. It takes up to a minute, once.
    """
    try:
        found = blackjack_indices(table, CountingSystem.parse(system))
    except EngineError as error:
        refuse(error)
    if as_json:
        click.echo(json.dumps(found.as_json()))
        return
    if found.insurance is not None:
        click.echo(f"{'insurance':9} {found.index(found.insurance):+4d}  ({found.insurance:+.2f})")
    for play in found.plays:
        for place, turn in found.turns(play):
            number = f"{place:+4d}  ({turn.count:+.2f})"
            click.echo(f"{play.hand:>3} v {play.up:3} {number:>14}  {turn.above}, below {turn.below}")


def blackjack_indices(table: str, system: CountingSystem) -> CountIndices:
    """Return the index numbers of a table of blackjack. NoOdds."""
    priced = odds_of(BLACKJACK)
    if not isinstance(priced, IndexingCounts):
        raise NoOdds("no cards are counted")
    name = table.removeprefix(f"{BLACKJACK.spec.code}/")
    return priced.count_indices(name, system, open_store())


def game_and_variant(table: str) -> tuple[AnyGame, str]:
    """Return the game and the table of a text like ``joker/arcade``. SetupError for an unknown game."""
    code, _, variant = table.partition("/")
    if code not in GAMES:
        raise SetupError(f"no such game: {code[:80]!r}")
    return GAMES[code], variant or GAMES[code].spec.default


def open_store() -> FolderStore:
    """Return the store of the instance, where the site keeps its tables too."""
    return FolderStore.of_instance(instance_folder(os.environ))


def refuse(error: EngineError) -> Never:
    """End the command with the sentence of an error, and status 2."""
    hint = f"; {to_install('lab')}" if isinstance(error, NoOdds) and "need" in str(error) else ""
    raise Unanswerable(f"{error}{hint}") from error


def _price_holds(
    cards: str, table: str, thrown: str, exchanges: str, action: str | None
) -> tuple[Decision, int, ActionValue | None]:
    """Return the decision, the stake, and the requested option."""
    played, variant = game_and_variant(table)
    if not isinstance(played, DrawGame):
        raise SetupError(f"{played.spec.code} is not draw poker: there is nothing to hold")
    priced = odds_of(played)
    from webapp.engine.odds.draw.spot import spot

    left = whole_number(exchanges, "exchanges", 1, played.rules(variant).exchanges, 0) or None
    state = spot(played, variant, cards, thrown, left)
    decision = priced.decision(state, open_store())
    return decision, sum(state.setup.stakes), decision.option(Action.parse(action)) if action else None


def _price_actions(table: str, hand: str, dealer: str, seen: str) -> dict[str, Any]:
    """Return the values of all actions on a hand, in bets."""
    played = BLACKJACK
    priced = odds_of(played)
    from webapp.engine.odds.blackjack.spot import spot

    state = spot(played, table.removeprefix(f"{played.spec.code}/"), hand, dealer, seen)
    bet, store = sum(state.setup.stakes) or 1, open_store()
    decision = priced.decision(state, store)
    options = [{"action": str(option.action), "value": float(option.value) / bet} for option in decision.options]
    if seen:
        counted = priced.decision(state, store, parse_cards(seen))
        for option in options:
            option["counted"] = float(counted.option(Action.parse(str(option["action"]))).value) / bet
    return {"options": options, "best": str(decision.best.action)} | _method_json(decision)


def _hold_json(decision: Decision, staked: int, chosen: ActionValue | None) -> dict[str, Any]:
    options = [
        {"action": str(option.action), "value": float(option.value + staked), "outcomes": dict(option.outcomes)}
        for option in decision.options
    ]
    shown = {"options": options, "best": str(decision.best.action)} | _method_json(decision)
    if chosen:
        shown |= {"action": str(chosen.action), "cost": float(decision.cost(chosen.action))}
    return shown


def _game_json(value: GameValue) -> dict[str, Any]:
    shown: dict[str, Any] = {value.figure: float(value.value)}
    if value.figure == "value":
        shown["exact"] = str(value.value) if value.method.exact else None
    if value.variance is not None:
        shown["variance"] = float(value.variance)
    return shown | {"method": value.method.name, "error": value.method.error}


def _method_json(decision: Decision) -> dict[str, Any]:
    return {"exact": decision.method.exact, "method": decision.method.name, "error": decision.method.error}
