// What the house's books say, for whoever chooses among them.

import { getOnce } from "./api.js";

/** A rulebook: title, operator, layouts, ranks and insurance. */
function getBook(id) {
  return getOnce(`/api/books/${id}`);
}

export async function getBooks() {
  const ids = await getOnce("/api/books");
  return Promise.all(ids.map(getBook));
}

/** How many digits the minor unit of a currency has, by its code, where it is not two. */
export function getDigits() {
  return getOnce("/api/currencies");
}

/** The bets of a layout of a book by their ids, with their pay rows; those of the first layout where none is named. */
export function getBookBets(book, layout) {
  return getOnce(`/api/books/${book}/bets${layout ? `?layout=${layout}` : ""}`);
}
