// What waits for the patron, as cards at the lower edge: a seat, chips, questions, insurance, cards to squeeze.

import { button, doing, get, h, keyed, learn, minor, money, named, post, put, questionCard, refuse, say, select, smallButton, t, text, total, upTo } from "../base.js";
import { odds } from "./felt.js";
import { lineList, outcome } from "./panels.js";
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
    const found = mark && (await get(`/api/tables/${store.name}/held`).catch(() => null));
    if (looked !== mark) return;
    held = found;
    draw();
  };

  const questionOf = (question) => {
    const at = total(betting.laid());
    const means = (choice) => {
      const part = choice !== "take-back" ? "" : !at ? " all" : question.about.includes("undecided") ? " open" : "";
      const key = `means ${choice}${part}`, words = t(key, { amount: money(at) });
      return words === key ? null : words;
    };
    say(question.says, "urgent");
    return questionCard(question, { book: store.view.book, whom: false, means, answer: (choice, reason) => store.do({ do: "answer", question: question.id, choice, ...reason }) });
  };

  /** A thin line for the time that is left; null where no clock ends it. */
  const timeLine = () => {
    const until = store.snapshot.asks_until, left = until - store.now(), line = h("i");
    if (!until || left <= 0) return null;
    line.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" });
    return h("div.time-line", { "aria-hidden": "true" }, line);
  };

  const offered = (key, offer, box, most) => {
    const card = h("div"), stake = total(betting.laid().filter((each) => each.bet === offer.hand && each.box === box));
    const answered = () => {
      passed.add(key);
      draw();
    };
    const decline = () => {
      post(`/api/tables/${store.name}/pass`).catch(() => {}); // then nobody waits; else the card comes in its time
      answered();
    };
    const insure = async (given) => {
      await store.do({ do: "insure", patron, ...given });
      answered();
    };
    const build = (chances) => put(card, offerCard({ time: timeLine(), offer, box, most, stake, view: store.view, chances, insure, decline }));
    build(null);
    get(`/api/tables/${store.name}/odds`).then((found) => found.offer && card.isConnected && !card.querySelector("[disabled]") && build(found.offer), () => {});
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
  const brief = (round) => h("section.question.brief", { label: t("result") }, h("p.lead", outcome(round)), lineList(round.lines[patron], store.view.book));

  const draw = () => {
    const { open, questions, round } = store.view, me = mine(), cards = new Map(), places = Object.keys(held ?? {});
    if (open && !me) cards.set("seat", seat);
    else if (open && !me.balance && !me.held) cards.set("buy", buy);
    else if (open && me.box === null) cards.set("stand", chooseBox);
    for (const question of questions) cards.set(`q${question.id}`, () => questionOf(question));
    for (const [spot, most] of Object.entries(round?.offer?.most ?? {})) {
      const key = `offer${round.number}/${round.offer.stage}/${spot}`;
      if (most > 0 && !passed.has(key)) cards.set(key, () => offered(key, round.offer, Number(spot.split("/")[1]), most));
    }
    if (round?.phase === "settled" && round.result && round.lines[patron]?.length) cards.set(`paid${round.number}`, () => brief(round));
    if (places.length) cards.set(`held${round?.number}/${places}`, () => squeezeCard(held, store));
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

function offerCard({ offer, box, most, stake, view, chances, insure, decline, time }) {
  const { unit } = view.limits, hand = t(offer.hand);
  let amount = most;
  const field = h("input.field", { inputmode: "decimal", label: t("cover amount"), oninput: () => set(minor(field.value) || amount) });
  const pays = h("p.small"), take = doing({ view }, "", () => insure({ hand: offer.hand, stake: amount, box }), { class: "button primary" });
  const set = (value) => {
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
  return h("section.question.offer", { label: t("insurance") },
    h("header", h("p.lead", t("insure hand", { hand, odds: odds(offer.odds) }))),
    h("p", t("cover up to", { stake: money(stake), hand, most: money(most) })),
    h("div.row.cover-row", [["¼", 0.25], ["½", 0.5], ["most", 1]].map(part), field),
    pays, chances && h("p.small.quiet", t("cover odds", { win: Number(chances.win).toFixed(1), edge: Number(chances.per_cent).toFixed(2) })),
    h("div.row", take, button(t("no cover"), decline)), time);
}
