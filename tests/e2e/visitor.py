"""A player of quest poker in a browser: by touch, by keyboard only, or without JavaScript.

Controls are found by their role and name, never by their appearance.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

from tests.e2e import taps

Press = Callable[[Page, Locator, str], None]
"""How this visitor does things: with the control, or with its key."""


def finger(page: Page, control: Locator, key: str) -> None:
    taps.tap(control)


def mouse(page: Page, control: Locator, key: str) -> None:
    taps.click(control)


def keys(page: Page, control: Locator, key: str) -> None:
    page.keyboard.press(key)


@dataclass
class Visitor:
    page: Page
    press: Press
    scripts: bool = True
    checked: Callable[[Page], None] = field(default=lambda page: None)
    """What is to hold whenever the table has changed."""

    # What the page shows.

    def phase(self) -> str:
        for phase, hook in PHASES.items():
            if self.page.locator(hook).count():
                return phase
        return "empty"

    def verdict(self) -> str:
        return self.page.get_by_role("region", name="The felt").get_by_role("heading").inner_text()

    def cards(self) -> list[str]:
        """Return the names of the five cards before the exchange: "Queen of hearts"."""
        return [str(card.get_attribute("aria-label")) for card in self.page.locator("[data-mark]").all()]

    def held(self) -> list[int]:
        return [n for n in range(1, 6) if self.card(n).is_checked()]

    # Controls.

    def card(self, position: int) -> Locator:
        return self.page.locator(f"#hold-{position}")

    @property
    def draw_button(self) -> Locator:
        """The button that draws: while nothing is marked, perhaps the one that holds what pays."""
        by_one_tap = ", [data-hold-sure]:not([hidden])" if self.scripts else ""
        return self.page.locator(f"[data-draw]{':not([data-away])' if self.scripts else ''}{by_one_tap}")

    @property
    def keep_button(self) -> Locator:
        return self.page.locator("button[form=keep]")

    @property
    def deal_button(self) -> Locator:
        return self.page.locator("main form[action='/play/poker'] button")

    def button(self, verb: str) -> Locator:
        return self.page.locator(f"button[name=verb][value={verb}]")

    def hidden_card(self, number: int) -> Locator:
        return self.page.locator(f"button[name=arg][value='{number}']")

    # Actions.

    def deal(self) -> None:
        with self.change():
            self.press(self.page, self.deal_button, "Enter")
            if not self.scripts:
                self.cut_and_deal("my-own-word")
            self.page.locator("[data-mark]").last.wait_for()

    def cut_and_deal(self, word: str) -> None:
        """Do what a script does by itself if it may."""
        self.page.get_by_label("Any word of your own").fill(word)
        self.press(self.page, self.page.get_by_role("button", name="Cut and deal"), "Enter")

    def hold(self, position: int) -> None:
        """Hold a card, and wait until the site has stored the mark."""
        whole_card = self.page.locator("label", has=self.card(position))
        if not self.scripts:
            self.press(self.page, whole_card, str(position))
            return
        with self.page.expect_request(lambda request: "verb=mark" in (request.post_data or "")) as asked:
            self.press(self.page, whole_card, str(position))
        asked.value.response()  # its own: an earlier mark may still be on its way

    def draw(self) -> None:
        """Draw. If five cards that pay are held, there is nothing to draw, and they are kept."""
        button = self.keep_button if self.page.locator("[data-draw][data-idle]").count() else self.draw_button
        with self.change():
            self.press(self.page, button, "Enter")

    def double(self) -> None:
        with self.change():
            self.press(self.page, self.button("double"), "d")

    def collect(self) -> None:
        with self.change():
            self.press(self.page, self.button("collect"), "c")

    def pick(self, number: int) -> None:
        with self.change():
            self.press(self.page, self.hidden_card(number), str(number))

    @contextmanager
    def change(self) -> Iterator[None]:
        """Wait at the end of the block until another table has replaced this one.

        A deck sealed by the first deal of a player is not the end: a script cuts it at once, which replaces the table
        once more.
        """
        with swapped(self.page, "#room"):
            yield
        if not self.scripts:
            self.page.wait_for_load_state()  # of the new page: what a test looks for next may be at its end
        else:
            self.page.locator("#room:not(:has(form[data-auto]))").wait_for(state="attached")
        self.checked(self.page)

    # An evening.

    def hold_what_repeats(self) -> None:
        ranks = [card.split()[0] for card in self.cards()]
        for position, rank in enumerate(ranks, 1):
            if ranks.count(rank) > 1 and not self.card(position).is_checked():  # what pays may be held already
                self.hold(position)

    def play(self, seen: set[str]) -> str:
        """Play a hand, aiming at an end not yet ``seen``. Return how it ended."""
        self.hold_what_repeats()
        self.draw()
        wins = 0
        while (phase := self.phase()) != "over":
            if phase == "pick":
                self.pick(1 + len(seen) % 4)
                wins += self.phase() == "ask"
            elif ("doubled" if wins else "collected") not in seen:
                self.collect()
                return "doubled" if wins else "collected"
            else:
                self.double()
        return "lost" if "loses to" in self.verdict() else "nothing"


PHASES = {
    "exchange": "[data-mark]",
    "ask": "button[name=verb][value=double]",
    "pick": "button[name=arg]",
    "ready": "#cut",
    "over": "main :is([popovertarget=sharing], a[data-share])",
}


@contextmanager
def swapped(page: Page, root: str) -> Iterator[None]:
    """Wait at the end of the block until the element was replaced and all cards have arrived.

    Between the swap and htmx's settling nothing moves yet.
    """
    page.locator(root).evaluate("element => element.setAttribute('data-before', '')")
    yield
    page.locator(f"{root}:not([data-before], [data-moving], .htmx-settling)").wait_for(state="attached")


def tab_to(page: Page, control: Locator, most: int = 60) -> None:
    """Press Tab until the control has the focus."""
    for _ in range(most):
        if control.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator does not lead to {control}")
