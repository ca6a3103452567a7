// Sections of the staff's consoles.

import { fill, html } from "../base/dom.js";
import { phaseText } from "../base/labels.js";
import { phrase } from "../base/language.js";

const FOCUSABLE = "a, button, input, select, summary";

/**
 * A part of a page that is drawn anew only when it would look different, so that typing is never lost. `make(state)`
 * returns its children; what comes back takes a state and draws.
 */
export function redrawnPart(element, make) {
  let before = null;
  return (state) => {
    const drawn = html("div", make(state));
    const now = drawn.innerHTML;
    if (now === before) return;
    before = now;
    const controls = () => Array.from(element.querySelectorAll(FOCUSABLE));
    const focused = controls().indexOf(document.activeElement);
    fill(element, Array.from(drawn.childNodes));
    if (focused < 0) return;
    const first = element.querySelector("[data-first]:not(:disabled)");
    const next = first ?? controls()[focused] ?? element;
    next.focus({ preventScroll: true });
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

/** A section with a heading; `name` is part of its class. */
export function panel(name, heading, ...children) {
  return html(`section.panel.part-${name}`, { label: heading }, html("h2", heading), children);
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
