"""Status and sentence of every refusal and of every HTTP error.

Why an action of a game was refused is among that game's own words; what is said here of ``illegal-`` codes is of the
site's own commands.
"""

from collections.abc import Mapping
from typing import Final

from webapp.engine.games import WORDS
from webapp.engine.words import N_
from webapp.web.i18n.vocabulary import translated

Answer = tuple[int, str]
ILLEGAL: Final = "illegal-"

REFUSALS: Final[Mapping[str, Answer]] = {
    # no such thing
    "metrics-off": (404, N_("There is nothing here.")),
    "metrics-token": (401, N_("Metrics are for the operator of the house.")),
    "hand-not-found": (404, N_("There is no such hand, or it is not yours to play.")),
    "run-not-found": (404, N_("There is no such simulation, or it is not yours to stop.")),
    "unknown-game": (404, N_("We do not have this game.")),
    "unknown-player": (404, N_("We do not know you any more. Sit down again to start afresh.")),
    "no-odds": (404, N_("What a decision is worth is not known here.")),
    "odds-not-here": (404, N_("This cannot be worked out here: the house was set up without what it needs.")),
    "recall-not-found": (404, N_("This question is not among yours, or not any more.")),
    "table-not-found": (404, N_("There is no table with this code.")),
    "circle-not-found": (404, N_("There is no circle with this code. It may have been closed.")),
    "link-over": (404, N_("This link leads to nobody any more: it is good for ten minutes. Make a new one.")),
    "link-used": (
        410,
        N_("This link has been used: it is good once. If that was not you, sign out everywhere else where you play."),
    ),
    "seat-link": (404, N_("This link leads to no seat any more.")),
    # not like this
    "bad-setup": (422, N_("There is no table with these rules.")),
    "bad-notation": (422, N_("That is not an action of this game.")),
    "bad-step": (422, N_("The number of the move is not valid.")),
    "bad-cut": (422, N_("A cut is 1 to 64 letters, digits, _ or -, and not - alone. Nothing was dealt.")),
    "bad-stake": (422, N_("This bet is not possible here. Nothing was dealt or charged.")),
    "bad-name": (422, N_("A name has at most 24 characters, and no invisible ones.")),
    "machines-name": (422, N_("That is what the house calls its bots. Choose another name.")),
    "mixed-name": (422, N_("A name has letters of one alphabet only.")),
    "taken-name": (422, N_("That is what the table says of itself. Choose another name.")),
    "refused-name": (422, N_("This house does not take that name. Choose another one.")),
    "no-name-there": (422, N_("Nobody with a chosen name sits there. Nothing was reported.")),
    "another-name": (409, N_("Somebody else sits there by now, or by another name. Nothing was reported.")),
    "no-name": (422, N_("A name is needed here. Nothing was changed.")),
    "circle-full": (422, N_("This circle is full: it has fifty members.")),
    "circles-enough": (422, N_("You are in twenty circles already. Leave one of them first.")),
    "circle-removed": (403, N_("You were removed from this circle, and cannot join it again.")),
    "not-a-member": (403, N_("Only members of the circle can do this.")),
    "not-the-keeper": (403, N_("Only the member who keeps the circle can do this.")),
    "keeper-stays": (422, N_("You keep this circle: leave it or close it instead.")),
    "not-sure": (422, N_("Tick the box first. Nothing was changed.")),
    "play-first": (403, N_("Play this deal first. What the others did is shown after your own try.")),
    "table-busy": (503, N_("The table where you sit is busy just now. Try again in a moment; nothing is lost.")),
    "nobody-yet": (403, N_("You have not played here yet: nothing is stored about you.")),
    "unconfirmed": (422, N_("Tick the box first. Nothing was forgotten.")),
    "bad-count": (422, N_("A count is a whole number, such as −3. Nothing was counted; go back and try again.")),
    "recall-not-due": (422, N_("This is asked later. Nothing was changed.")),
    "recalls-full": (422, N_("You are asked two hundred decisions already. Answer some of them first.")),
    "bad-size": (422, N_("A width or height is a whole number of pixels.")),
    "oembed-json": (501, N_("Here only JSON is answered.")),
    "impossible-spot": (422, N_("There is no such decision.")),
    "bad-nonce": (422, N_("Parts of the form are missing or were changed. Nothing was begun.")),
    "bad-sheet": (422, N_("This table of a strategy cannot be read.")),
    # not now
    "lab-too-many": (429, N_("Three of your simulations are not finished yet. Wait for one, or stop one.")),
    "lab-busy-long": (
        429,
        N_("The lab is full of long simulations. There is still room for one of at most a million rounds."),
    ),
    "lab-busy": (429, N_("The lab is full. Try again in a minute; nothing was begun.")),
    "lab-bare": (404, N_("This house has no lab: it was set up without it.")),
    "illegal": (422, N_("That is not possible now. Your hand is as it was.")),
    "not-dealt": (422, N_("The cards are not dealt yet.")),
    "hand-open": (409, N_("Your hand here is still open. You can take the other table when it is over.")),
    "purse-too-small": (422, N_("There are not enough chips in your purse. Nothing was charged.")),
    "illegal-cut": (422, N_("A cut is given once, before the deal.")),
    "illegal-policy": (422, N_("A seat can play timidly, like a dealer, or by basic strategy.")),
    "seat-taken": (422, N_("This seat is not free.")),
    "seat-kept": (422, N_("The last free seat is kept for people.")),
    "seated-already": (422, N_("You sit at this table already.")),
    "seated-elsewhere": (422, N_("You still play a round at another table. Sit down here when it is over.")),
    "bad-reaction": (422, N_("There is no such reaction.")),
    "too-many-reactions": (429, N_("A seat shows one reaction at a time. Wait a moment.")),
    "not-seated": (422, N_("Only players at the table can do this.")),
    "table-closed": (422, N_("This table is closed.")),
    "stale": (409, N_("The table has moved on. This is how it stands; nothing was done.")),
    "too-many-streams": (429, N_("Too many live connections are open. The page checks for news by itself instead.")),
    "too-many-guesses": (
        429,
        N_("Too many wrong codes and links. Wait a minute; correct ones still work."),
    ),
    "decision-over": (409, N_("This decision is over. The coach speaks of the one that comes next, or came last.")),
    "step-ahead": (409, N_("The hand has not come that far. This is how it stands.")),
    "too-many-newcomers": (
        429,
        N_("Too many new players have come from your address. Wait a minute; nothing was begun."),
    ),
    # not for a moment
    "odds-later": (503, N_("Too much is being worked out just now. Ask again in a moment.")),
    "picture-later": (503, N_("The picture is not drawn yet. Ask for it again in a moment.")),
    "too-busy": (503, N_("Too much is going on in the house just now. Nothing was changed; try again in a moment.")),
    "unavailable": (
        503,
        N_("The house cannot get at its books just now. Your hand is safe; try again in a moment."),
    ),
    # the same deal again
    "practice-shared": (422, N_("A round of a shared table cannot be played again alone.")),
    "practice-sealed": (
        409,
        N_(
            "More rounds are dealt from the shoe of this hand, and playing it again would show their cards. "
            "It can be played again when the shoe is finished."
        ),
    ),
    "practice-today": (409, N_("Others still play this deal today. It can be played again when the day is over.")),
    "no-decision": (404, N_("There is nothing to decide here.")),
    "daily-unknown": (404, N_("There is no daily deal of that day.")),
    "daily-over": (409, N_("The day of this deal is over. Today’s deal waits for you.")),
    "daily-played": (409, N_("You have had your one try at this deal today. Tomorrow there is another.")),
    # the cookie
    "box-lost": (409, N_("No key of the house opens the sealed deck of this hand. It is void; nothing was at stake.")),
    "deck-gone": (
        409,
        N_("The sealed deck that the page showed is gone. This hand has another one, with a seal of its own."),
    ),
    "no-cookies": (
        403,
        N_(
            "Your browser keeps no cookies for this site, so a hand could not be known to be yours. "
            "Allow them and try again; nothing was begun."
        ),
    ),
    "box-broken": (409, N_("The sealed deck in your cookie does not open. Nothing was changed. Try again.")),
    # the key
    "deck-sealed": (
        409,
        N_(
            "This hand is sealed with a key that this house does not have just now. Nothing is lost: go on when the "
            "key is back. If it stays away, the hand is void within two days, and what you staked comes back."
        ),
    ),
    "round-sealed": (
        409,
        N_(
            "This round is sealed with a key that this house does not have just now. Nothing is lost: it goes on when "
            "the key is back. If it stays away, the round is void within two days, and all stakes come back."
        ),
    ),
    "hand-sealed": (
        409,
        N_(
            "This hand is sealed with a key that this house does not have just now. "
            "Its page opens when the key is back."
        ),
    ),
    "cookie-unreadable": (
        403,
        N_("Your cookie cannot be read just now, so we leave it alone. Try later, or start afresh."),
    ),
}

