"""What is wrong with how a page lies on its screen, as a browser measures it: for any page, size and language."""

from playwright.sync_api import Page

WIDE = "* { letter-spacing: 0.06em !important }"
"""As if the machine had a wider font: which fonts there are is nobody's business."""

_FAULTS = r"""() => {
  const found = new Set();
  const layers =
    ".asked, .dock, .reminder, .refusal, .hands, #link-state, .squeeze, .shuffle, dialog, .more-bets, .panel.next";
  const layerOf = (element) => element.closest(layers); // what may lie over other things on purpose
  const said = (element) => (element.textContent.trim() || element.getAttribute("aria-label") || "").slice(0, 40);
  const isSeen = (element) =>
    !element.matches("details:not([open])") &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".unseen, .skip");
  const over = (one, other, by) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  const isOutside = (box, cut) =>
    box.left < cut.left - 1 || box.right > cut.right + 1 || box.top < cut.top - 1 || box.bottom > cut.bottom + 1;
  const isGone = (box, cut) =>
    box.right <= cut.left + 1 || box.left >= cut.right - 1 || box.bottom <= cut.top + 1 || box.top >= cut.bottom - 1;

  // The boxes at which an element is cut off, and whether what is beyond them can be scrolled to.
  const cutsOf = (element) => {
    const cuts = [];
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      const isScrolled = /auto|scroll/.test(overflowX + overflowY);
      const isCutting = overflowX !== "visible" || overflowY !== "visible";
      if (isCutting) cuts.push({ cut: at.getBoundingClientRect(), isScrolled });
      if (position === "fixed") break;
    }
    return cuts;
  };

  // Words, and where their letters stand, which are lower than their lines.
  const words = [];
  let dangling = null; // a sign between two words that is seen, whose second word is still to come
  const isBetween = (word) => /^[·\u2013|/]$/.test(word);
  const follow = (word, place, isHidden) => {
    if (dangling && isHidden && dangling.block === blockOf(place)) found.add(`dangling: ${dangling.said}`);
    dangling = !isHidden && isBetween(word) ? { block: blockOf(place), said: said(place) } : null;
  };
  const blockOf = (place) => {
    while (getComputedStyle(place).display.startsWith("inline")) place = place.parentElement;
    return place;
  };
  const look = (text, place, cuts, word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const rects = Array.from(range.getClientRects()).filter(({ width, height }) => width && height);
    if (!rects.length) return;
    const lines = new Set(rects.map(({ top }) => Math.round(top)));
    if (lines.size > 1 && word[0].length < 24 && !place.closest("code")) found.add(`broken: ${word[0]}`);
    const [{ left, right, top, height }] = rects;
    const box = { left, right, top: top + height / 4, bottom: top + (3 * height) / 4 };
    const isHidden = cuts.some(({ cut }) => isGone(box, cut));
    follow(word[0], place, isHidden);
    if (isHidden) return;
    if ([place, place.parentElement].some((each) => getComputedStyle(each).textOverflow === "ellipsis")) return;
    const cutting = cuts.filter(({ cut }) => isOutside(box, cut));
    if (cutting.some(({ isScrolled }) => isScrolled)) return;
    if (cutting.length) found.add(`cut: ${word[0]} of ${said(place)}`);
    words.push({ ...box, text, place, word: word[0], layer: layerOf(place) });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const place = text.parentElement;
    if (!text.data.trim() || place.closest("script, style, noscript, option, svg") || !isSeen(place)) continue;
    const cuts = cutsOf(place);
    const parts = text.data.matchAll(/[\p{Script=Latin}\p{N}.,'\u2019%]+|[^\s\p{Script=Latin}\p{N}]/gu);
    for (const word of parts) look(text, place, cuts, word);
  }
  words.sort((one, other) => one.top - other.top);
  words.forEach((one, index) => {
    for (let at = index + 1; at < words.length && words[at].top < one.bottom; at++) {
      const other = words[at];
      if (one.text !== other.text && one.layer === other.layer && over(one, other, 1))
        found.add(`over: ${one.word} (${said(one.place)}) and ${other.word} (${said(other.place)})`);
    }
  });

  // Letters under something that is not see-through and does not hold them, as an amount that lies on a name.
  const isOpaque = (element) => {
    const [, , , alpha = "1"] = getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, "0"];
    return Number(alpha) > 0.5;
  };
  const lids = Array.from(document.querySelectorAll(".amount, .lammer, .mark, .points, .refusal, .all-pays"))
    .filter((element) => isSeen(element) && isOpaque(element))
    .map((element) => ({ element, lid: element.getBoundingClientRect(), layer: layerOf(element) }))
    .filter(({ element, lid }) => !cutsOf(element.parentElement).some(({ cut }) => isGone(lid, cut)));
  for (const { place, word, layer, left, right, top, bottom } of words) {
    const letters = { left, right, top, bottom: bottom + (bottom - top) / 4 };
    for (const { element, lid, layer: own } of lids)
      if (!element.contains(place) && own === layer && over(letters, lid, 1))
        found.add(`covered: ${word} of ${said(place)} by ${said(element)}`);
  }

  // Things to tap: none over another, and none too small; a mark in the corner of a field may lie on it.
  const isScrolledAway = ({ box, cuts }) => cuts.some(({ cut, isScrolled }) => isScrolled && isOutside(box, cut));
  const taps = Array.from(document.querySelectorAll("button, a[href], input, select, summary"))
    .filter(isSeen)
    .map((element) => ({ element, box: element.getBoundingClientRect(), cuts: cutsOf(element.parentElement) }))
    .filter((tap) => !isScrolledAway(tap));
  taps.forEach(({ element, box }, index) => {
    for (const { element: other, box: otherBox } of taps.slice(index + 1)) {
      const isWithin = element.contains(other) || other.contains(element);
      const isMark = element.matches(".all-pays") || other.matches(".all-pays");
      if (isWithin || isMark || layerOf(element) !== layerOf(other)) continue;
      if (over(box, otherBox, 1.5)) found.add(`taps over: ${said(element)} and ${said(other)}`);
    }
    const isInLine = element.matches("a") && getComputedStyle(element).display === "inline";
    if (isInLine || element.matches("[type=checkbox], [type=radio]")) return; // part of a sentence, or of its label
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (Math.min(width, height) < 24) found.add(`small: ${said(element)}, ${width} x ${height}`);
  });

  // Cards, open or not, upright or sideways, are five to seven.
  for (const card of Array.from(document.querySelectorAll(".card-art")).filter(isSeen)) {
    const { width, height } = card.getBoundingClientRect();
    const shape = Math.min(width, height) / Math.max(width, height);
    if (width && height && Math.abs(shape - 5 / 7) > 0.06)
      found.add(`no card: ${said(card)}, ${Math.round(width)} x ${Math.round(height)}`);
  }

  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.add(`wider than the screen by ${wide}`);
  return Array.from(found);
}"""


def faults(page: Page) -> list[str]:
    """Broken words, text that is cut off, text over text, controls over controls or too small, and too wide a page."""
    found: list[str] = page.evaluate(_FAULTS)
    return found


def turn(page: Page, wide: int, high: int) -> None:
    """Give the page another screen, and wait until what it needs then is loaded and drawn."""
    page.set_viewport_size({"width": wide, "height": high})
    page.wait_for_load_state("networkidle")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def set_in(page: Page, font: str) -> None:
    """Give the letters of a page more room, or that of their own font again."""
    sheet = "const sheet = new CSSStyleSheet(); sheet.replaceSync(font); document.adoptedStyleSheets = [sheet]"
    page.evaluate(f"(font) => {{ {sheet} }}", font)
