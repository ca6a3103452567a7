// Sections of the staff's consoles.

import { fill, html, isFocusElsewhere } from "../base/dom.js";
import { phaseText } from "../base/labels.js";
import { phrase } from "../base/language.js";

const FOCUSABLE = "a, button, input, select, summary";
const KEPT = "input, select, fieldset, details";

/**
 * By what a control is known again when its part was drawn anew: its name, and the item that it stands in. What folds
 * has its heading for a name.
 */
function keyOf(control) {
  const item = control.closest("[data-item]")?.dataset.item ?? "";
  const name = control.tagName === "DETAILS" ? control.querySelector("summary")?.textContent : control.name;
  const isSent = control.closest("[data-sending]") ?? control.querySelector("[data-sending]");
  return name && !isSent ? `${control.tagName} ${item} ${name}` : null;
}

/** What somebody did to a control is done to the same one, drawn anew; `take` is its own way to do so. */
function carry(old, control) {
  if (control.take) control.take(old.read());
  else if (control.tagName === "DETAILS") control.open = old.open;
  else if (control.type === "checkbox") control.checked = old.checked;
  else if (control.tagName === "INPUT") control.value = old.value;
  else if (Array.from(control.options ?? []).some(({ value }) => value === old.value)) control.value = old.value;
  if (control.value) control.dispatchEvent(new Event("input")); // for what is worked out from it
}

/** The controls of a part by their keys; of several with the same key each has its own. */
function keyed(element) {
  const found = new Map();
  for (const control of element.querySelectorAll(KEPT)) {
    let key = keyOf(control);
    if (!key) continue;
    while (found.has(key)) key += "+";
    found.set(key, control);
  }
  return found;
}

/**
 * Draw a part anew: whatever was typed, chosen, ticked, put together or unfolded there and not yet sent stays so in the
 * same controls, and so does the focus.
 */
export function drawAnew(element, children) {
  const controls = () => Array.from(element.querySelectorAll(FOCUSABLE));
  const at = document.activeElement;
  const [focused, key, kept] = [controls().indexOf(at), keyOf(at), keyed(element)];
  fill(element, children);
  for (const [each, control] of keyed(element)) {
    if (kept.has(each)) carry(kept.get(each), control);
  }
  if (focused < 0 && at !== element) return;
  const first = element.querySelector("[data-first]:not(:disabled)");
  const same = key && controls().find((control) => keyOf(control) === key);
  const next = same ?? first ?? controls()[focused] ?? element;
  next.focus({ preventScroll: true });
}

/**
 * A part of a page that is drawn anew only when it would look different. `make(state)` returns its children; what comes
 * back takes a state and draws.
 */
export function redrawnPart(element, make) {
  let before = null;
  return (state) => {
    const drawn = html("div", make(state));
    const now = drawn.innerHTML;
    if (now === before) return;
    before = now;
    drawAnew(element, Array.from(drawn.childNodes));
  };
}

/**
 * Whoever works with the keyboard never loses their place: where what had the focus is gone, `home()` gets it. Returns
 * how to stop.
 */
export function keepFocus(root, home) {
  let last = null; // what had the focus within the root
  const remember = ({ target }) => (last = target);
  const isGone = () => last && (!root.contains(last) || !last.checkVisibility());
  const watch = new MutationObserver(() => {
    if (!isGone() || isFocusElsewhere()) return;
    last = null;
    home().focus({ preventScroll: true });
  });
  root.addEventListener("focusin", remember);
  watch.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
  return () => {
    watch.disconnect();
    root.removeEventListener("focusin", remember);
  };
}

/** Open a console's page; returns how to close it. A page that cannot be opened is closed at once. */
export async function openPage(page, root) {
  try {
    await page.open(root);
  } catch (error) {
    page.close();
    throw error;
  }
  return () => page.close();
}

/** A section with a heading, perhaps with the hint of a key; `name` is part of its class. */
export function panel(name, heading, ...children) {
  const [label] = [heading].flat();
  return html(`section.panel.part-${name}`, { label }, html("h2", heading), children);
}

/** With Shift, this key leads there. */
export function keyHint(key) {
  return html("kbd", { "aria-hidden": "true" }, `⇧${key}`);
}

/** The same, folded until it is opened. */
export function foldedPanel(name, heading, ...children) {
  return html(`details.panel.part-${name}`, html("summary", html("h2", heading)), children);
}

/** Where a table stands: "Round 3 · Dealing". */
export function progressText({ open, round }) {
  const phase = phaseText({ open, phase: round?.phase });
  return round ? `${phrase("round", round.number)} · ${phase}` : phase;
}
