// What lay on the felt in the round before, so that it can be laid again.

import { storage } from "../base/storage.js";

const WITH_WAGERS = ["closed", "settled"];

/** Remember what lies there, once bets are closed. */
export function rememberWagers({ table, view: { round } }) {
  if (!WITH_WAGERS.includes(round?.phase) || !round.wagers.length) return;
  const wagers = round.wagers.map(({ patron, bet, box, stake }) => ({ patron, bet, box, stake }));
  storage.set(`wagers ${table.name}`, { round: round.number, wagers });
}

/** The wagers of the last round that had any, for a round in which bets are open. */
export function wagersBefore({ table, view: { round } }) {
  const kept = storage.get(`wagers ${table.name}`);
  return round?.phase === "betting" && kept?.round < round.number ? kept.wagers : [];
}
