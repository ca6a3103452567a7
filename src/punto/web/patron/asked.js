// What waits for the patron, as cards at the lower edge: a seat, chips, questions, insurance, cards to squeeze.

import { button, clauseTags, doing, h, keyed, learn, minor, money, named, odds, post, questionCard, refuse, say, select, smallButton, t, text, total, upTo } from "../base.js";
import { lineList, outcome, voided } from "./panels.js";
import { squeezeCard } from "./squeeze.js";

learn(`
choose box | You stand. Bet in box | 站立下注，選擇格位
buy to play | How much in chips? | 購買多少籌碼？
buy line | Chips are counted in {n}. | 籌碼以 {n} 計。
take seat | Take a seat to play | 入座參與
accept notice | I accept the notice | 接受告示
insure hand | Insurance on your {hand} wager, {odds} | 為你的{hand}注投保，賠率 {odds}
cover up to | {stake} lies on {hand}. Cover up to {most}. | {hand}已下注 {stake}，最多可投保 {most}。
cover pays | {cover} of cover pays {pays} if it wins. | 投保 {cover}，若中可得 {pays}。
cover wins | It wins if {other} wins; a tie returns it. | {other}贏則中；和局退回。
cover wins tie | It wins if the round is a tie. | 和局則中。
cover odds | It wins {win} % of the time; the house keeps {edge} %. | 命中率 {win}%；莊家優勢 {edge}%。
take cover | Insure {n} | 投保 {n}
no cover | No insurance | 不投保
cover amount | Amount of cover | 投保金額
most | All | 全數
`);

export function askedOf(store, patron, betting) {
	const element = h("div.asked", { "aria-live": "polite" }), passed = new Set();
	let held = null, looked = null;
	const mine = () => store.view.patrons.find((each) => each.name === patron && !each.away) ?? null;
	const boxes = () => upTo(store.snapshot.positions);
	const free = () => boxes().find((box) => !store.view.patrons.some((each) => each.box === box));

	/** The faces of the cards that one holds, asked for once for each state of the hand. */
	const look = async () => {
		const { round } = store.view;
		const own = ["player", "banker"].filter((hand) => round?.phase === "closed" && round[hand].squeezer === patron && round[hand].cards.includes(null));
		const mark = own.length ? `${round.number}/${own.map((hand) => round[hand].cards.join()).join("/")}` : null;
		if (mark === looked) return;
		looked = mark;
		const found = mark && (await store.get("held").catch(() => null));
		if (looked !== mark) return;
		held = found;
		draw();
	};

	const questionOf = (question) => {
		say(question.says, "urgent");
		return questionCard(question, { book: store.view.book, whom: false, at: total(betting.laid()), answer: (choice, reason) => store.do({ do: "answer", question: question.id, choice, ...reason }) });
	};

	/** A thin line for the time that is left; null where no clock ends it. */
	const timeLine = () => {
		const until = store.snapshot.asks_until, left = until - store.now(), line = h("i");
		if (!until || left <= 0) return null;
		line.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" });
		return h("div.time-line", { "aria-hidden": "true" }, line);
	};

	const offered = (key, offer, box, most) => {
		const stake = total(betting.laid().filter((each) => each.bet === offer.hand && each.box === box));
		const decline = () => {
			const taken = store.tale(patron).covers.some((each) => each.stage === offer.stage); // then nobody waits for us
			if (!taken) post(`/api/tables/${store.name}/pass`).catch(() => {}); // else the card comes in its time
			passed.add(key);
			draw();
		};
		const insure = (given) => store.do({ do: "insure", patron, ...given });
		const card = offerCard({ time: timeLine(), offer, clauses: store.tale().offer?.basis?.clauses, box, most, stake, view: store.view, insure, decline });
		store.get("odds").then((found) => found.offer && card.tell(found.offer), () => {});
		say(t("insurance"), "urgent");
		return card;
	};

	const sit = async (box, beside = element, accepted = false) => {
		try {
			await store.do({ ...(box ? { do: "sit", box } : { do: "stand" }), patron, ...(accepted && { "accepts-notice": true }) });
		} catch (refusal) {
			const note = refuse(beside.isConnected ? beside : element, refusal, store.view.book);
			if (!accepted && /notice/i.test(refusal.message)) note.append(smallButton(t("accept notice"), () => sit(box, beside, true)));
		}
	};

	const seat = () => {
		const card = h("section.question", h("p.lead", t("take seat")), h("div.row",
			free() && button(`${t("sit down")}: ${t("box", free())}`, () => sit(free(), card), { class: "button primary" }), button(t("stand"), () => sit(null, card))));
		return card;
	};

	const buy = () => {
		const { limits, currency } = store.view, sums = [100, 500, 1000].map((times) => (limits.minimum ?? 100) * times);
		return h("section.question", { label: t("buy to play") }, h("p.lead", t("buy to play")), h("p.small.quiet", t("buy line", currency)),
			h("div.row", sums.map((amount, at) => doing(store, money(amount), { do: "buy-in", patron, amount }, { class: at === 1 ? "button primary" : "button" }))));
	};

	const chooseBox = () => {
		betting.box ??= 1;
		const pick = select(named(boxes(), String), { onchange: () => { betting.box = pick.read(); } });
		return h("section.question.slim", h("label.row", t("choose box"), pick));
	};

	/** The result as a card, for a screen without room beside the felt. */
	const brief = (round) => h("section.question.brief", { label: t("result") },
		round.result ? [h("p.lead", outcome(round)), lineList(round.lines[patron], store.view.book)] : [h("p.lead", t("void round")), voided(store.view, patron, store.tale(patron))]);

	const draw = () => {
		const { open, questions, round } = store.view, me = mine(), cards = new Map(), places = Object.keys(held ?? {});
		if (open && !me) cards.set("seat", seat);
		else if (open && !me.balance && !me.held) cards.set("buy", buy);
		else if (open && me.box === null) cards.set("stand", chooseBox);
		for (const question of questions) cards.set(`q${question.id}`, () => questionOf(question));
		for (const [spot, most] of Object.entries(round?.offer?.most ?? {})) {
			const key = `offer${round.number}/${round.offer.stage}/${spot}`;
			if (most > 0 && !passed.has(key)) cards.set(`${key}/${most}`, () => offered(key, round.offer, Number(spot.split("/")[1]), most));
		}
		if (round?.result ? round.phase === "settled" && round.lines[patron]?.length : round?.phase === "void" && store.tale().ended?.returned[patron]) cards.set(`${round.phase}${round.number}`, () => brief(round));
		if (places.length) cards.set(`held${round?.number}/${places}`, () => squeezeCard(held, store, timeLine()));
		keyed(element, [...cards], ([key]) => key, ([, make]) => make());
		void look();
	};
	return { element, mine, free, sit, draw };
}

