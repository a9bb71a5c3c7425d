"""Every page by keyboard alone, and light enough for a slow phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import World
from tests.web.test_journeys import _each_page, address, browser, come_in, crowd

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]

_BOX = -2
"""A box that scrolls is a stop of its own; so are day, month and year of one date."""

STOPS = 30
"""How many places of each page are walked to; the first are the same on all."""

MOST_BYTES = 150 * 1024

_PLACES = """() => {
  const shown = (e) => {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    const folded = e.closest("details:not([open]) > :not(summary)");
    return box.width > 0 && box.height > 0 && style.visibility !== "hidden" && !folded;
  };
  const found = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((e) => e.type !== "hidden" && !e.disabled && shown(e));
  const groups = new Set();
  return found.filter((e) => {
    if (e.type !== "radio") return true;
    if (groups.has(e.name)) return false;
    groups.add(e.name);
    return true;
  }).map((e, n) => { e.dataset.place = String(n); return e.outerHTML.slice(0, 120); });
}"""

_WHERE = """() => {
  const e = document.activeElement, style = getComputedStyle(e);
  const same = `input[type=radio][name="${e.name}"][data-place]`;
  const group = e.type === "radio" ? document.querySelector(same) : e;
  const label = e.id ? document.querySelector(`label[for="${e.id}"]`) : null;
  const ring = [e, label].some((x) => x && getComputedStyle(x).outlineStyle !== "none");
  const box = e !== document.body && (e.hasAttribute("tabindex") || e.scrollWidth > e.clientWidth);
  const place = group && group.dataset.place ? Number(group.dataset.place) : box ? -2 : -1;
  return [place, ring || style.boxShadow !== "none"];
}"""


def test_every_place_is_reached_by_tab_in_order_and_seen(come_in: Callable[..., Any], crowd: World) -> None:
    missed, unseen = [], []
    for one, page in _each_page(come_in, viewport={"width": 1280, "height": 800}):
        page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
        places = page.evaluate(_PLACES)
        page.evaluate("() => { const s = document.querySelector('a.skip'); s.focus(); }")
        for number in range(1, min(STOPS, len(places))):
            page.keyboard.press("Tab")
            at, seen = page.evaluate(_WHERE)
            while at == _BOX or (at == number - 1 and 'type="date"' in places[at]):
                page.keyboard.press("Tab")
                at, seen = page.evaluate(_WHERE)
            if at != number:
                missed.append((one, number, places[number], at))
                break
            if not seen:
                unseen.append((one, places[number]))
    assert not missed
    assert not unseen


@pytest.mark.parametrize("name", ["", "third_preparer", "company", "operator", "verifier"])
def test_the_first_page_is_light(come_in: Callable[..., Any], crowd: World, name: str) -> None:
    """What a first visit brings, with style, pictures and scripts, as it travels before it is packed."""
    page = come_in(name) if name else come_in()
    brought = list[int]()
    page.on("response", lambda answer: brought.append(len(answer.body())) if answer.ok else None)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert 0 < sum(brought) < MOST_BYTES
