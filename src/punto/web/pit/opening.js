// Opening a table: its book and layout, its limits, and what it does by itself.

import { newKey, post } from "../base/api.js";
import { getBooks, getDigits } from "../base/books.js";
import { textFor } from "../base/bet-names.js";
import { html, setText } from "../base/dom.js";
import { fieldForm, namedFields, optionsOf } from "../base/forms.js";
import { titleOf } from "../base/labels.js";
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
  "must be filled": ["Fields with * must be filled in.", "標有 * 者必須填寫。"],
});

const AUTOMATION = ["announce", "close", "deal", "expose", "offer", "settle"];
const DECKS = 8;
const CURRENCY = "SGD";
const USUAL_DIGITS = 2;

function openingFields(books, state) {
  const faceDown = [
    [false, phrase("face up")],
    [true, phrase("face down")],
  ];
  const fields = [
    "table",
    ["book", books.map(({ id, title, titles }) => [id, titleOf(id, title, titles)])],
    ["layout", []],
    "decks",
    "positions?",
    "minimum",
    "maximum",
    "differential?",
    "payout?",
    "currency",
    ["shoe", optionsOf(["hand", "read", "virtual"], (kind) => phrase(`${kind} shoe`))],
    ["face-down", faceDown],
    ["method?", optionsOf(["A", "B", "C"], String)],
    "acknowledged",
    ["auto", optionsOf(AUTOMATION), true],
  ];
  return namedFields(fields, state);
}

async function openTable({ table, minimum, maximum, differential, payout, ...given }) {
  const limits = { minimum, maximum, differential, payout };
  const command = { do: "open-table", at: new Date().toISOString(), limits, ...given };
  await post(`/api/tables/${table}/commands`, command, { "Idempotency-Key": newKey() });
}

/** `opened(name)` is called when the table is open. */
export async function openingForm(opened) {
  const [books, digitsOf] = await Promise.all([getBooks(), getDigits()]);
  const state = {
    /** Of the currency that the table will have. */
    get digits() {
      return digitsOf[form.elements.currency.value.trim().toUpperCase()] ?? USUAL_DIGITS;
    },
  };
  const send = async (values) => {
    await openTable(values);
    opened(values.table);
  };
  const form = fieldForm(openingFields(books, state), phrase("open-table"), () => form.elements.book.value, send);
  const { table, book, layout, decks, currency } = form.elements;
  const optional = ["differential", "payout"].map((limit) => form.elements[limit]);
  const wholeTitle = html("p.small.quiet"); // a list cuts off what is wider than itself
  const offerWhatItHas = () => {
    const { id, title, titles, layouts, limits } = books[book.selectedIndex];
    setText(wholeTitle, titleOf(id, title, titles));
    layout.setOptions(Object.entries(layouts).map(layoutOption));
    for (const field of optional) offerField(field, limits.includes(field.name));
  };
  book.closest(".labelled").after(wholeTitle);
  book.addEventListener("change", offerWhatItHas);
  form.addEventListener("reset", () => queueMicrotask(offerWhatItHas)); // once the first book is chosen again
  table.pattern = "[a-z0-9\\-]+";
  decks.defaultValue = DECKS;
  currency.defaultValue = CURRENCY;
  offerWhatItHas();
  form.prepend(html("p.small.quiet", phrase("must be filled")));
  return form;
}

/** Show a field, or empty and hide it: a limit that the book does not enforce is not posted. */
function offerField(field, isOffered) {
  field.closest(".labelled").hidden = !isOffered;
  if (!isOffered) field.value = "";
}

function layoutOption([id, { title, titles }]) {
  const text = textFor(titles, title);
  return [id, text ? `${id} · ${text}` : id];
}
