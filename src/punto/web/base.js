// What every view needs.

export * from "./base/api.js";
export * from "./base/cards.js";
export * from "./base/chips.js";
export * from "./base/dom.js";
export * from "./base/forms.js";
export * from "./base/money.js";
export * from "./base/notes.js";
export * from "./base/roads.js";
export * from "./base/store.js";
export * from "./base/timer.js";
export * from "./base/words.js";
