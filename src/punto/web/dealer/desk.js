// A table with what its staff need besides the view: the store, and the desk fetched with every change.

import { bets, get } from "../base/api.js";
import { button, h, put } from "../base/dom.js";
import { refuse } from "../base/notes.js";
import { follow } from "../base/store.js";

/** Follow a table as staff. `draw({table, view, desk, bets})` is called with every change; returns {table, close}. */
export async function openDesk(name, draw) {
  const table = await follow(name);
  let fetching = false, again = false, desk = null, closed = false;
  const menu = await bets(table.view.book, table.view.layout);
  const fetch = async () => {
    if (fetching) return void (again = true);
    fetching = true;
    do {
      again = false;
      try {
        const found = await get(`/api/tables/${name}/desk`);
        if (!desk || found.sequence >= desk.sequence) desk = found;
      } catch (error) {
        if (!desk) throw error;
      }
    } while (again);
    fetching = false;
    if (!closed) draw({ table, view: table.view, desk, bets: menu, settled });
  };
  const settled = async () => {
    for (let tries = 0; tries < 40 && desk.sequence < table.snapshot.sequence; tries++) {
      if (!fetching) await fetch().catch(() => {});
      else await new Promise((done) => setTimeout(done, 25));
    }
  };
  const off = table.on("change", () => void fetch().catch(() => {}));
  try {
    await fetch();
  } catch (error) {
    off();
    table.close();
    throw error;
  }
  return { table, close() { closed = true; off(); table.close(); } };
}

/** A part of the page that is drawn anew only when what it shows has changed, so that typing is never lost. */
export function part(element, shows, draw) {
  let was = null;
  return (state) => {
    const now = JSON.stringify(shows(state));
    if (now === was) return;
    was = now;
    const inside = element.contains(document.activeElement);
    put(element, draw(state));
    if (inside) (element.querySelector("[data-first]:not(:disabled)") ?? element).focus?.({ preventScroll: true });
  };
}

/** Give a command; what is refused is said beside `near`. Resolves to the answer, or null. */
export async function give(table, command, near) {
  try {
    return await table.do(command);
  } catch (refusal) {
    refuse(near, refusal, table.view?.book, { for: 0 });
    return null;
  }
}

/** A button that gives a command, and waits for it. */
export function doing(table, words, command, props = {}) {
  const one = button(words, async () => {
    const given = typeof command === "function" ? command() : command;
    if (!given) return;
    one.closest("[data-refusals]")?.querySelector(":scope > .refusal")?.remove();
    one.disabled = true;
    await give(table, given, one.parentElement ?? one);
    one.disabled = false;
  }, { class: "button small", ...props });
  return one;
}

/** A panel of a console. */
export const panel = (name, words, ...children) =>
  h("section", { class: `panel part-${name}`, "aria-label": words, "data-refusals": "" }, words && h("h2", {}, words), ...children);
