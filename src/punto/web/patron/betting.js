// One patron's wagers: what the house has accepted, what is on its way, and what was done last, to undo it.

/** Wagers of one patron in one box. Nothing is counted as laid unless the house says so. */
export class Betting {
  constructor(store, patron) {
    this.store = store;
    this.patron = patron;
    this.box = null; // where a standing patron bets
    this.done = []; // [{bet, amount}] of this round, for undo
    this.last = []; // [{bet, stake}] of the round before, for rebet
    this._round = null;
    this._laid = [];
  }

  get seat() {
    return this.store.view.patrons.find((each) => each.name === this.patron)?.box ?? null;
  }

  get where() {
    return this.seat ?? this.box;
  }

  /** Our wagers as the house has them: [{bet, stake, box}]. */
  get laid() {
    const round = this.store.view.round;
    return (round?.wagers ?? []).filter((each) => each.patron === this.patron);
  }

  /** By bet: what is on its way. */
  get pending() {
    const found = new Map();
    const sequence = this.store.snapshot.sequence;
    for (const one of this.store.sent.values()) {
      if (!one.bet || !one.amount || (one.first && sequence >= one.first)) continue;
      found.set(one.bet, (found.get(one.bet) ?? 0) + one.amount);
    }
    return found;
  }

  /** Follow the house: a new round forgets what can be undone and remembers what can be bet again. */
  follow() {
    const round = this.store.view.round;
    if (round?.number !== this._round) {
      if (this._laid.length) this.last = this._laid;
      this._round = round?.number;
      this._laid = [];
      this.done = [];
    }
    if (round && (round.phase === "betting" || round.phase === "closed") && this.laid.length) {
      this._laid = this.laid.map(({ bet, stake }) => ({ bet, stake }));
    }
    if (round?.phase === "settled" || round?.phase === "void") {
      if (this._laid.length) this.last = this._laid;
    }
  }

  async place(bet, stake) {
    const given = { do: "place", patron: this.patron, bet, stake };
    if (this.where !== null) given.box = this.where;
    const answer = await this.store.do(given, { bet, amount: stake });
    const laid = answer.events.filter(({ event }) => event.event === "wager-placed").reduce((sum, { event }) => sum + event.stake, 0);
    this.done.push({ bet, amount: laid || stake });
  }

  async _back(bet, amount) {
    const laid = this.laid.find((each) => each.bet === bet);
    if (!laid) return;
    const about = { patron: this.patron, bet, box: laid.box };
    if (amount >= laid.stake) await this.store.do({ do: "withdraw", ...about });
    else await this.store.do({ do: "lower", ...about, amount });
  }

  /** Take back what was put down last; resolves with the bet it lay on. */
  async undo() {
    const last = this.done.pop();
    if (!last) return null;
    try {
      await this._back(last.bet, last.amount);
    } catch (refusal) {
      this.done.push(last);
      throw Object.assign(refusal, { bet: last.bet });
    }
    return last.bet;
  }

  /** Take everything back; side bets first, since they may not lie alone. */
  async clear() {
    for (const { bet, stake } of [...this.laid].sort((one, other) => main(one.bet) - main(other.bet))) {
      await this._back(bet, stake).catch((refusal) => { throw Object.assign(refusal, { bet }); });
    }
    this.done = [];
  }

  async _all(wagers) {
    for (const { bet, stake } of [...wagers].sort((one, other) => main(other.bet) - main(one.bet))) {
      await this.place(bet, stake).catch((refusal) => { throw Object.assign(refusal, { bet }); });
    }
  }

  rebet() {
    return this._all(this.last);
  }

  double() {
    return this._all(this.laid);
  }
}

const main = (bet) => (bet === "player" || bet === "banker" ? 1 : 0);
