// Which view is shown, by the path. A view is `show(root, {params, me, go, current})` and returns how to leave it.

import { attempt, Away, beGuest, button, get, h, labelled, logIn, logOut, me, put, refuse, say, speak, spoken, t, useLink } from "./base.js";

const VIEWS = [
	[/^\/$/, () => import("./lobby.js"), "night"],
	[/^\/table\/(?<name>[a-z0-9-]+)$/, () => import("./table.js"), "night"],
	[/^\/board\/(?<name>[a-z0-9-]+)$/, () => import("./board.js"), "night"],
	[/^\/dealer(?:\/(?<name>[a-z0-9-]+))?$/, () => import("./dealer.js"), "day"],
	[/^\/pit(?:\/(?<name>[a-z0-9-]+))?$/, () => import("./pit.js"), "day"],
	[/^\/train$/, () => import("./train.js"), "day"],
];
const FREE = /^\/(board\/|train$)/;
const root = document.getElementById("view");
let leave = null, turn = 0;

function go(path) {
	if (path !== location.pathname + location.search) history.pushState(null, "", path);
	show();
}

function header(who) {
	const other = spoken() === "en" ? "zh" : "en", staff = who && who.kind !== "patron", here = location.pathname;
	const link = (path, key) => h("a", { href: path, "aria-current": (path === "/" ? here === path : here.startsWith(path)) && "page" }, t(key));
	put(document.getElementById("top"),
		h("a.brand", { href: "/", label: "Punto" }, h("img", { src: "/static/icon.svg", alt: "" }), h("span", "Punto")),
		h("nav", { label: t("tables") }, link("/", "lobby"), staff && [link("/dealer", "dealer"), link("/pit", "pit")], link("/train", "train")),
		h("span.grow"),
		button(other === "zh" ? "中文" : "English", () => speak(other), { class: "bare", lang: other === "zh" ? "zh-Hant" : "en" }),
		who && [h("span.who", who.name), button(t("log out"), () => logOut().then(() => go("/")), { class: "bare" })]);
}

function logInForm() {
	const guest = button(t("play as guest"), async () => (await attempt(form, null, beGuest)) && show(), { class: "button primary", hidden: true });
	const field = (name, props) => labelled(t(name), h("input.field", { name, required: true, maxlength: 200, ...props }));
	const form = h("form.panel.log-in", { onsubmit: async () => {
		const { name, password } = form.elements;
		if (await attempt(form, null, () => logIn(name.value, password.value))) show();
	} },
		h("h1", "Punto"), guest, field("name", { autocomplete: "username", autocapitalize: "none" }), field("password", { type: "password", autocomplete: "current-password" }),
		h("button.button.primary", t("log in")));
	get("/health").then(({ guests }) => { guest.hidden = !guests; }, () => {});
	return form;
}

async function show() {
	const mine = ++turn, current = () => mine === turn;
	leave?.();
	leave = null;
	const [match, load, light] = VIEWS.map(([path, ...rest]) => [path.exec(location.pathname), ...rest]).find(([found]) => found) ?? [];
	try {
		const link = new URLSearchParams(location.search).get("link");
		let spent = null;
		if (link) {
			history.replaceState(null, "", location.pathname);
			await useLink(link).catch((error) => { spent = error; });
		}
		const who = await me();
		if (!current()) return;
		document.body.className = light ?? "night";
		header(who);
		if (!match) return void put(root, h("p.panel", t("not found")));
		if (!who && !FREE.test(location.pathname)) {
			put(root, logInForm());
			if (spent) refuse(root.firstChild, spent);
			return;
		}
		const view = await load();
		if (!current()) return;
		put(root);
		const left = await view.show(root, { params: { ...match.groups }, me: who, go, current });
		if (current()) leave = left;
		else left?.();
	} catch (error) {
		if (!current()) return;
		const away = error instanceof Away;
		put(root, h("p.panel", { role: "alert" }, away ? t("away") : error.message));
		if (away) setTimeout(() => current() && show(), 2000);
		else console.error(error);
	}
}

addEventListener("popstate", show);
addEventListener("language", show);
document.addEventListener("click", (event) => {
	const link = event.target.closest?.("a[href^='/']");
	if (!link || link.target || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
	event.preventDefault();
	go(link.getAttribute("href"));
	say(document.title);
});
show();
