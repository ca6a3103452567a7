// The patron's table: where everything is put together.

import { attempt, betsAt, bookAt, button, denominations, follow, forgive, h, keyed, learn, money, posted, put, refuse, showLink, smallBoard, t, text, timerRing, upTo } from "./base.js";
import { titled } from "./lobby.js";
import { askedOf } from "./patron/asked.js";
import { bettingOf } from "./patron/betting.js";
import { dockOf, flyHome, slideBack } from "./patron/dock.js";
import { felt as makeFelt, hands as makeHands } from "./patron/felt.js";
import { historyPanel, oddsPanel, outcome, requestsPanel, resultPanel } from "./patron/panels.js";

learn(`
room | 尚可
place bets | Place your bets | 請下注
no more bets | 停止下注
wait round | Waiting for the next round | 等待下一局
free hand | Free hand: no bets are taken | 免費局，不接受下注
changing shoe | The shoe is being changed | 更換牌靴
you | you | 你
boxes | 座位
result hint | When a round is over, every payment is explained here, line by line. | 每局結束後，這裡逐項說明派彩。
`);

const SHORT = 7000; // how long a refusal lies on the felt, in ms

export async function show(root, { params, me, go }) {
	const store = await follow(params.name), { book } = store.view, menu = await betsAt(store.name), [name, kind] = titled((await bookAt(store.name)).title);
	await store.recall();
	document.title = `${name} · Punto`;
	const chips = denominations(store.view.limits), patron = me?.kind === "patron" ? me.name : null; // without a patron, the table is watched
	const betting = patron && bettingOf(store, patron), asked = patron && askedOf(store, patron, betting), dock = patron && dockOf(store.name, chips, (key, from) => act(key, from));
	const shoe = h("div.shoe", { role: "img" }, h("i"), h("span.tiny")), hands = makeHands(shoe), felt = makeFelt(menu, (bet, field) => tap(bet, field));
	const call = h("p.call", { role: "status" }), ring = timerRing(), seats = h("ol.seats", { label: t("boxes") }), limits = h("p.posted.small"), board = h("div");
	const result = resultPanel(), panel = h("div.tab-panel", { id: "tab-panel", role: "tabpanel", tabindex: 0 });
	let shown = null, waits = null, plotted = null;

	/** A refusal over its field, kept inside the screen. */
	const near = (field, refusal) => {
		const note = refuse(field, refusal, book, SHORT), box = note.getBoundingClientRect();
		note.style.setProperty("--shift", `${Math.max(8 - box.left, 0) - Math.max(box.right - innerWidth + 8, 0)}px`);
	};
	const back = (field, amount) => slideBack(amount, Math.max(0, chips.indexOf(amount)), field, dock.rack);
	const tap = async (bet, field) => {
		if (!asked?.mine()) return void refuse(field, { message: t("take seat") }, null, SHORT);
		const amount = dock.chip();
		forgive(field);
		try {
			await betting.place(bet, amount);
			draw(); // now it can be undone
		} catch (refusal) {
			back(field, amount);
			near(field, refusal);
		}
	};
	const act = async (key, from) => {
		from.disabled = true;
		await betting[key]().catch((refusal) => near(refusal.bet ? felt.field(refusal.bet) : dock.element, refusal));
		draw();
	};
	const leave = async () => {
		if (asked.mine()?.balance) await store.do({ do: "cash-out", patron });
		if (asked.mine()) await store.do({ do: "leave", patron });
		go("/");
	};

	const TABS = {
		result: (body) => put(body, result, h("p.quiet.small.hint", t("result hint"))),
		history: (body) => historyPanel(body, store, patron, book),
		"exact odds": (body) => oddsPanel(body, store, menu),
		...(patron && { requests: (body) => requestsPanel(body, store, patron, leave) }),
	};
	const tabs = Object.keys(TABS).map((key) => button(t(key), () => open(key), { class: "tab", role: "tab", "aria-controls": "tab-panel" }));
	const open = (key) => {
		const body = h("div.col", h("p.quiet", t("loading")));
		Object.keys(TABS).forEach((each, at) => tabs[at].setAttribute("aria-selected", each === key));
		put(panel, body);
		void attempt(body, book, async () => void (await TABS[key](body)));
	};

	/** Whether what is to be told can be seen on the cards: a result waits until the last of them is turned. */
	const revealed = (round, quick) => {
		if (round?.phase !== "settled" || shown === round.number) return true;
		if (quick) shown = round.number;
		else if (waits !== round.number) {
			waits = round.number;
			hands.ready().then(() => {
				shown = round.number;
				draw();
			});
		}
		return quick;
	};
	const called = () => {
		const { open: isOpen, next, questions, round } = store.view, blocking = next.find((each) => each.do === "answer");
		if (!isOpen) return t("table closed");
		if (blocking && !questions.length) return t("waits for", blocking.by.replaceAll("-", " "));
		if (!round) return t(next[0]?.do === "load-shoe" ? "changing shoe" : "wait round");
		if (round.phase === "settled" && round.result) return outcome(round);
		return t({ betting: round.free ? "free hand" : "place bets", closed: "no more bets" }[round.phase] ?? round.phase);
	};
	const drawShoe = (left) => {
		shoe.style.setProperty("--part", left / (store.snapshot.decks * 52));
		text(shoe.lastChild, String(left));
		shoe.setAttribute("aria-label", `${t("shoe")}: ${t("cards left", left)}`);
	};
	const drawSeats = () => {
		const taken = new Map(store.view.patrons.filter((each) => each.box && !each.away).map((each) => [each.box, each.name]));
		keyed(seats, upTo(store.snapshot.positions), (box) => `${box}/${taken.get(box) ?? ""}`, (box) => {
			const who = taken.get(box), own = who === patron, number = h("b", box);
			if (who) return h("li.seat", { class: own && "own" }, number, h("span", own ? t("you") : who));
			const seat = h("li.seat.free", patron ? button(number, () => asked.sit(box, seat), { class: "sit", label: `${t("sit down")}: ${t("box", box)}` }) : number);
			return seat;
		});
	};
	const drawLimits = (room) => {
		const left = "player" in room ? [`${t("room")}: ${t("player")} ${money(room.player)}, ${t("banker")} ${money(room.banker)}`] : [];
		put(limits, [...posted(store.view.limits), ...left].map((each) => h("span", each)));
	};
	const drawRoads = async (rounds) => {
		if (plotted === rounds) return;
		plotted = rounds;
		const roads = await store.get("roads").catch(() => null);
		if (roads && plotted === rounds) put(board, smallBoard(roads));
		else if (!roads) plotted = null;
	};
	const draw = (quick = false) => {
		const { snapshot, view } = store, { round } = view, mine = asked?.mine(), tale = store.tale(patron);
		betting?.follow();
		hands.draw(round, patron, quick);
		if (!revealed(round, quick)) return;
		hands.glow(round?.phase === "settled" ? round.result?.winner : null);
		felt.draw(view, mine && betting, chips, patron, tale.covers);
		ring.draw(store);
		text(call, called());
		drawShoe(view.cards_left ?? 0);
		drawSeats();
		drawLimits(snapshot.room);
		dock?.draw(mine, mine && round?.phase === "betting" && betting.can(), quick || round?.phase !== "settled");
		asked?.draw();
		void drawRoads(view.results.length);
		if (!result.draw(view, patron, tale) || quick) return;
		for (const { net, bet } of round.lines[patron] ?? []) if (net > 0) flyHome(net, felt.field(bet.replace("-insurance", "")), dock.purse);
	};
	/** What the house says about our wagers without being asked: shown at the field. */
	const heard = ({ detail: { event } }) => {
		if (event.patron !== patron || !event.bet) return;
		const field = felt.field(event.bet), refused = event.event === "money-refused";
		if (refused || event.event === "wager-advised" || (event.event === "wager-lowered" && event.says)) near(field, { message: event.says, clauses: event.basis?.clauses });
		if (refused) back(field, event.amount);
	};

	put(root, h("div.patron-table",
		h("section.felt", { label: name }, h("header.felt-head", h("div.felt-title", h("h1", name), h("p.small", kind)), call, ring, shoe), hands, felt, seats, limits),
		asked?.element, h("aside.beside", board, h("div.panel.tabbed", h("div.tabs", { role: "tablist" }, tabs), panel)), dock?.element));
	open("result");
	const pressed = (event) => dock?.key(event);
	addEventListener("keydown", pressed);
	const offs = [showLink(store), store.on("change", () => draw()), store.on("sent", () => draw()), store.on("event", heard), () => removeEventListener("keydown", pressed), () => store.close()];
	draw(true);
	if (new URLSearchParams(location.search).has("sit")) {
		history.replaceState(null, "", location.pathname);
		if (asked && !asked.mine() && store.view.open) void asked.sit(asked.free());
	}
	return () => offs.forEach((off) => off());
}
