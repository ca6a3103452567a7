// A table with the desk of its staff, as the house pushes both.

import { getBets } from "../base/api.js";
import { followTable } from "../base/live-table.js";

/**
 * Open the desk of a table. `draw(state)` is called with every change, where the state is {table, view, desk, bets}.
 * Returns the table, which has to be closed.
 */
export async function openDesk(name, draw) {
  const table = await followTable(name, { desk: true });
  try {
    let game = null; // whose bets they are: a table may change its book or layout
    let bets = {};
    const drawNow = () => draw({ table, view: table.view, desk: table.desk, bets });
    const follow = async () => {
      const { digest, layout } = table.view;
      if (game !== digest + layout) {
        game = digest + layout;
        bets = await getBets(name);
      }
      drawNow();
    };
    table.on("change", () => follow().catch(drawNow)); // without a network, the names of before
    await follow();
  } catch (error) {
    table.close();
    throw error;
  }
  return table;
}
