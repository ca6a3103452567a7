// What gives a command: buttons, forms of named fields, and questions as cards. Never a dialogue that blocks.

import { button, h, put, smallButton } from "./dom.js";
import { minor, money } from "./money.js";
import { asking, attempt, forgive, refuse } from "./notes.js";
import { has, learn, plain, t } from "./words.js";

learn(`
yes | 是
no | 否
keep | 保留
cancel | 取消
continue | Go on | 繼續
take-back | 取回
as-it-lies | Play on | 繼續
reconstructed | Play on | 繼續
replace-cards | New cards | 換牌
present | I am here | 我在場
counted | That is the count | 點算完畢
found | Confirm | 確認
means keep | The cover stays as struck. | 保險維持不變。
means cancel | The cover comes back. | 退回保險金。
means continue | The wager stays in play. | 注碼繼續有效。
means shoe continue | This shoe stays in use. | 沿用此牌靴。
means refer continue | Play goes on; nothing else is done. | 牌局繼續，不另處理。
means as-it-lies | The wager stays; the hand counts as it lies. | 注碼保留，按現狀計算。
means reconstructed | The wager stays; the hand is put right and counts. | 注碼保留，按復原後的牌計算。
means take-back | {amount} comes back; this round is over for that money. | 取回 {amount}，該注不再參與此局。
the wager | 注碼
means take-back open | {amount} comes back as far as it is undecided. | 取回 {amount} 未定勝負的部分。
means replace-cards | The shoe is changed before the next round. | 下一局前換牌。
means void | Every stake of this round comes back. | 退回本局全部注碼。
means settle | The wagers count as they lie. | 注碼照現狀計算。
means rule | The steps put together here are taken. | 執行所列步驟。
means remove | What is over the differential is taken off. | 移走超出差額的注碼。
means offer | Whom it concerns may insure now. | 有關客人現可投保。
means found | Their wagers on that hand come back. | 退回其該手注碼。
asked of | for {n} | 由 {n} 決定
no amount | “{n}” is no amount. | 「{n}」不是金額。
`);

/** Read "6h 10s" → ["6h", "Ts"]; throws an error that names what is no card. */
export function readCards(words) {
	return words.trim().split(/[\s,]+/).filter(Boolean).map((each) => {
		const found = /^(10|[2-9tjqka])([cdhs])$/i.exec(each);
		if (!found) throw new Error(t("not a card", each));
		return (found[1] === "10" ? "T" : found[1].toUpperCase()) + found[2].toLowerCase();
	});
}

function readAmount(words) {
	const amount = minor(words);
	if (amount === null) throw new Error(t("no amount", words));
	return amount;
}

export const upTo = (most) => Array.from({ length: most }, (_, at) => at + 1);

const flag = () => [[true, t("yes")], [false, t("no")]];
/** [["minimum", "Minimum"], …] */
export const named = (ids, words = plain) => ids.map((id) => [id, words(id)]);

const OPTIONS = {
	patron: ({ view }) => named(view.patrons.map((each) => each.name), String),
	bet: ({ bets }) => named(Object.keys(bets)),
	box: ({ desk }) => named(upTo(desk.positions), String),
	post: ({ desk }) => named(desk.ranks.flat()),
	hand: () => named(["player", "banker"]),
	how: () => [["squeeze", t("by-squeezing")], ["expose", t("expose")]],
	order: () => named(["known", "unknown"]),
	cause: () => named(["power", "other"]),
	acting: () => flag().reverse(), acknowledged: () => flag().reverse(), agreed: flag, reconstructible: flag, exposed: flag, seen: flag, earlier: flag,
};
const READ = { amount: readAmount, stake: readAmount, minimum: readAmount, maximum: readAmount, differential: readAmount, faces: readCards, decks: Number, positions: Number };
const LABELS = { name: "new patron", box: "box-number", order: "order known" };

export const labelled = (words, field) => h("label.labelled", h("span", words), field);

/** A list of [[value, words], …]. `fill` changes what it offers and keeps what is chosen. */
export function select(options = [], props = {}) {
	const list = h("select.field", props);
	list.fill = (found) => {
		const chosen = list.value;
		options = found;
		put(list, found.map(([value, words]) => h("option", { value: value ?? "" }, words)));
		if (found.some(([value]) => String(value) === chosen)) list.value = chosen;
	};
	list.read = () => options[list.selectedIndex]?.[0];
	list.fill(options);
	return list;
}

