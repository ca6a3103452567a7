// The trainer: a situation from a book, a question, then the clause and the arithmetic. The house knows the answers.

import { attempt, books, button, cardBack, cardFace, clauseSays, clauseTags, forgive, get, h, keep, labelled, learn, minor, money, named, post, put, refuse, said, select, stepList, style, t } from "./base.js";
import { layHand, thenAsked } from "./dealer/desk.js";

learn(`
payout | Payouts | 賠付
irregularity | Irregularities | 異常處理
next drill | Next | 下一題
check | 核對
unanswered | Answer this first. | 請先作答。
score | {n} of {m} right | 答對 {n} / {m}
streak | {n} in a row | 連對 {n}
type amounts | Type the amounts | 自行輸入金額
up or down | what the patron is up or down | 客人輸贏
right | 正確
wrong | Not so | 不對
whole | The whole account | 完整說明
lost | loses {n} | 輸 {n}
wins | wins {n} | 贏 {n}
four-cards | after four cards | 四張牌後
third-card | after the Player's third card | 閒第三張後
what is paid | What is each wager paid? | 每注如何賠付？
What happens next? | 接着如何處理？
Who decides? | 由誰決定？
`);

const score = { right: 0, of: 0, streak: 0, ...keep.get("trainer") };

const hands = (by) => h("div.d-lay", Object.entries(by).map(([area, faces]) => faces.length > 0 && layHand(area, faces.map((face) => ({ art: face ? cardFace(face) : cardBack() })))));
const amount = (net) => (net < 0 ? t("lost", money(-net)) : net ? t("wins", money(net)) : t("result returned"));
const mark = (right) => (right ? "✓" : "✗");

/** A finished coup with wagers: what is each paid? */
function payout(drill, options, send) {
	const answers = drill.wagers.map(() => null);
	const read = (words) => {
		const [, sign, figures] = /^([+−-]?)(.*)$/.exec(words.trim()), value = minor(figures);
		return value !== null && sign && sign !== "+" ? -value : value;
	};
	const typed = (bet, at) => h("input.field", { label: `${bet}: ${t("up or down")}`, placeholder: "−95", autocomplete: "off", oninput: (event) => { answers[at] = read(event.target.value); } });
	const chosen = (bet, at, choices) => h("div.row", { role: "radiogroup", label: bet }, choices.map((net) => h("label.t-choice", h("input", { type: "radio", name: `wager${at}`, onchange: () => { answers[at] = net; } }), amount(net))));
	const rows = drill.wagers.map(({ bet, stake, odds, stage, choices }, at) => h("li.t-wager",
		h("p", h("b", t(bet)), " ", h("span.money", money(stake)), odds && h("span.small.quiet", ` ${odds} · ${t(stage)}`)),
		options.type ? typed(t(bet), at) : chosen(t(bet), at, choices)));
	const told = (marks) => {
		for (const each of panel.querySelectorAll("input,button")) each.disabled = true;
		marks.lines.forEach(({ right, net, says, clauses }, at) => rows[at].append(h(`div.t-mark.${right ? "ok" : "no"}`,
			h("b", `${mark(right)} ${amount(net)}`), h("p.small", says, " ", clauseTags(clauses, drill.book)), clauseSays(clauses, marks.clauses))));
		return [marks.right === marks.lines.length, h("details", h("summary", t("whole")), stepList(marks.steps, drill.book))];
	};
	const check = () => {
		const open = rows[answers.indexOf(null)];
		rows.forEach(forgive);
		if (!open) return send(panel, { layout: drill.layout, answers }, told);
		refuse(open, { message: t("unanswered") });
		open.querySelector("input").focus();
	};
	const panel = h("form.panel.col", { onsubmit: check },
		hands({ player: drill.player, banker: drill.banker }), h("h2", t("what is paid")), h("ul", rows), h("div", h("button.button.primary", t("check"))));
	return panel;
}

