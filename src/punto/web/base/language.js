// English and other languages. A phrase is looked up by its key; every module adds the phrases it uses with `learn`.

import { html } from "./dom.js";
import { storage } from "./storage.js";

/** What each language calls itself; each but English has a file, its catalogue. */
export const LANGUAGES = { en: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文" };
const phrases = new Map();
learn({
  noted: ["{name}: {text}", "{name}：{text}"],
});

let catalogue = null; // where the language is not English
let current = firstLanguage();
markDocument();

function firstLanguage() {
  const wanted = storage.get("language") ?? navigator.language ?? "";
  if (wanted in LANGUAGES) return wanted;
  if (!wanted.startsWith("zh")) return "en";
  return /hans|cn|sg/i.test(wanted) ? "zh-Hans" : "zh-Hant";
}

function markDocument() {
  document.documentElement.lang = current;
}

/**
 * Add phrases: {key: [English, Chinese]}. `{n}` and other names in braces are filled in when a phrase is used;
 * `{n:round|rounds}` is the first word for one, and the second for any other number.
 */
export function learn(table) {
  for (const [key, both] of Object.entries(table)) phrases.set(key, both);
}

/** The language of the page: "en", "zh-Hant" or "zh-Hans". */
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

export function useCatalogue(found) {
  catalogue = found;
}

/** What the house says, in the language of the page; as it is where it has no message, or none that is known. */
export function sentence({ says, message }) {
  return (message && catalogue?.say(message)) || says;
}

/** The same, when the catalogue is there. */
export async function told(spoken) {
  await catalogue?.load();
  return sentence(spoken);
}

/** Load what the indexes say of clauses in the language of the page. */
export async function loadClauses() {
  await catalogue?.loadClauses?.();
}

/** What an index says of a clause in English, in the language of the page; null where that is not known, or not yet. */
export function saidOfClause(english) {
  return catalogue?.clause?.(english) ?? null;
}

/** Traditional Chinese in the characters of the page. */
export function written(chinese) {
  return catalogue?.write(chinese) ?? chinese;
}

/** Of names that the house gives as [English, Chinese], the one in the language of the page. */
export function inLanguage([english, chinese]) {
  return current.startsWith("zh") ? written(chinese) : english;
}

/** The phrase for a key, with values filled in; a single value stands for {n}. Unknown keys are shown as they are. */
export function phrase(key, values) {
  const own = catalogue?.entries[`page/${key}`];
  const found = own ?? (phrases.has(key) ? inLanguage(phrases.get(key)) : String(key));
  const valueOf = (name) => (values?.constructor === Object ? values[name] : values);
  return found.replace(/\{(\w+)(?::([^{}|]*)\|([^{}]*))?\}/g, (_, name, one, many) => {
    if (many === undefined) return valueOf(name) ?? "";
    return Number(valueOf(name)) === 1 ? one : many;
  });
}

/** What something is called, and what is said of it: "Room: Player 5,000". */
export function noted(name, text) {
  return phrase("noted", { name, text });
}

export function hasPhrase(key) {
  return phrases.has(key);
}

export function inEnglish(key) {
  return phrases.get(key)?.[0];
}

/** The Chinese that a page writes: that of its language, else traditional. */
export function chineseTag() {
  return current === "zh-Hans" ? current : "zh-Hant";
}

/** The Chinese for a key, marked as such, wherever both languages stand side by side. */
export function inChinese(key) {
  return html("span", { lang: chineseTag() }, written(phrases.get(key)?.[1]));
}

/** What to call a fact, a choice or a rank by its id; "take-back" → "Take back" where it has no phrase of its own. */
export function nameOf(id) {
  if (phrases.has(id)) return phrase(id);
  const name = nameWithin(id);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The same within a sentence: "pit-manager" → "pit manager". */
export function nameWithin(id) {
  return catalogue?.nameOf(id) ?? id.replaceAll("-", " ");
}
