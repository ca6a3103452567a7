// Opening a table: its book and layout, its limits, and what it does by itself.

import { getBooks, newKey, post } from "../base/api.js";
import { fieldForm, namedFields, optionsOf } from "../base/forms.js";
import { learn, phrase } from "../base/language.js";

learn({
  "open-table": ["Open table", "開檯"],
  table: ["Table name", "檯名"],
  decks: ["Decks", "牌副數"],
  positions: ["Positions", "座位數"],
  currency: ["Currency", "貨幣"],
  "face-down": ["Cards are dealt", "發牌"],
  auto: ["The table does by itself", "自動進行"],
  deal: ["Deal", "發牌"],
  offer: ["Offer insurance", "開保險"],
  acknowledged: ["The layout's notice is acknowledged", "已確認檯面告示"],
});

const AUTOMATION = ["announce", "close", "deal", "expose", "offer", "settle"];
const DECKS = 8;
const CURRENCY = "SGD";

function openingFields(books) {
  const faceDown = [
    [false, phrase("face up")],
    [true, phrase("face down")],
  ];
  return namedFields([
    "table",
    ["book", books.map(({ id, title }) => [id, title])],
    ["layout", []],
    "decks",
    "positions?",
    "minimum",
    "maximum",
    "differential?",
    "currency",
    ["shoe", optionsOf(["hand", "read", "virtual"], (kind) => phrase(`${kind} shoe`))],
    ["face-down", faceDown],
    ["method?", optionsOf(["A", "B", "C"], String)],
    "acknowledged",
    ["auto", optionsOf(AUTOMATION), true],
  ]);
}

async function openTable({ table, minimum, maximum, differential, ...given }) {
  const limits = { minimum, maximum, differential };
  const command = { do: "open-table", at: new Date().toISOString(), limits, ...given };
  await post(`/api/tables/${table}/commands`, command, { "Idempotency-Key": newKey() });
}

/** `opened(name)` is called when the table is open. */
export async function openingForm(opened) {
  const books = await getBooks();
  const send = async (values) => {
    await openTable(values);
    opened(values.table);
  };
  const form = fieldForm(openingFields(books), phrase("open-table"), () => form.elements.book.value, send);
  const { table, book, layout, decks, currency } = form.elements;
  const offerLayouts = () => {
    const { layouts } = books[book.selectedIndex];
    layout.setOptions(Object.entries(layouts).map(([id, { title }]) => [id, title ? `${id} · ${title}` : id]));
  };
  book.addEventListener("change", offerLayouts);
  table.pattern = "[a-z0-9\\-]+";
  decks.defaultValue = DECKS;
  currency.defaultValue = CURRENCY;
  offerLayouts();
  return form;
}
