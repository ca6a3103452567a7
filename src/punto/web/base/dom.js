// Making elements, and moving them. Text from data is always text: nothing here reads markup.
// Nothing depends on motion, and all of it stops where the system asks for stillness.

/** Names that people see, by the ids of persons. */
const people = new Map();

export function knowPeople(shown) {
  for (const [person, name] of Object.entries(shown)) people.set(person, name);
}

/** A text with names in the place of persons' ids. */
export function named(text) {
  return people.get(text) ?? String(text).replace(/\bp-[a-z2-7]{10}\b/g, (person) => people.get(person) ?? person);
}

/** Properties that mean something of their own; every other property is an attribute. */
const SPECIAL = {
  class: (element, value) => {
    for (const name of [value].flat().filter(Boolean)) element.classList.add(...name.split(" "));
  },
  label: (element, value) => element.setAttribute("aria-label", named(value)),
  value: (element, value) => (element.value = value),
  checked: (element, value) => (element.checked = value),
  vars: (element, value) => {
    for (const [name, each] of Object.entries(value)) element.style.setProperty(name, each);
  },
  onsubmit: (element, value) => {
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      value();
    });
  },
};

function setProperty(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name in SPECIAL) SPECIAL[name](element, value);
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : value);
}

function appendAll(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : named(child));
  }
}

function build(element, classes, first, rest) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const hasProperties = first?.constructor === Object;
  if (hasProperties) {
    for (const [name, value] of Object.entries(first)) setProperty(element, name, value);
  }
  appendAll(element, hasProperties ? rest : [first, ...rest]);
  return element;
}

/**
 * An HTML element: html("p.small", {class: won && "won", label: "for the ear", onclick: act}, "text", child).
 * The properties may be left out. Children may be nested in arrays; null, undefined and false are no children.
 */
export function html(name, first, ...rest) {
  const [tag, ...classes] = name.split(".");
  return build(document.createElement(tag), classes, first, rest);
}

/** An SVG element, made as `html` makes its elements. */
export function svg(name, first, ...rest) {
  const [tag, ...classes] = name.split(".");
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, first, rest);
}

/** Put other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  appendAll(element, children);
  return element;
}

/** Set an element's text only where it differs, so that live regions do not repeat themselves. */
export function setText(element, text) {
  const shown = named(text);
  if (element.textContent !== shown) element.textContent = shown;
}

export function button(text, onclick, properties) {
  return html("button", { type: "button", class: "button", ...properties, onclick }, text);
}

export function smallButton(text, onclick, properties) {
  return button(text, onclick, { class: "button small", ...properties });
}

export function labelled(text, field) {
  return html("label.labelled", html("span", text), field);
}

/** Do something for which a button waits: pressed meanwhile it does nothing, and it keeps the focus that it has. */
export async function whileWaiting(waiting, work) {
  if (waiting.ariaDisabled) return;
  waiting.ariaDisabled = "true"; // a button that is disabled by itself would lose the focus
  await work();
  waiting.ariaDisabled = null;
}

/** Whether somebody has gone to another element, or the one with the focus is still there. */
export function isFocusElsewhere() {
  return ![document.body, document.getElementById("view"), null].includes(document.activeElement);
}

/** The numbers from 1 to `last`. */
export function countTo(last) {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** Whether a key is pressed for something else than a shortcut. */
export function isTyping(event) {
  return event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
}

/**
 * Bring the children of an element in line with a list: `make` a node for each item whose `key` is new, let `update`
 * change the node of each item, and drop the nodes of items that are gone. Nodes that stay keep their state and focus.
 */
export function syncChildren(parent, items, { key, make, update = () => {} }) {
  const old = new Map(Array.from(parent.children, (node) => [node.dataset.key, node]));
  let previous = null;
  for (const item of items) {
    const name = String(key(item));
    let node = old.get(name);
    old.delete(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    update(node, item);
    const place = previous ? previous.nextSibling : parent.firstChild;
    if (node !== place) parent.insertBefore(node, place);
    previous = node;
  }
  for (const node of old.values()) node.remove();
}

const sheets = new Map(); // of the pages, by file: resolved when they are there

/**
 * Load a style sheet of the pages, once, perhaps for some screens alone; a view is drawn when its sheets are there. One
 * that could not be loaded is a TypeError, as with a module, and is loaded when it is asked for again.
 */
export function loadStyle(file, media = "all") {
  const href = `/static/style/${file}`;
  const load = (done, fail) => {
    const onerror = () => {
      sheets.delete(file);
      link.remove();
      fail(new TypeError(href));
    };
    const link = html("link", { rel: "stylesheet", href, media, onload: done, onerror });
    document.head.append(link);
  };
  if (!sheets.has(file)) sheets.set(file, new Promise(load));
  return sheets.get(file);
}

export function isMotionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Animate an element; resolves when it has arrived, at once where nothing moves. */
export function animate(element, frames, options) {
  if (isMotionReduced() || document.hidden) return Promise.resolve();
  const animation = element.animate(frames, { easing: "cubic-bezier(.2,.7,.2,1)", ...options });
  return animation.finished.catch(() => {});
}

/** How far it is from the middle of one element to that of another: [right, down] in pixels. */
export function distance(from, to) {
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  return [end.x + end.width / 2 - start.x - start.width / 2, end.y + end.height / 2 - start.y - start.height / 2];
}
