"""The actions that the buttons of a page would send: the golden ones, or the main one, which Enter presses."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from webapp.engine.action import ALONE, Action

Pairs = list[tuple[str, str]]


@dataclass
class _Button:
    form: str
    own: Pairs


@dataclass
class _Forms(HTMLParser):
    """Forms with their hidden fields, and the buttons of this look that can be seen."""

    look: str
    fields: dict[str, Pairs] = field(default_factory=dict)
    shown: list[_Button] = field(default_factory=list)
    _form: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        pair = [(named["name"], named.get("value", ""))] if named.get("name") else []
        if tag == "form":
            self._form = named.get("id") or f"form {len(self.fields)}"
            self.fields[self._form] = []
        elif tag == "input" and named.get("type") == "hidden":
            self.fields[named.get("form", self._form)] += pair
        elif tag == "button" and self.look in named["class"].split() and "hidden" not in named:
            self.shown.append(_Button(named.get("form", self._form), pair))


def golden_actions(dock: str, marks: tuple[int, ...] = ()) -> list[Action]:
    """Return what the golden buttons of a dock do. ``marks``: cards whose checkboxes are fields of the form "move"."""
    return _actions(dock, marks, "btn--primary")


def main_action(dock: str, marks: tuple[int, ...] = ()) -> Action:
    """Return what the main button of a dock does."""
    (action,) = _actions(dock, marks, "dock__main")
    return action


def _actions(dock: str, marks: tuple[int, ...], look: str) -> list[Action]:
    page = _Forms(look)
    page.feed(dock)
    found = []
    for button in page.shown:
        sent = page.fields[button.form] + button.own
        args = [int(value) for name, value in sent if name == "arg"] + [*(marks if button.form == "move" else ())]
        (verb,) = [value for name, value in sent if name == "verb"]
        found.append(Action(ALONE, verb, tuple(args)))
    return found
