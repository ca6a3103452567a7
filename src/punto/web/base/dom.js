// Making elements. Text from data is always text: nothing here reads markup.

function fill(element, classes, props, children) {
	if (props?.constructor !== Object) {
		children.unshift(props);
		props = {};
	}
	for (const [name, value] of Object.entries(props)) {
		if (value === null || value === undefined || value === false) continue;
		if (name === "class") classes.push(...[value].flat().filter(Boolean));
		else if (name === "onsubmit") element.onsubmit = (event) => (event.preventDefault(), void value());
		else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else if (name === "vars") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
		else if (name === "value" || name === "checked") element[name] = value;
		else if (name === "label") element.setAttribute("aria-label", value);
		else element.setAttribute(name, value === true ? "" : value);
	}
	if (classes.length) element.setAttribute("class", classes.join(" "));
	add(element, children);
	return element;
}

function add(element, children) {
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false) continue;
		element.append(child instanceof Node ? child : String(child));
	}
}

/** An HTML element: h("p.small", {class: won && "won", label: "for the ear", onclick: f, vars: {"--n": 3}}, "text", child). Properties may be left out. */
export function h(name, props, ...children) {
	const [tag, ...classes] = name.split(".");
	return fill(document.createElement(tag), classes, props, children);
}

export function s(name, props, ...children) {
	const [tag, ...classes] = name.split(".");
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, props, children);
}

export function put(element, ...children) {
	element.replaceChildren();
	add(element, children);
	return element;
}

/** Set an element's text only where it differs, so that live regions do not repeat themselves. */
export function text(element, words) {
	if (element.textContent !== words) element.textContent = words;
}

export const button = (words, onclick, props) => h("button", { type: "button", class: "button", ...props, onclick }, words);
export const smallButton = (words, onclick, props) => button(words, onclick, { class: "button small", ...props });

export function style(href) {
	if (document.head.querySelector(`link[href="${href}"]`)) return Promise.resolve();
	return new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })));
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function move(element, frames, options) {
	if (still() || document.hidden) return Promise.resolve();
	return element.animate(frames, { easing: "cubic-bezier(.2,.7,.2,1)", ...options }).finished.catch(() => {});
}

export function apart(one, other) {
	const from = one.getBoundingClientRect(), to = other.getBoundingClientRect();
	return [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
}

/** Whether a key is pressed for something else than a shortcut. */
export const typing = (event) => event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;

/** Make a node for a new key, let `update` change it, drop those that are gone. */
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

const held = new Map();

/** What this browser keeps between visits; where it may not, it holds for the page. */
export const keep = {
	get(key) {
		try {
			return JSON.parse(localStorage.getItem(key));
		} catch {
			return held.get(key) ?? null;
		}
	},
	set(key, value) {
		held.set(key, value);
		try {
			localStorage.setItem(key, JSON.stringify(value));
		} catch {
			/* storage is shut */
		}
	},
};