/** Something went wrong: what happens next, or who decides? */
function irregularity(drill, options, send) {
	const by = Object.fromEntries(["player", "banker", "aside"].map((name) => [name, drill.cards.filter((each) => each.area === name).map((each) => each.face)]));
	const choose = (answer) => send(panel, { answer }, ({ answer: best, right, steps, asks, clauses, summaries }) => {
		buttons.forEach((each, at) => {
			each.disabled = true;
			if (at === best) each.prepend("✓ ");
			each.classList.add(at === best ? "ok" : at === answer ? "no" : "other");
		});
		return [right, h("p", clauseTags(clauses, drill.book)), clauseSays(clauses, summaries), stepList([...steps, ...thenAsked(asks)], drill.book, summaries)];
	});
	const buttons = drill.choices.map((words, at) => button(words, () => choose(at), { class: "choice" }));
	const panel = h("section.panel.col", drill.cards.length > 0 && hands(by),
		h("p.small.quiet", drill.wagers.map((each) => `${each.patron}: ${t(each.bet)} ${money(each.stake)}`).join(" · ")),
		h("h2", said(drill.names)), h("p.t-story", drill.happened), h("h3", t(drill.asks)), h("div.t-answers", buttons));
	return panel;
}

const DRILLS = { payout, irregularity };

/** The view at /train; ?kind=irregularity&book=…&seed=… for a certain drill. */
export async function show(root) {
	document.title = `${t("train")} · Punto`;
	await style("/static/console.css");
	const options = { kind: "payout", book: "commission-insurance", ...Object.fromEntries(new URLSearchParams(location.search)) };
	const all = await books(), stage = h("div"), figures = h("p.row.score", { role: "status" });
	const titles = select(all.map(({ id, title }) => [id, title]), { onchange: () => { fill(); void deal(); } });
	const layouts = select([], { onchange: () => { options.layout = layouts.value; void deal(); } });
	const type = h("input", { type: "checkbox", onchange: () => { options.type = type.checked; void deal(); } });
	const forPayouts = [labelled(t("layout"), layouts), h("label.tick.small", type, t("type amounts"))];
	const draw = () => put(figures, t("score", { n: score.right, m: score.of }), h("b", t("streak", score.streak)));
	const deal = async () => {
		const { kind, seed } = options, path = `/api/drills/${kind}`, outcome = h("div.col", { "aria-live": "polite" });
		again.classList.remove("primary");
		for (const each of tabs) each.setAttribute("aria-pressed", each.dataset.kind === kind);
		for (const each of forPayouts) each.hidden = kind !== "payout";
		const asked = Object.entries({ book: options.book, layout: kind === "payout" && options.layout, seed }).filter(([, value]) => value);
		options.seed = null;
		await attempt(stage, null, async () => {
			const drill = await get(`${path}?${new URLSearchParams(asked)}`);
			const send = (panel, answer, tell) => attempt(panel, drill.book, async () => {
				const [right, ...more] = tell(await post(path, { book: drill.book, seed: drill.seed, ...answer }));
				Object.assign(score, { of: score.of + 1, right: score.right + right, streak: right ? score.streak + 1 : 0 });
				keep.set("trainer", score);
				put(outcome, h(`p.verdict.${right ? "ok" : "no"}`, `${mark(right)} ${t(right ? "right" : "wrong")}`), more);
				draw();
				again.classList.add("primary");
			});
			const panel = DRILLS[kind](drill, options, send);
			panel.append(outcome, h("p.tiny.quiet", `${drill.title} ${drill.layout ?? ""} · ${drill.seed}`));
			put(stage, panel);
		});
	};
	const again = button(t("next drill"), () => void deal().then(() => stage.querySelector("input,button")?.focus()));
	const tabs = Object.keys(DRILLS).map((kind) => button(t(kind), () => { options.kind = kind; void deal(); }, { "data-kind": kind }));
	const fill = () => {
		options.book = titles.value;
		const found = Object.keys(all[titles.selectedIndex].layouts);
		layouts.fill(named(found, String));
		if (found.includes(options.layout)) layouts.value = options.layout;
		options.layout = layouts.value;
	};
	if (all.some(({ id }) => id === options.book)) titles.value = options.book;
	put(root, h("div.console.train", h("header.row", h("h1", t("train")), h("span.grow"), figures),
		h("div.row.t-bar", h("div.row", { role: "group", label: t("train") }, tabs), labelled(t("book"), titles), forPayouts, again), stage));
	draw();
	fill();
	await deal();
}
