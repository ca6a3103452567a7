// Which view is shown, by the path of the page; and the line at the top.

import { arrived, getMe, Unreachable } from "./base/api.js";
import { button, fill, html, named, setText } from "./base/dom.js";
import { language, LANGUAGES, phrase, setLanguage, useCatalogue } from "./base/language.js";
import { announce, showRefusal } from "./base/notes.js";
import "./base/words.js";

/**
 * The views. `load` brings a module with `show(root, {params, me, go, isCurrent})`, which draws the view and returns
 * how to leave it. `light` is the house by night for patrons, or by day for the staff.
 */
const VIEWS = [
  {
    path: /^\/$/,
    load: () => import("./lobby.js"),
    styles: ["lobby.css"],
    light: "night",
  },
  {
    path: /^\/table\/(?<name>[a-z0-9-]+)$/,
    load: () => import("./table.js"),
    styles: ["table.css"],
    light: "night",
  },
  {
    path: /^\/board\/(?<name>[a-z0-9-]+)$/,
    load: () => import("./board.js"),
    styles: ["board.css"],
    light: "night",
    isOpenToAll: true,
  },
  {
    path: /^\/dealer(?:\/(?<name>[a-z0-9-]+))?$/,
    load: () => import("./dealer.js"),
    styles: ["console.css", "dealt.css", "serving.css"],
    light: "day",
  },
  {
    path: /^\/(?:pit(?:\/(?<name>[a-z0-9-]+))?|report)$/,
    load: () => import("./pit.js"),
    styles: ["console.css", "dealt.css", "pit.css"],
    light: "day",
  },
  {
    path: /^\/shoe(?:\/(?<name>[a-z0-9-]+))?$/,
    load: () => import("./shoe.js"),
    styles: ["shoe.css"],
    light: "night",
    isOpenToAll: true,
  },
  {
    path: /^\/guide\/(?<name>[a-z0-9-]+)$/,
    load: () => import("./guide.js"),
    styles: ["guide.css"],
    light: "night",
    isOpenToAll: true,
  },
  {
    path: /^\/train$/,
    load: () => import("./trainer.js"),
    styles: ["console.css", "dealt.css", "trainer.css"],
    light: "day",
    isOpenToAll: true,
  },
  {
    path: /^\/sessions$/,
    load: () => import("./sessions.js"),
    styles: [],
    light: "night",
  },
];
const RETRY = 2000; // ms until a house that could not be reached is tried again

const session = () => arrived(import("./base/session.js"));
const root = document.getElementById("view");
let leaveView = null;
let shownTimes = 0;

function go(path) {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  showView();
}

function findView() {
  for (const view of VIEWS) {
    const match = view.path.exec(location.pathname);
    if (match) return { ...view, params: { ...match.groups } };
  }
  return null;
}

async function showView() {
  const turn = ++shownTimes;
  const isCurrent = () => turn === shownTimes;
  leaveView?.();
  leaveView = null;
  try {
    await drawView(findView(), isCurrent);
  } catch (error) {
    if (isCurrent()) showFailure(error, isCurrent);
  }
}

async function drawView(view, isCurrent) {
  const catalogue = await ownCatalogue();
  if (view?.light === "day") await catalogue?.load(); // the staff read sentences from the first moment
  const spentLink = await comeInByLink();
  const asked = getMe(); // before the view is loaded, so that it does not wait behind many files
  const loaded = view && arrived(view.load(), ...view.styles);
  loaded?.catch(() => {}); // what went wrong is told where it is awaited
  const me = await asked;
  if (!isCurrent()) return;
  document.body.className = view?.light ?? "night";
  drawHeader(me);
  if (!view) {
    fill(root, html("p.panel", phrase("not found")));
    return;
  }
  if (!me && !view.isOpenToAll) {
    await showLogIn(spentLink, isCurrent);
    return;
  }
  const module = await loaded;
  if (!isCurrent()) return;
  fill(root);
  try {
    const leave = await module.show(root, { params: view.params, me, go, isCurrent });
    if (isCurrent()) leaveView = leave;
    else leave?.();
  } finally {
    void catalogue?.load();
  }
}

let comingIn = null;

/**
 * Come in by the link of the page, if it has one; what the house says to a spent one. A view that is drawn meanwhile
 * waits for it, too: the page has lost its link by then.
 */
function comeInByLink() {
  if (comingIn || !/[?&]link=/.test(location.search)) return comingIn;
  void getMe().catch(() => {}); // takes what was asked for with the page, which nobody who comes in later is told
  comingIn = session()
    .then(({ useLinkOfPage }) => useLinkOfPage())
    .finally(() => (comingIn = null));
  return comingIn;
}

/** The catalogue of the page's language; English needs none. */
async function ownCatalogue() {
  const tag = language();
  if (tag === "en") return useCatalogue(null);
  const { openCatalogue } = await arrived(import("./base/catalogue.js"));
  return openCatalogue(tag);
}

async function showLogIn(spentLink, isCurrent) {
  const { logInForm, newcomers } = await arrived(import("./login.js"));
  if (!isCurrent()) return;
  const form = logInForm(showView);
  fill(root, form, newcomers());
  if (spentLink) showRefusal(form, spentLink);
}

function showFailure(error, isCurrent) {
  const isAway = error instanceof Unreachable;
  fill(root, html("p.panel", { role: "alert" }, isAway ? phrase("away") : error.message));
  if (isAway) setTimeout(() => isCurrent() && showView(), RETRY);
  else console.error(error);
}

function drawHeader(me) {
  const isStaff = me && me.kind !== "patron";
  const here = location.pathname;
  const link = (path, key) => {
    const isHere = path === "/" ? here === path : here.startsWith(path);
    return html("a", { href: path, "aria-current": isHere && "page" }, phrase(key));
  };
  const leaveHouse = async () => {
    await (await session()).logOut();
    go("/");
  };
  setText(document.querySelector(".skip"), phrase("skip"));
  fill(
    document.getElementById("top"),
    document.querySelector("#top .brand"),
    html(
      "nav",
      { label: phrase("tables") },
      link("/", "lobby"),
      isStaff && [link("/dealer", "dealer"), link("/pit", "pit")],
      link("/train", "train"),
    ),
    html("span.grow"),
    languageList(),
    me && [ownName(me.shown || me.name), button(phrase("log out"), leaveHouse, { class: "bare" })],
  );
}

/** One's own name, which leads to one's sessions; where there is no room for it, its first letter. */
function ownName(name) {
  const [letter] = named(name);
  return html("a.who", { href: "/sessions", "data-letter": letter.toUpperCase() }, html("span", name));
}

function languageList() {
  const option = ([tag, name]) => html("option", { value: tag, lang: tag }, name);
  const choose = (event) => setLanguage(event.target.value);
  const list = html(
    "select.bare",
    { label: phrase("language"), onchange: choose },
    Object.entries(LANGUAGES).map(option),
  );
  list.value = language();
  return list;
}

/** Links of the house change the view without loading the page again. */
function followLink(event) {
  const link = event.target.closest?.("a[href^='/']");
  const isOurs = link && !link.target && !event.defaultPrevented;
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.button;
  if (!isOurs || hasModifier) return;
  event.preventDefault();
  go(link.getAttribute("href"));
  announce(document.title);
}

addEventListener("popstate", showView);
addEventListener("language", showView);
document.addEventListener("click", followLink);
showView();
