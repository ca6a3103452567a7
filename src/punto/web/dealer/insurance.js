// The offer of insurance as the dealer sees it: who may take how much, and who has.

import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { commandForm } from "../base/forms.js";
import { oddsText } from "../base/labels.js";
import { phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { keyHint } from "../staff/sections.js";

/** Null where no insurance is on offer. */
export function insuranceOffer(state) {
  const offer = state.view.round?.offer;
  if (!offer) return null;
  const spots = Object.entries(offer.most);
  return [
    html(
      "h2",
      html("span.lammer", offer.odds.replace(":", " : ")),
      phrase("lammer", { hand: phrase(offer.hand), odds: oddsText(offer.odds) }),
      keyHint("I"),
    ),
    html(
      "ul.covers",
      spots.map(([spot, most]) => coverRow(spot, most, offer, state)),
    ),
  ];
}

/** `spot` is "patron/box". */
function coverRow(spot, most, offer, state) {
  const { table, desk } = state;
  const [, patron, place] = /^(.*)\/(\d+)$/.exec(spot);
  const box = Number(place);
  const isOfSpot = (cover) => cover.patron === patron && cover.box === box;
  const isOfOffer = (cover) => cover.stage === offer.stage && cover.hand === offer.hand;
  const taken = sumOf(
    desk.covers.filter((cover) => isOfSpot(cover) && isOfOffer(cover)),
    "stake",
  );
  const text = taken ? phrase("taken", money(taken)) : phrase("not taken");
  const fixed = { patron, hand: offer.hand, box };
  const whole = { do: "insure", ...fixed, stake: most };
  const acts = html(
    "div.row",
    commandForm(state, "insure", ["stake"], { fixed }),
    commandButton(table, phrase("insure all", money(most)), whole),
    commandButton(table, phrase("declare-intent"), { do: "declare-intent", patron }, { class: "bare" }),
  );
  return html(
    "li",
    { "data-item": `cover ${spot}` },
    html("b", patron),
    html("span.small.quiet", phrase("box", box)),
    most > 0 && html("span.small", phrase("may take", money(most))),
    html(`span.small.${taken ? "won" : "quiet"}`, text),
    desk.intent.includes(patron) && html("span.tiny.waits", phrase("declare-intent")),
    most > 0 && acts,
  );
}