export function several(words, options) {
	const boxes = options.map(([value, name]) => [value, h("input", { type: "checkbox" }), name]);
	const element = h("fieldset.row", h("legend", words), boxes.length ? boxes.map(([, box, name]) => h("label.tick", box, name)) : "–");
	return { element, read: () => boxes.filter(([, box]) => box.checked).map(([value]) => value) };
}

/** A field by its name; "box?" may be left empty, ["value", options] has its own options, ["value", options, true] takes several. */
function field(spec, state) {
	const [wanted, own, many] = [spec].flat(), name = wanted.replace("?", ""), may = wanted !== name, words = t(LABELS[name] ?? name);
	if (many) return { name, ...several(words, own) };
	const options = own ?? OPTIONS[name]?.(state);
	if (options) {
		const list = select(may ? [[undefined, "–"], ...options] : options, { name });
		return { name, element: labelled(words, list), read: list.read };
	}
	const one = h("input.field", { name, maxlength: 400, autocomplete: "off", autocapitalize: "none", required: !may });
	const read = READ[name] ?? ((typed) => typed.trim());
	return { name, element: labelled(words, one), read: () => (one.value.trim() ? read(one.value) : undefined) };
}

export function fields(specs, state) {
	const all = specs.filter(Boolean).map((spec) => field(spec, state));
	return {
		rows: all.map((each) => each.element),
		read: () => Object.fromEntries(all.map((each) => [each.name, each.read()]).filter(([, value]) => value !== undefined && value.length !== 0)),
	};
}

/** A form of fields; `send` gets what they say. What is refused is said beside the field that it names. */
export function sendForm({ rows, read }, words, book, send) {
	const form = h("form.row.ask-form", { onsubmit: async () => {
		forgive(form);
		try {
			await send(read());
			form.reset();
		} catch (refusal) {
			const note = refuse(form, refusal, book()), said = refusal.message.toLowerCase();
			[...form.elements].find(({ name }) => name && said.includes(name.replaceAll("-", " ")))?.closest(".labelled")?.after(note);
		}
	} }, rows, h("button.button.small", words));
	return form;
}

/** `make` may change what the fields say. */
export const commandForm = (state, id, specs, { fixed = {}, make = (given) => given, words = t(id) } = {}) =>
	sendForm(fields(specs, state), words, () => state.view.book, (given) => state.table.do(make({ do: id, ...fixed, ...given })));

export const give = (table, command, near) => attempt(near, table.view.book, () => table.do(command));

/** A button that gives a command, or does something else that may be refused. */
export function doing(table, words, command, props) {
	const one = smallButton(words, async () => {
		one.disabled = true;
		await attempt(one.parentElement, table.view.book, () => (typeof command === "function" ? command() : table.do(command)));
		one.disabled = false;
	}, props);
	return one;
}

/** What a choice means, with the `amount` at stake where it is known; undefined where the choice says it all. */
export function meaning({ topic, about }, choice, amount) {
	const open = choice === "take-back" && about.includes("undecided") ? " open" : "";
	const key = [`means ${topic} ${choice}`, `means ${choice}${open}`].find(has);
	return key && t(key, { amount: amount ? money(amount) : t("the wager") });
}

/**
 * A card for a question. `answer(choice, more)` gives the command; `at` is the amount that its patron has at stake;
 * `body` holds what the form of the question needs besides a choice; `whom` says to whom it is put.
 */
export function questionCard(question, { book, answer, whom = true, at = 0, body = null }) {
	const reason = question.reason && h("input.field", { name: "reason", required: true, maxlength: 400, label: t("reason"), placeholder: t("reason") });
	const give = async (choice) => {
		const buttons = [...card.querySelectorAll("button")];
		for (const each of buttons) each.disabled = true;
		if (!(await attempt(card, book, () => answer(choice, reason ? { reason: reason.value } : {})))) for (const each of buttons) each.disabled = false;
	};
	const card = h("section.question", { "data-question": question.id, label: question.says },
		asking(question, book),
		whom && h("p.quiet.small", t("asked of", question.waiting?.length ? question.waiting.join(", ") : plain(question.to))),
		body, reason,
		h("div.row", question.choices.map((choice) =>
			h("button.choice", { type: "button", class: choice === question.default && "default", onclick: () => give(choice) },
				h("b", plain(choice)), h("span", meaning(question, choice, at))))));
	return card;
}
