// The catalogue of a language other than English: its file, and messages of the house told by it.

import { ownBetName } from "./bet-names.js";
import { language, useCatalogue } from "./language.js";
import { money } from "./money.js";

const KINDS = ["rank", "fact", "event", "word"]; // of names that stand alone
const BLANK = /\{"( *)"\}/g;

const files = new Map(); // what was read, by language

async function readFile(name, read) {
  const answer = await fetch(`/static/languages/${name}.txt`);
  if (!answer.ok) throw new Error(`There is no file of the language ${name}.`);
  return read(await answer.text());
}

function fileOf(name, read = readEntries) {
  if (!files.has(name)) {
    const found = readFile(name, read).catch((error) => {
      files.delete(name); // so that it is asked for again
      throw error;
    });
    files.set(name, found);
  }
  return files.get(name);
}

/** The texts of a file of clauses, by the English lines above them. */
function readClauses(text) {
  return new Map(Array.from(text.matchAll(/^(\S.*)\n {2}(.+)$/gm), ([, english, told]) => [english, told]));
}

/** The entries of a file; a line that begins with a blank belongs to the entry above it. */
function readEntries(text) {
  const found = {};
  let name = "";
  for (const line of text.split("\n")) {
    if (line.startsWith(" ")) {
      found[name] = `${found[name]} ${line.trim()}`.trim();
    } else if (line && !line.startsWith("#")) {
      const middle = line.indexOf("=");
      name = line.slice(0, middle).trim();
      found[name] = line.slice(middle + 1).trim();
    }
  }
  for (const each of Object.keys(found)) found[each] = found[each].replace(BLANK, "$1");
  return found;
}

/** How text is written in a language that is made from another: words first, the longest before others. */
function writerOf({ words = "", characters = "" }) {
  const changed = new Map(words.split(" ").map((pair) => pair.split("→")));
  for (const pair of characters.split(" ")) changed.set(pair[0], pair[1]);
  const longestFirst = Array.from(changed.keys()).filter(Boolean);
  longestFirst.sort((one, other) => other.length - one.length);
  const found = new RegExp(longestFirst.join("|") || "(?!)", "g");
  return (text) => text.replace(found, (part) => changed.get(part));
}

/** Commas that set a part of a sentence off, though nothing stands before it. */
const NOT_SET_OFF = /(^|[\s，：；（、。「或])，+/g;

class Catalogue {
  entries = {}; // what is known until the sentences are loaded
  #isLoaded = false;
  #clauses = null; // what the indexes say, once somebody has asked for it
  #isMissed = false; // whether something was said in English meanwhile

  constructor(tag, own = {}) {
    this.tag = tag;
    this.base = own.from;
    this.write = own.from ? writerOf(own) : (text) => text;
    if (!own.from) this.entries = own;
  }

  /** Load the sentences, now or, without a network, with the next one. What was told in English is drawn anew. */
  async load() {
    const found = this.#isLoaded ? null : await fileOf(this.base ?? this.tag).catch(() => null);
    if (!found || this.#isLoaded) return;
    this.entries = Object.fromEntries(Object.entries(found).map(([name, text]) => [name, this.write(text)]));
    this.#isLoaded = true;
    if (this.#isMissed && language() === this.tag) dispatchEvent(new Event("language"));
  }

  /** Load what the indexes say of clauses; where there is no such file, that stays English. */
  async loadClauses() {
    this.#clauses ??= await fileOf(`clauses/${this.base ?? this.tag}`, readClauses).catch(() => null);
  }

  /** What an index says of a clause in English, in this language; null where that is not known. */
  clause(english) {
    const told = this.#clauses?.get(english);
    return told ? this.write(told) : null;
  }

  /** A message as text; nothing where the file has none, or is not loaded. */
  say(message) {
    return this.#part(message)?.replace(NOT_SET_OFF, "$1") ?? null;
  }

  /** The same as a part of another, which a comma may set off from what stands before it. */
  #part({ id, args = {} }) {
    this.#miss();
    const template = this.entries[id];
    if (template === undefined) return null;
    const isKnown = Object.values(args)
      .flat(Infinity)
      .every((value) => !value?.id || this.#part(value) !== null);
    if (!isKnown) return null;
    return template.replace(/\{(\w+):?([\w+-]*)\}/g, (_, name, ways) => this.#shown(args[name], ways.split("+")));
  }

  /** What a rank, a fact, an event or a word is called. */
  nameOf(id) {
    this.#miss();
    const kind = KINDS.find((each) => `${each}/${id}` in this.entries);
    return kind && this.entries[`${kind}/${id}`];
  }

  #miss() {
    if (!this.#isLoaded) this.#isMissed = true;
  }

  #shown(value, ways) {
    const shown = ways.reduce((found, way) => this.#one(found, way), this.#told(value));
    return Array.isArray(shown) ? shown.join(", ") : String(shown);
  }

  #told(value) {
    if (Array.isArray(value)) return value.map((each) => this.#told(each));
    return value?.id ? this.#part(value) : value;
  }

  #one(value, way) {
    const { entries } = this;
    if (way === "") return value;
    if (way === "money") return money(value);
    if (`join/${way}` in entries) return value.join(entries[`join/${way}`]);
    if (Array.isArray(value)) return value.map((each) => this.#one(each, way));
    if (way === "bet" && ownBetName(value)) return ownBetName(value);
    if (way === "nth") return value + 1;
    if (way === "odds") {
      const [win, of] = value.split(":");
      return entries["show/odds"].replace("{win}", win).replace("{of}", of);
    }
    if (`show/${way}` in entries) return entries[`show/${way}`].replace("{value}", value);
    return entries[`${way}/${String(value).toLowerCase().replaceAll(" ", "-")}`] ?? value;
  }
}

const made = new Map(); // catalogues by language

/**
 * Use the catalogue of the page's language, which is not English. What its phrases need is there when this is done;
 * its sentences are loaded by `load`. The phrases of the pages themselves are in traditional Chinese.
 */
export async function openCatalogue(tag = language()) {
  if (!made.has(tag)) made.set(tag, new Catalogue(tag, tag === "zh-Hant" ? {} : await fileOf(tag)));
  if (tag === language()) useCatalogue(made.get(tag)); // else another was chosen meanwhile
  return made.get(tag);
}