STATUSES: Final[Mapping[int, str]] = {
    400: N_("We did not understand this request."),
    403: N_("This request came from another site, so it was not carried out."),
    404: N_("There is nothing here."),
    405: N_("This address does not take that kind of request."),
    413: N_("That was too much at once. Nothing was changed."),
    415: N_("Send the fields as a form. Nothing was changed."),
    422: N_("That is not possible now. Your hand is as it was."),
    429: N_("Too many requests. Wait a moment; your hand is safe."),
    503: N_("The house cannot get at its books just now. Your hand is safe; try again in a moment."),
    500: N_("Something broke on our side. Your hand is as it was before."),
}


def refusal_of(code: str) -> tuple[int, str]:
    """Return the status and the sentence of a code, in the language of the page.

    ``illegal-<verb>`` is said as the game does that has the verb; one without a sentence has that of ``illegal``.
    """
    if code in REFUSALS:
        status, sentence = REFUSALS[code]
        return status, translated(sentence)
    if not code.startswith(ILLEGAL):
        raise KeyError(code)
    status, sentence = REFUSALS["illegal"]
    return status, translated(WORDS.refusals.get(code.removeprefix(ILLEGAL), sentence))


def is_code(word: str) -> bool:
    """Return True for a code that a refusal or an error of this site can have."""
    if word.startswith("http-"):
        return word.removeprefix("http-").isdigit()
    verb = word.removeprefix(ILLEGAL)
    return word in REFUSALS or word == "failure" or (word != verb and (verb in WORDS.refusals or verb in WORDS.moves))


def sentence_of(status: int) -> str:
    """Return the sentence of an HTTP status, in the language of the page."""
    return translated(STATUSES.get(status, STATUSES[400 if status < 500 else 500]))
