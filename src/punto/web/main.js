// Which view is shown: by the path of the address. A view is `show(root, {params, me, go})` and returns how to leave it.

import { Away, logIn, logOut, me, useLink } from "./base/api.js";
import { button, h, put } from "./base/dom.js";
import { refuse, say } from "./base/notes.js";
import { speak, spoken, t } from "./base/words.js";

const VIEWS = [
  [/^\/$/, () => import("./lobby.js"), "night"],
  [/^\/table\/(?<name>[a-z0-9-]+)$/, () => import("./table.js"), "night"],
  [/^\/board\/(?<name>[a-z0-9-]+)$/, () => import("./board.js"), "night"],
  [/^\/dealer(?:\/(?<name>[a-z0-9-]+))?$/, () => import("./dealer.js"), "day"],
  [/^\/pit(?:\/(?<name>[a-z0-9-]+))?$/, () => import("./pit.js"), "day"],
  [/^\/train$/, () => import("./train.js"), "day"],
];
const root = document.getElementById("view");
const top = document.getElementById("top");
let leave = null;
let turn = 0;

/** Go to a path of ours. */
export function go(path) {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  show();
}

function header(who) {
  const other = spoken() === "en" ? "zh" : "en";
  const staff = who && who.kind !== "patron";
  const link = (path, key) =>
    h("a", { href: path, "aria-current": location.pathname === path || (path !== "/" && location.pathname.startsWith(path)) ? "page" : null }, t(key));
  put(top,
    h("a", { class: "brand", href: "/", "aria-label": "Punto" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "Punto")),
    h("nav", { "aria-label": t("tables") }, link("/", "lobby"), staff && link("/dealer", "dealer"), staff && link("/pit", "pit"), link("/train", "train")),
    h("span", { class: "grow" }),
    h("span", { id: "top-extra" }),
    h("button", { type: "button", class: "bare", lang: other === "zh" ? "zh-Hant" : "en", onclick: () => speak(other) }, other === "zh" ? "中文" : "English"),
    who && h("span", { class: "who" }, who.name),
    who && button(t("log out"), async () => { await logOut(); go("/"); }, { class: "bare" }));
}

function logInForm() {
  const form = h("form", { class: "panel log-in", "data-refusals": "" },
    h("h1", {}, "Punto"),
    h("label", {}, t("name"), h("input", { class: "field", name: "name", autocomplete: "username", required: true, autocapitalize: "none", maxlength: 100 })),
    h("label", {}, t("password"), h("input", { class: "field", name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 })),
    h("button", { class: "button primary" }, t("log in")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await logIn(form.elements.name.value, form.elements.password.value);
      show();
    } catch (refusal) {
      refuse(form, refusal, null, { for: 0 });
    }
  });
  return form;
}

async function show() {
  const mine = ++turn;
  leave?.();
  leave = null;
  const found = VIEWS.map(([path, load, light]) => [path.exec(location.pathname), load, light]).find(([match]) => match);
  try {
    const link = new URLSearchParams(location.search).get("link");
    let spent = null;
    if (link) {
      history.replaceState(null, "", location.pathname);
      await useLink(link).catch((error) => { spent = error; });
    }
    const who = await me();
    if (mine !== turn) return;
    document.body.className = found?.[2] ?? "night";
    header(who);
    root.className = "";
    if (!found) return void put(root, h("p", { class: "panel" }, t("not found")));
    const open = location.pathname.startsWith("/board/") || location.pathname === "/train";
    if (!who && !open) {
      put(root, logInForm());
      if (spent) refuse(root.firstChild, spent, null, { for: 0 });
      return;
    }
    const view = await found[1]();
    if (mine !== turn) return;
    put(root);
    const left = await view.show(root, { params: { ...found[0].groups }, me: who, go, current: () => mine === turn });
    if (mine === turn) leave = left;
    else left?.();
  } catch (error) {
    if (mine !== turn) return;
    const wait = error instanceof Away;
    put(root, h("p", { class: "panel", role: "alert" }, wait ? t("away") : error.message));
    if (!wait) console.error(error);
    else setTimeout(() => mine === turn && show(), 2000);
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
