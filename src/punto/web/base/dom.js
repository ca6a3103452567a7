// Making elements. Text from data is always text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element: h("p", {class: "quiet", onclick: f, vars: {"--n": 3}}, "text", child). */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element; attributes as in the standard. */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Put these children in the place of all that an element holds. */
export function put(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/** Set an element's text only where it differs, so that live regions do not repeat themselves. */
export function text(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** A button with words; `name` where a screen reader needs more than them. */
export const button = (words, onclick, props = {}) =>
  h("button", { type: "button", class: "button", ...props, onclick }, words);

/** Load a style sheet once; resolves when it holds. */
export function style(href) {
  const before = document.head.querySelector(`link[href="${href}"]`);
  if (before) return Promise.resolve();
  return new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })));
}

/** Whether motion is unwanted. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Animate, unless motion is unwanted; resolves at the end either way. */
export function move(element, frames, options) {
  if (still() || document.hidden) return Promise.resolve();
  return element.animate(frames, { easing: "cubic-bezier(.2,.7,.2,1)", ...options }).finished.catch(() => {});
}

/** Draw a keyed list: make a node for a new key, let `update` change it, drop those that are gone. */
export function keyed(parent, items, key, make, update = () => {}) {
  const before = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let at = null;
  for (const item of items) {
    const name = String(key(item));
    let node = before.get(name);
    before.delete(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    update(node, item);
    const next = at ? at.nextSibling : parent.firstChild;
    if (node !== next) parent.insertBefore(node, next);
    at = node;
  }
  for (const node of before.values()) node.remove();
}
