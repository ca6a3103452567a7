// A table that the pit watches: its store, its desk, its alerts, and the edges of its bets.

import { get } from "../base/api.js";
import { openDesk } from "../dealer/desk.js";
import { acknowledged, alerts } from "./telling.js";

/** Watch a table; `changed(watch)` with every change. */
export async function watch(name, changed) {
  const seen = acknowledged(name);
  const one = { name, state: null, alerts: [], edges: null, seen };
  let looked = "";
  const edges = async () => {
    const { view } = one.state;
    const now = `${view.results.length} ${view.cards_left} ${view.round?.phase === "settled"}`;
    if (now === looked || (view.round?.phase === "closed" && one.edges)) return;
    looked = now;
    one.edges = await get(`/api/tables/${name}/edges`).catch(() => one.edges);
    changed(one);
  };
  const desk = await openDesk(name, (state) => {
    one.state = state;
    changed(one);
    void edges();
  });
  const take = (entry) => {
    if (entry.event && alerts(entry.event) && !seen.has(entry.sequence)) one.alerts.push(entry);
  };
  const last = desk.table.snapshot.sequence;
  if (seen.fresh) seen.start(Math.max(0, last - 400));
  for (let after = Math.max(seen.upTo, last - 2000); after < last; ) {
    const page = await get(`/api/tables/${name}/events?after=${after}`);
    page.entries.forEach(take);
    after = page.entries.at(-1)?.sequence ?? last;
  }
  const off = desk.table.on("event", (event) => { take(event.detail); });
  one.acknowledge = (sequence) => {
    seen.take(sequence);
    one.alerts = one.alerts.filter((each) => each.sequence !== sequence);
    changed(one);
  };
  one.close = () => { off(); desk.close(); };
  changed(one);
  return one;
}
