// English and Chinese. A phrase is looked up by its key; every module adds the phrases it uses with `learn`.

import { html } from "./dom.js";
import { storage } from "./storage.js";

const LANGUAGES = ["en", "zh"];
const phrases = new Map();

let current = storage.get("language") ?? (navigator.language?.startsWith("zh") ? "zh" : "en");
markDocument();

function markDocument() {
  document.documentElement.lang = current === "zh" ? "zh-Hant" : "en";
}

/** Add phrases: {key: [English, Chinese]}. `{n}` and other names in braces are filled in when a phrase is used. */
export function learn(table) {
  for (const [key, both] of Object.entries(table)) phrases.set(key, both);
}

/** The language of the page: "en" or "zh". */
export function language() {
  return current;
}

/** Speak another language from now on; whoever shows something hears the event "language". */
export function setLanguage(which) {
  current = which;
  storage.set("language", which);
  markDocument();
  dispatchEvent(new Event("language"));
}

/** Of names that the house gives as [English, Chinese], the one in the language of the page. */
export function inLanguage(names) {
  return names[LANGUAGES.indexOf(current)];
}

/** The phrase for a key, with values filled in; a single value stands for {n}. Unknown keys are shown as they are. */
export function phrase(key, values) {
  const found = phrases.has(key) ? inLanguage(phrases.get(key)) : String(key);
  const valueOf = (name) => (values?.constructor === Object ? values[name] : values);
  return found.replace(/\{(\w+)\}/g, (_, name) => valueOf(name) ?? "");
}

export function hasPhrase(key) {
  return phrases.has(key);
}

export function inEnglish(key) {
  return phrases.get(key)?.[0];
}

/** The Chinese for a key, marked as such, wherever both languages stand side by side. */
export function inChinese(key) {
  return html("span", { lang: "zh-Hant" }, phrases.get(key)?.[1]);
}

/** What to call a fact, a choice or a rank by its id; "take-back" → "Take back" where it has no phrase of its own. */
export function nameOf(id) {
  if (phrases.has(id)) return phrase(id);
  return (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll("-", " ");
}
