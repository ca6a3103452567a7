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
    const bets = await getBets(name);
    const drawNow = () => draw({ table, view: table.view, desk: table.desk, bets });
    table.on("change", drawNow);
    drawNow();
  } catch (error) {
    table.close();
    throw error;
  }
  return table;
}
