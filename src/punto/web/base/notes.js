// Saying things: to the ear, beside what caused them, and when the house cannot be reached.

import { button, html, setText } from "./dom.js";
import { phrase } from "./language.js";

const BEFORE_SHOWN = 700; // ms: a short break is nobody's business
const SHOWN_AFTER = 1800; // ms that "connected again" stays

const KEPT = 9; // lines that a screen reader may still go back to

/** To a screen reader, one line after the other; "urgent" interrupts, and is one line alone. */
export function announce(text, how = "said") {
  const place = document.getElementById(how);
  while (place.children.length > (how === "said" ? KEPT : 0)) place.firstChild.remove();
  place.append(html("p", text));
}

// What was said in another language, or before the names of this one were there, is said anew by whoever shows it.
addEventListener("language", () => {
  for (const place of ["said", "urgent"]) document.getElementById(place).replaceChildren();
});

/** Where a note about an element is put: into the form, card or field that the element is part of. */
function placeForNotes(element) {
  return element.closest("form, li, .question, .panel, .spot-box, .dock, .asked") ?? element;
}

/** A refusal as a sentence next to what caused it; it stays until it is closed, or for `duration` milliseconds. */
export function showRefusal(beside, refusal, book, duration = 0) {
  clearRefusal(beside);
  const clauses = html("span");
  const note = html(
    "div.refusal",
    { role: "alert" },
    html("span", sentenceOf(refusal)),
    " ",
    clauses,
    button("×", closeNote, { class: "bare", label: phrase("close") }),
  );
  function closeNote(event) {
    event.stopPropagation();
    note.remove();
  }
  placeForNotes(beside).append(note);
  if (refusal.clauses?.length) void addClauses(clauses, refusal.clauses, book);
  if (duration) setTimeout(() => note.remove(), duration);
  return note;
}

/** Tags of clauses are loaded with the first refusal that has any. */
async function addClauses(place, clauses, book) {
  const loaded = await import("./clauses.js").catch(() => null);
  if (loaded) place.append(loaded.clauseTags(clauses, book));
}

/** A refusal ends with its clauses in brackets; where they stand beside it as tags, that is left out. */
function sentenceOf({ message, clauses }) {
  return clauses?.length ? message.replace(/\s*\([^()]*\)\s*$/, "") : message;
}

export function clearRefusal(beside) {
  placeForNotes(beside).querySelector(":scope > .refusal")?.remove();
}

/** Do what the house may refuse: the refusal stands beside its cause. Resolves to what came of it, or null. */
export async function attempt(beside, book, work) {
  clearRefusal(beside);
  try {
    return (await work()) ?? true;
  } catch (refusal) {
    showRefusal(beside, refusal, book);
    return null;
  }
}

/** Say across the top of the screen when a table's connection is lost, and when it is back; returns how to stop. */
export function showConnection(table) {
  const bar = document.getElementById("link-state");
  let timer = 0;

  function show(kind, key) {
    bar.className = kind;
    bar.hidden = false;
    setText(bar, phrase(key));
  }
  function hide() {
    bar.hidden = true;
  }
  function draw() {
    clearTimeout(timer);
    if (!table.connected) {
      timer = setTimeout(() => show("lost", "away"), BEFORE_SHOWN);
    } else if (!bar.hidden) {
      show("found", "back");
      timer = setTimeout(hide, SHOWN_AFTER);
    }
  }

  draw();
  const stopListening = table.on("connection", draw);
  return () => {
    stopListening();
    clearTimeout(timer);
    hide();
  };
}
