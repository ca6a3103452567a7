// The shoe in use, and the calls that may be made besides what comes next.

import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { phrase } from "../base/language.js";

const CALLS = ["burn", "announce-points", "last-hand", "end-shoe", "load-shoe", "give-back-shoe"];
const CALLS_OF_VIRTUAL_SHOE = ["burn", "end-shoe", "load-shoe"]; // which the house makes by itself
const HANDS = ["player", "banker"];

export function shoeAndCalls(state) {
  return [
    shoeFacts(state),
    possibleCalls(state),
    resultCalls(state),
    cardLaidElsewhere(state),
    methods(state),
    openedFirst(state),
  ];
}

function shoeFacts({ view, desk }) {
  const { shoe } = desk;
  const facts = [
    shoe && phrase("shoe n", shoe.number),
    shoe && phrase("cards left", shoe.left),
    phrase(`${desk.shoe_kind} shoe`),
    phrase(desk.face_down ? "face down" : "face up"),
    view.method && `${phrase("method")} ${view.method}`,
    shoe?.last && phrase("last hand"),
    shoe?.must_change && phrase("must change"),
    shoe?.free_next && phrase("free next"),
    shoe?.controller && phrase("holds", shoe.controller),
  ];
  return html("p.small.quiet", facts.filter(Boolean).join(" · "));
}

function possibleCalls({ table, desk }) {
  const isVirtual = desk.shoe_kind === "virtual";
  const isOffered = (call) => desk.may[call] === null && !(isVirtual && CALLS_OF_VIRTUAL_SHOE.includes(call));
  const commandOf = (call) => (call === "announce-points" ? { do: "announce", what: "points" } : { do: call });
  const calls = CALLS.filter(isOffered);
  if (!calls.length) return null;
  const buttons = calls.map((call) => commandButton(table, phrase(call), commandOf(call)));
  return html("div.row", buttons);
}

/** A row of buttons after some words, one for each hand. */
function handButtons(table, key, hands, commandOf) {
  const buttons = hands.map((hand) => commandButton(table, phrase(hand), commandOf(hand)));
  return html("div.row", html("span.small", phrase(key)), buttons);
}

function resultCalls({ table, desk }) {
  if (desk.may.announce !== null) return null;
  const outcomes = [...HANDS, "tie"];
  return handButtons(table, "called", outcomes, (winner) => ({ do: "announce", what: "result", winner }));
}

/** For a card that was laid to another hand than it was due to. */
function cardLaidElsewhere({ table, view, desk }) {
  const isDealing = view.round?.phase === "closed" && desk.cards.length > 0 && desk.due;
  if (!isDealing || desk.shoe_kind === "virtual") return null;
  return handButtons(table, "drawn elsewhere", HANDS, (to) => ({ do: "draw", to }));
}

function methods({ table, view, desk }) {
  const isBetweenRounds = ["settled", "void", undefined].includes(view.round?.phase);
  if (!desk.methods.length || !isBetweenRounds) return null;
  const methodButton = (method) => {
    const command = { do: "set-method", method };
    const isChosen = String(view.method === method);
    return commandButton(table, `${phrase("method")} ${method}`, command, { "aria-pressed": isChosen });
  };
  return html("div.row", desk.methods.map(methodButton));
}

/** By Method A the hands are opened one after the other. */
function openedFirst({ table, view, desk }) {
  const isByMethodA = desk.methods.includes("A") && view.method === "A";
  if (!isByMethodA || desk.cards.length < 4 || view.round?.phase !== "closed") return null;
  return handButtons(table, "open-first", HANDS, (hand) => ({ do: "open-first", hand }));
}
