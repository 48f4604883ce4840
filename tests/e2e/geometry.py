"""Measurements of a page: whether it fits, whether it moves, whether controls are large enough for a thumb."""

from typing import Any

from playwright.sync_api import Page

Box = tuple[float, float, float, float]


STILL = """document.getAnimations().forEach(each => {
    if (each.effect.getComputedTiming().endTime !== Infinity) each.finish();
  });"""


def still(page: Page) -> None:
    """Let all animations end."""
    page.evaluate(f"() => {{ {STILL} }}")


def measured(page: Page, measure: str, argument: Any = None) -> Any:
    """Let all animations end and return the result of this function, in one call so that none can begin in between."""
    return page.evaluate(f"argument => {{ {STILL} return ({measure})(argument); }}", argument)


def too_large(page: Page, tall: bool = True) -> list[str]:
    """Return what has to be scrolled: sideways at all, or down unless the page may be ``tall``."""
    window = page.viewport_size
    assert window is not None
    width, height = measured(
        page, "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    wide = [f"{width} px wide"] if width > window["width"] else []
    return [*wide, f"{height} px high"] if height > window["height"] and not tall else wide


def fits(page: Page) -> None:
    assert too_large(page, tall=False) == []


PLACES = """() => {
  const found = {};
  const put = (name, element) => {
    if (!element) return;
    const box = element.getBoundingClientRect();
    found[name] = [box.left + scrollX, box.top + scrollY, box.width, box.height];
  };
  const main = document.querySelector("main");
  put("title", document.querySelector("header h1"));
  put("rules and keys", document.querySelector("header [data-help]"));
  main.querySelectorAll(".stage > .hand > *").forEach((card, n) => put(`card ${n + 1}`, card));
  put("open card", main.querySelector(".round__open"));
  main.querySelectorAll(".picks > *").forEach((card, n) => put(`pick ${n + 1}`, card));
  put("next step", main.querySelector(".dock__main") ?? Array.from(main.querySelectorAll(".dock button")).at(-1));
  put("actions", main.querySelector(".dock"));
  put("sentence", main.querySelector(".verdict"));
  return found;
}"""


def places(page: Page) -> dict[str, Box]:
    """Return the boxes of elements that must not move."""
    found: dict[str, Any] = measured(page, PLACES)
    return {name: tuple(box) for name, box in found.items()}


def moved(before: dict[str, Box], after: dict[str, Box], by: float = 1) -> list[str]:
    """Return what has moved or changed its size. The next step of a replay may begin further right."""
    found = []
    for name in before.keys() & after.keys():
        (x, y, w, h), (left, top, width, height) = before[name], after[name]
        pairs = [(y, top), (h, height), (x + w, left + width)]
        if name not in ("next step", "title"):
            pairs.append((x, left))
        if name == "title":
            pairs = [(x, left), (y, top)]
        if any(abs(was - now) > by for was, now in pairs):
            found.append(f"{name}: {before[name]} -> {after[name]}")
    return sorted(found)


SMALL = """least => {
  const shown = element => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.height > 1
      && box.right > 0 && box.bottom + scrollY > 0;
  };
  const inText = element => element.matches("a") && getComputedStyle(element).display === "inline";
  const name = ({element}) => `${element.tagName.toLowerCase()} "${element.ariaLabel || element.textContent.trim()}"`;
  const controls = Array.from(document.querySelectorAll("a, button, summary, select, input:not([type=hidden])"))
    .filter(element => shown(element) && !inText(element))
    .map(element => ({
      element,
      box: (element.closest("label") ?? element).getBoundingClientRect(),
      within: element.closest("section, dialog, nav, header, [role=dialog]"),
    }));
  const small = controls
    .filter(({box}) => box.width < least - 0.01 || box.height < least - 0.01)
    .map(each => `${name(each)} ${each.box.width.toFixed(1)} x ${each.box.height.toFixed(1)}`);
  // the cards of a hand lie on each other, and what a summary opens lies on it
  const may = ({element: one}, {element: other}) => one.matches("input") || other.matches("input")
    || one.matches("summary") && one.parentElement.contains(other);
  const overlap = ({box: a}, {box: b}) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const laid = controls.flatMap((one, place) => controls.slice(place + 1)
    .filter(other => one.within === other.within && overlap(one, other) && !may(one, other))
    .map(other => `${name(other)} lies on ${name(one)}`));
  return [...small, ...laid];
}"""


def small_targets(page: Page, least: float = 44) -> list[str]:
    """Return controls that are too small for a thumb or partly covered, except links in running text."""
    found: list[str] = measured(page, SMALL, least)
    return found


CLIPPED = """() => {
  const seen = element => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({visibilityProperty: true}) && box.width > 2 && box.height > 2;
  };
  // a number in a field, of which only the first digits are seen, is another number
  const field = element => element.matches("input[type=text], input:not([type])");
  const own = element => Array.from(element.childNodes).some(node => node.nodeType === 3 && node.data.trim());
  return Array.from(document.querySelectorAll("#room *"))
    .filter(element => seen(element) && (own(element) || field(element) || element.matches("button, a, label")))
    .filter(element => !element.closest("pre, svg") && getComputedStyle(element).display !== "inline")
    .filter(element => {
      if (field(element)) return element.scrollWidth > element.clientWidth;
      const over = getComputedStyle(element).overflowX !== "visible" || element.matches("button, a, label");
      return over && element.scrollWidth > element.clientWidth + 1;
    })
    .map(element => `${element.tagName.toLowerCase()}.${element.className} "${element.value || element.textContent.trim()}"`
      + ` ${element.scrollWidth} in ${element.clientWidth}`);
}"""


def clipped(page: Page) -> list[str]:
    """Return texts that do not fit into their element."""
    found: list[str] = measured(page, CLIPPED)
    return found


SHREDDED = """() => Array.from(document.querySelectorAll("#room *")).filter(element => {
    const text = Array.from(element.childNodes).filter(node => node.nodeType === 3).map(node => node.data.trim()).join("");
    if (text.length < 4 || element.closest("svg, pre") || !element.checkVisibility({visibilityProperty: true})) return false;
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect(), letter = parseFloat(getComputedStyle(element).fontSize);
    return box.width > 2 && box.width < 2.2 * letter && box.height > 3 * letter;
  }).map(element => `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim()}"`)"""


def shredded(page: Page) -> list[str]:
    """Return words that are broken into single letters for lack of space."""
    found: list[str] = measured(page, SHREDDED)
    return found


BURST = """() => Array.from(document.querySelectorAll(".verdict")).filter(verdict => {
    const box = verdict.getBoundingClientRect();
    return Array.from(verdict.children).some(each => each.getBoundingClientRect().top < box.top - 0.5
      || each.getBoundingClientRect().bottom > box.bottom + 0.5);
  }).map(verdict => `"${verdict.textContent.replace(/\\s+/g, " ").trim()}" has no room`)"""


def burst(page: Page) -> list[str]:
    """Return sentences of the table that are larger than their place."""
    found: list[str] = measured(page, BURST)
    return found


COLLIDING = r"""() => {
  const name = each => each.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const isInline = each => ["inline", "contents"].includes(getComputedStyle(each).display);
  const block = each => { while (isInline(each)) each = each.parentElement; return each; };
  const fixed = each => {
    while (each && !["sticky", "fixed"].includes(getComputedStyle(each).position)) each = each.parentElement;
    return each;
  };
  const overflows = ({overflowX, overflowY}) => [overflowX, overflowY];
  const isWithin = (box, edge, by) => box.left >= edge.left - by && box.right <= edge.right + by
    && box.top >= edge.top - by && box.bottom <= edge.bottom + by;
  // "cut": by the edge of what the text stands on. "away": hidden altogether. "free": may be scrolled, or is whole.
  const fate = (element, box) => {
    for (let up = element; up.id !== "room"; up = up.parentElement) {
      const style = getComputedStyle(up), edge = up.getBoundingClientRect();
      if (overflows(style).some(each => each === "auto" || each === "scroll")) return ["free"];
      if (isInline(up)) continue;
      // names of people may end in an ellipsis, and the oldest lines of a log fade out
      if (edge.width <= 2 || edge.height <= 2 || style.maskImage !== "none" || up.matches(".place__who, .facts__who")) return ["away"];
      const isClipped = overflows(style).some(each => each !== "visible");
      if (isClipped && (box.top >= edge.bottom - 1 || box.left >= edge.right - 1)) return ["away"];
      const isFramed = !up.matches("main, .room, .page, .card")
        && (up.matches("button, a, label, summary") || style.backgroundColor !== "rgba(0, 0, 0, 0)");
      if ((isClipped || isFramed) && !isWithin(box, edge, 1.5)) return ["cut", up];
    }
    return box.right > innerWidth + 1 || box.left < -1 ? ["cut", document.body] : ["free"];
  };
  const lines = [], found = new Set();
  const texts = document.createTreeWalker(document.getElementById("room"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest("pre, template, noscript, .visually-hidden")) continue;
    if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const {left, right, top, bottom} of range.getClientRects()) {
      if (right - left < 2 || bottom - top < 2) continue;
      const least = (bottom - top) * 0.24; // letters are that much lower than their line
      const box = {left, right, top: top + least, bottom: bottom - least};
      const [is, by] = fate(element, box);
      if (is === "cut") found.add(`"${name(element)}" is cut by ${by.tagName.toLowerCase()}.${by.className}`);
      if (is !== "away") lines.push({element, box});
    }
  }
  for (const suit of document.querySelectorAll("#room .pip")) {
    if (!suit.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const [is, by] = fate(suit.parentElement, suit.getBoundingClientRect());
    if (is === "cut") found.add(`the suit of "${name(suit.parentElement)}" is cut by ${by.tagName.toLowerCase()}.${by.className}`);
  }
  for (const [place, {element: one, box: a}] of lines.entries()) for (const {element: other, box: b} of lines.slice(place + 1)) {
    if (a.left >= b.right - 1 || b.left >= a.right - 1 || a.top >= b.bottom - 1 || b.top >= a.bottom - 1) continue;
    if (fixed(one) !== fixed(other) || block(one) === block(other)) continue;
    found.add(`"${name(one)}" and "${name(other)}"`);
  }
  return [...found];
}"""


def colliding(page: Page) -> list[str]:
    """Return texts that lie on each other, or that are cut, as are suits, by the edge of what they stand on."""
    found: list[str] = measured(page, COLLIDING)
    return found


CROWDED_LINES = r"""() => {
  const found = new Set(), texts = document.createTreeWalker(document.getElementById("room"), NodeFilter.SHOW_TEXT);
  const lines = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const tops = [...range.getClientRects()].filter(({width}) => width > 1).map(({top}) => Math.round(top));
    return [...new Set(tops)].sort((a, b) => a - b);
  };
  while (texts.nextNode()) {
    const node = texts.currentNode, element = node.parentElement, {data} = node;
    const isHidden = !element.checkVisibility({visibilityProperty: true}) || element.getBoundingClientRect().width < 3;
    if (isHidden || element.closest("pre, code, template, noscript, .visually-hidden")) continue;
    const tops = lines(node, 0, data.length), size = parseFloat(getComputedStyle(element).fontSize);
    const least = Math.min(...tops.slice(1).map((top, place) => top - tops[place]));
    if (least < size * 0.9) found.add(`lines of "${data.trim().slice(0, 40)}" are ${least} px high, its letters ${size}`);
    // the narrowest windows, and running text beside keys, have no room for the longest words
    if (innerWidth < 360 || !element.closest("a, button, summary, label, h1, h2, h3, .desk__line")) continue;
    for (const {0: word, index} of data.matchAll(/\p{Script=Latin}{3,}/gu)) {
      if (lines(node, index, index + word.length).length > 1) found.add(`"${word}" is broken in ${element.tagName.toLowerCase()}.${element.className}`);
    }
  }
  return [...found];
}"""


def crowded_lines(page: Page) -> list[str]:
    """Return texts whose lines are less high than their letters, and broken words of controls, in Latin letters."""
    found: list[str] = measured(page, CROWDED_LINES)
    return found


OVERLAID = """([above, below]) => Array.from(document.querySelectorAll(above)).flatMap(one => {
    const a = one.getBoundingClientRect();
    return Array.from(document.querySelectorAll(below)).filter(other => {
      const b = other.getBoundingClientRect();
      return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    }).map(other => `"${one.textContent.trim()}" and "${other.ariaLabel || other.textContent.trim()}"`);
  })"""


def overlaid(page: Page, above: str, below: str) -> list[str]:
    """Return elements of ``above`` that cover elements of ``below``."""
    found: list[str] = measured(page, OVERLAID, [above, below])
    return found


WATCH_SHIFTS = """
  globalThis.shifts = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      shifts.push({value: entry.value, what: entry.sources.map(source => source.node?.parentElement ?
        `${source.node.nodeName}.${source.node.className ?? ""}` : "gone")});
    }
  }).observe({type: "layout-shift", buffered: true});
"""


TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def watch_shifts(page: Page) -> None:
    """Record layout shifts from the next page on; ``shifts(page)`` returns them."""
    page.add_init_script(WATCH_SHIFTS)


def forget_shifts(page: Page) -> None:
    """Discard the layout shifts so far. They are reported with the next frame."""
    page.evaluate(TWO_FRAMES)
    page.evaluate("() => { shifts.length = 0; }")


def shifts(page: Page) -> list[str]:
    """Return layout shifts since the page was opened, including those right after input."""
    page.evaluate(TWO_FRAMES)
    found: list[dict[str, Any]] = page.evaluate("() => shifts")
    return [f"{each['value']:.4f} {each['what']}" for each in found if each["value"] > 0.0002]
