// One patron's wagers: what the house has accepted, what is on its way, and what can be undone.

import { sumOf } from "./money.js";

const isMain = (bet) => bet === "player" || bet === "banker";

/** Main bets first when chips are laid, since side bets may not lie alone; and last when they are taken back. */
function mainFirst(one, other) {
  return Number(isMain(other.bet)) - Number(isMain(one.bet));
}

/** A refusal that says about which bet it is. */
function refusedAbout(bet, work) {
  return work.catch((refusal) => {
    throw Object.assign(refusal, { bet });
  });
}

/** The wagers of one patron. Nothing counts as laid unless the house says so. */
export class Betting {
  box = null; // where a standing patron bets
  #table;
  #patron;
  #roundNumber = null;
  #done = []; // what was laid one by one this round, for undo
  #lastRound = []; // the wagers of the round before, for rebet
  #thisRound = [];

  constructor(table, patron) {
    this.#table = table;
    this.#patron = patron;
  }

  /** The wagers that lie on the felt. */
  laid() {
    const wagers = this.#table.view.round?.wagers ?? [];
    return wagers.filter(({ patron }) => patron === this.#patron);
  }

  /** By bet: what was sent and is not in the snapshot yet. */
  pending() {
    const sums = new Map();
    for (const { patron, bet, amount, first } of this.#table.sent.values()) {
      const isShown = first <= this.#table.snapshot.sequence;
      if (patron === this.#patron && !isShown) sums.set(bet, (sums.get(bet) ?? 0) + amount);
    }
    return sums;
  }

  /** Follow the house: a new round forgets what can be undone and remembers what can be bet again. */
  follow() {
    const { round } = this.#table.view;
    if (this.#table.roundNumber !== this.#roundNumber) {
      this.#roundNumber = this.#table.roundNumber;
      this.#done = [];
      this.#lastRound = this.#thisRound;
    }
    const isRunning = round?.phase === "betting" || round?.phase === "closed";
    if (!isRunning) this.#lastRound = this.#thisRound;
    else if (this.laid().length) this.#thisRound = this.laid();
  }

  /** What the four buttons may do now. */
  possible() {
    const hasWagers = this.laid().length > 0;
    return {
      undo: this.#done.length > 0,
      clear: hasWagers,
      rebet: this.#lastRound.length > 0 && !hasWagers,
      double: hasWagers,
    };
  }

  async place(bet, stake, where = this.box, round = this.#table.roundNumber) {
    const patron = this.#patron;
    const seat = this.#table.view.patrons.find(({ name }) => name === patron)?.box;
    const box = seat ?? where;
    const command = { do: "place", patron, bet, stake, ...(box && { box }) };
    const { entries } = await this.#table.give(command, { patron, bet, amount: stake }, round);
    const placed = entries.map(({ event }) => event).filter(({ event }) => event === "wager-placed");
    if (round === this.#roundNumber) this.#done.push({ bet, stake: sumOf(placed, "stake") || stake });
  }

  async undo() {
    const [round, last] = [this.#roundNumber, this.#done.pop()];
    try {
      await this.#takeBack(last);
    } catch (refusal) {
      if (round === this.#roundNumber) this.#done.push(last);
      throw refusal;
    }
  }

  /** Take everything back. */
  async clear() {
    const round = this.#table.roundNumber;
    for (const wager of this.laid().sort(mainFirst).reverse()) await this.#takeBack(wager, round);
    if (round === this.#roundNumber) this.#done = [];
  }

  rebet() {
    return this.placeAll(this.#lastRound);
  }

  double() {
    return this.placeAll(this.laid());
  }

  /** All of them in the round in which it was asked for. */
  async placeAll(wagers) {
    const round = this.#table.roundNumber;
    for (const { bet, stake, box } of [...wagers].sort(mainFirst))
      await refusedAbout(bet, this.place(bet, stake, box, round));
  }

  async #takeBack({ bet, stake }, round = this.#table.roundNumber) {
    const wager = this.laid().find((each) => each.bet === bet);
    if (!wager) return;
    const how = stake >= wager.stake ? { do: "withdraw" } : { do: "lower", amount: stake };
    const command = { patron: this.#patron, bet, box: wager.box, ...how };
    await refusedAbout(bet, this.#table.give(command, {}, round));
  }
}
