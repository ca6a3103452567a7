// A patron's own rounds at a table over all shoes, with what each of them and each visit has brought.

import { fill, html, smallButton } from "../base/dom.js";
import { language, learn, phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { attempt } from "../base/notes.js";
import { noRounds, pastRound } from "./history.js";

learn({
  visit: ["{n} {n:round|rounds}", "{n} 局"],
  "visit times": ["{from} to {to}", "{from} 至 {to}"],
  "earlier rounds": ["Earlier rounds", "較早的牌局"],
});

const BREAK = 30 * 60_000; // ms without a round that end a visit
const ENOUGH = 20; // rounds that are looked for at once
const MOST_PAGES = 5;

/** Rounds, the latest first, by visits: a long time without a round lies between two of them. */
function visitsOf(rounds) {
  const visits = [];
  let later = null;
  for (const round of rounds) {
    const at = Date.parse(round.at);
    if (later === null || later - at > BREAK) visits.push([]);
    visits.at(-1).push(round);
    later = at;
  }
  return visits;
}

function timeOf(round, how) {
  return new Date(round.at).toLocaleString(language(), how);
}

export async function fillOwnRounds(list, table, menu, patron) {
  const rounds = [];
  let before = null;

  async function readOn() {
    const wanted = rounds.length + ENOUGH;
    for (let page = 0; page < MOST_PAGES && rounds.length < wanted; page++) {
      const found = await table.get(before === null ? "own-rounds" : `own-rounds?before=${before}`);
      const known = new Set(rounds.map(({ number }) => number)); // one that was put right later is told once
      rounds.push(...found.rounds.filter(({ number }) => !known.has(number)));
      before = found.before;
      if (before === null) break;
    }
    draw();
  }
  function draw() {
    const more = before !== null && smallButton(phrase("earlier rounds"), () => attempt(list, table.view.book, readOn));
    fill(
      list,
      rounds.length ? visitsOf(rounds).map((visit) => visitPart(visit, table, menu, patron)) : noRounds(),
      more,
    );
  }

  await readOn();
}

function visitPart(visit, table, menu, patron) {
  const [to, from] = [visit[0], visit.at(-1)];
  const times = {
    from: timeOf(from, { dateStyle: "medium", timeStyle: "short" }),
    to: timeOf(to, { timeStyle: "short" }),
  };
  return html(
    "section.visit",
    html(
      "h2.row.small",
      html("span.grow", phrase("visit times", times), " · ", phrase("visit", visit.length)),
      netText(sumOf(visit, "net")),
    ),
    visit.map((round) => pastRound({ ...round, last: round.sequence }, table, menu, patron, netText(round.net))),
  );
}

function netText(net) {
  return html("b.net.money", { class: net > 0 && "won" }, money(net, "sign"));
}
