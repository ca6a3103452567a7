// Saying things: to the ear, beside what caused them, and when the house is away.

import { h, text } from "./dom.js";
import { t } from "./words.js";

/** Say something to a screen reader; `urgent` interrupts. */
export function say(words, { urgent = false } = {}) {
  const region = document.getElementById(urgent ? "urgent" : "said");
  if (region) region.textContent = words;
}

/** "4.1.1#banker-6" → "4.1.1": our names for parts of a clause are not printed. */
export const printed = (clause) => String(clause).split("#")[0];

const TAGS = { "commission-insurance": "RWS", "da-hu-ying-xiong": "RWS", "wu-song": "RWS", "dragon-tiger-mbs": "MBS", "dragon-tiger-hoiana": "Hoiana" };

/** Clauses as small tags: ["5.3#a"] of wu-song → `RWS 5.3`. Readings (AMB-…) are left out. */
export function clauseTags(clauses, book) {
  const shown = [...new Set((clauses ?? []).map(printed))];
  return h("span", { class: "clauses" }, shown.map((each) => h("span", { class: "clause", title: `${t("clause")} ${each}` }, `${TAGS[book] ?? ""} ${each}`.trim())));
}

const cleaned = (words) => words.replace(/\s*\([^()]*\)\s*$/, "");

/** A refusal next to what caused it, in its words and with its clauses; it goes by itself, or at a click. */
export function refuse(beside, refusal, book, { for: ms = 7000 } = {}) {
  const host = beside.closest("[data-refusals]") ?? beside;
  host.querySelector(":scope > .refusal")?.remove();
  const note = h("div", { class: "refusal", role: "alert" },
    h("span", {}, refusal.clauses?.length ? cleaned(refusal.message) : refusal.message), " ", clauseTags(refusal.clauses, book),
    h("button", { type: "button", class: "bare", "aria-label": t("close"), onclick: (event) => { event.stopPropagation(); note.remove(); } }, "×"));
  host.append(note);
  if (ms) setTimeout(() => note.remove(), ms);
  return note;
}

/** Show whether the house can be reached, for a store. */
export function showLink(store) {
  const bar = document.getElementById("link-state");
  let timer = 0, lost = false;
  const draw = () => {
    clearTimeout(timer);
    if (store.linked) {
      bar.className = "found";
      if (lost) {
        text(bar, t("back"));
        timer = setTimeout(() => { bar.hidden = true; }, 1800);
      } else bar.hidden = true;
      lost = false;
    } else timer = setTimeout(() => {
      lost = true;
      bar.className = "lost";
      bar.hidden = false;
      text(bar, t("away"));
    }, 700);
  };
  draw();
  const off = store.on("link", draw);
  return () => {
    off();
    clearTimeout(timer);
    bar.hidden = true;
  };
}