/** What odds like "1.5:1" make of an amount. */
function times(amount, words) {
	const [over, under] = words.split(":").map(Number);
	return Math.round((amount * over) / under);
}

function offerCard({ offer, clauses, box, most, stake, view, insure, decline, time }) {
	const { limits: { unit }, round, book } = view, hand = t(offer.hand), other = t(offer.hand === "player" ? "banker" : "player");
	const sure = offer.stage === "third-card" && round.player.points === (offer.hand === "player" ? 9 : 0); // it cannot lose any more
	let amount = most;
	const field = h("input.field", { inputmode: "decimal", label: t("cover amount"), oninput: () => set(minor(field.value)) });
	const pays = h("p.small"), chances = h("p.small.quiet", { hidden: true }), wrong = h("span.small.waits", { role: "alert" });
	const take = doing({ view }, "", () => insure({ hand: offer.hand, stake: amount, box }), { class: "button primary" });
	const set = (value) => {
		text(wrong, value ? "" : t("no amount", field.value));
		take.disabled = !value;
		if (!value) return;
		amount = value;
		text(pays, t("cover pays", { cover: money(amount), pays: money(times(amount, offer.odds)) }));
		text(take, t("take cover", money(amount)));
	};
	const part = ([key, share]) => smallButton(t(key), () => {
		set(share === 1 ? most : Math.max(unit, Math.floor((most * share) / unit) * unit));
		field.value = money(amount);
	});
	set(most);
	field.value = money(most);
	const card = h("section.question.offer", { label: t("insurance") },
		h("header", h("p.lead", t("insure hand", { hand, odds: odds(offer.odds) })), clauseTags(clauses, book)),
		h("p", t("cover up to", { stake: money(stake), hand, most: money(most) })),
		h("div.row.cover-row", [["¼", 0.25], ["½", 0.5], ["most", 1]].map(part), field, wrong),
		pays, h("p.small", t(sure ? "cover wins tie" : "cover wins", { other })), chances,
		h("div.row", take, button(t("no cover"), decline)), time);
	card.tell = ({ win, per_cent: edge }) => {
		text(chances, t("cover odds", { win: Number(win).toFixed(1), edge: Number(edge).toFixed(2) }));
		chances.hidden = false;
	};
	return card;
}
