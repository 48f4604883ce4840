"""The status and the sentence of everything that is refused."""

from collections.abc import Callable, Mapping
from typing import Final

from webapp.web.i18n.translations import gettext as _

Answer = tuple[int, Callable[[], str]]

REFUSALS: Final[Mapping[str, Answer]] = {
    # no such thing
    "hand-not-found": (404, lambda: _("There is no such hand, or it is not yours to play.")),
    "run-not-found": (404, lambda: _("There is no such simulation, or it is not yours to stop.")),
    "unknown-game": (404, lambda: _("We do not have this game.")),
    "unknown-player": (404, lambda: _("We do not know you any more. Sit down again to start afresh.")),
    "table-not-found": (404, lambda: _("There is no table with this code.")),
    "seat-link": (404, lambda: _("This link leads to no seat any more.")),
    # not like this
    "bad-setup": (422, lambda: _("There is no table with these rules.")),
    "bad-notation": (422, lambda: _("That is not an action of this game.")),
    "bad-step": (422, lambda: _("The number of the move makes no sense.")),
    "bad-cut": (422, lambda: _("A cut is 1 to 64 letters, digits, _ or -, and not - alone. Nothing was dealt.")),
    "bad-stake": (422, lambda: _("This bet is not possible here. Nothing was dealt or charged.")),
    "bad-name": (422, lambda: _("A name has at most 24 characters, and none that cannot be seen.")),
    "machines-name": (422, lambda: _("That is what the house calls its machines. Choose another name.")),
    "bad-nonce": (422, lambda: _("The form was not sent as it was made. Nothing was begun.")),
    "bad-sheet": (422, lambda: _("This table of a strategy cannot be read.")),
    # not now
    "lab-too-many": (429, lambda: _("Three of your simulations are not finished yet. Wait for one, or stop one.")),
    "lab-busy-long": (
        429,
        lambda: _("The lab is full of long simulations. One of at most a million rounds still has a place."),
    ),
    "lab-busy": (429, lambda: _("The lab is full. Try again in a minute; nothing was begun.")),
    "lab-bare": (404, lambda: _("This house has no lab: it was set up without it.")),
    "illegal": (422, lambda: _("That is not possible now. Your hand is as it was.")),
    "illegal-hold": (
        422,
        lambda: _("Hold cards by their positions, 1 to 5, each at most once. Your hand is as it was."),
    ),
    "illegal-mark": (422, lambda: _("Only the cards 1 to 5 can be held, before they are exchanged.")),
    "illegal-pick": (422, lambda: _("Pick one of the four cards, 1 to 4. The same cards are still on the table.")),
    "not-dealt": (422, lambda: _("The cards are not dealt yet.")),
    "purse-too-small": (422, lambda: _("There are not enough chips in your purse. Nothing was charged.")),
    "illegal-cut": (422, lambda: _("A cut is given once, before the deal.")),
    "illegal-policy": (422, lambda: _("A seat can play timidly, like a dealer, or by basic strategy.")),
    "seat-taken": (422, lambda: _("This seat is not free.")),
    "seat-kept": (422, lambda: _("The last free seat is kept for people.")),
    "seated-already": (422, lambda: _("You sit at this table already.")),
    "seated-elsewhere": (
        422,
        lambda: _("You still play a round at another table. Sit down here when it is over."),
    ),
    "not-seated": (422, lambda: _("Only who sits at the table can do this.")),
    "table-closed": (422, lambda: _("This table is closed.")),
    "stale": (409, lambda: _("The table has moved on. This is how it stands; nothing was done.")),
    "too-many-streams": (429, lambda: _("Too many live lines are open. The page asks by itself instead.")),
    "too-many-guesses": (
        429,
        lambda: _("Too many wrong codes and links. Wait a minute; right ones lead to their tables all the while."),
    ),
    "step-ahead": (409, lambda: _("The hand is not that far. This is how it stands.")),
    "too-many-open-hands": (
        422,
        lambda: _("Too many hands are open in this browser. Finish one of them first; nothing was begun."),
    ),
    "too-many-newcomers": (
        429,
        lambda: _("Too many new players have come from your address. Wait a minute; nothing was begun."),
    ),
    # the cookie
    "box-lost": (
        409,
        lambda: _("This browser has lost the sealed deck of this hand. Nothing was at stake: sit down again."),
    ),
    "box-broken": (409, lambda: _("The sealed deck in your cookie does not open. Nothing was changed. Try again.")),
    # the key
    "deck-sealed": (
        409,
        lambda: _(
            "This hand is sealed with a key that this house does not have just now. Nothing is lost: go on when the "
            "key is back. If it stays away, the hand is void within two days, and what you staked comes back."
        ),
    ),
    "hand-sealed": (
        409,
        lambda: _(
            "This hand is sealed with a key that this house does not have just now. "
            "Its page opens when the key is back."
        ),
    ),
    "cookie-unreadable": (
        403,
        lambda: _("Your cookie cannot be read just now, so we leave it alone. Try later, or start afresh."),
    ),
}

STATUSES: Final[Mapping[int, Callable[[], str]]] = {
    400: lambda: _("We did not understand this request."),
    403: lambda: _("This request came from another site, so it was not carried out."),
    404: lambda: _("There is nothing here."),
    405: lambda: _("This address does not take that kind of request."),
    413: lambda: _("That was too much at once. Nothing was changed."),
    415: lambda: _("Send the fields as a form. Nothing was changed."),
    422: lambda: _("That is not possible now. Your hand is as it was."),
    429: lambda: _("Too many requests. Wait a moment; your hand is safe."),
    500: lambda: _("Something broke on our side. Your hand is as it was before."),
}


def refusal_of(code: str) -> tuple[int, str]:
    """Status and sentence of a code; an ``illegal-`` one without its own sentence has the common one."""
    status, sentence = REFUSALS.get(code) or REFUSALS["illegal" if code.startswith("illegal-") else code]
    return status, sentence()


def sentence_of(status: int) -> str:
    return STATUSES.get(status, STATUSES[400 if status < 500 else 500])()
