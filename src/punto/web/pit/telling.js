// Entries of a table's journal in words, and which of them are alerts.

import { money } from "../base/money.js";
import { learn, plain, t, title } from "../base/words.js";

learn({
  alerts: ["Alerts", "警示"], "no alerts": ["No alerts", "沒有警示"], acknowledge: ["Acknowledge", "知悉"], "all tables": ["All tables", "全部賭檯"], "open questions": ["{n} open", "{n} 待決"], "needs rank": ["Needs {who}", "須由 {who} 決定"],
  journal: ["Journal", "流水記錄"], kind: ["Kind", "類別"], everything: ["Everything", "全部"], "earlier entries": ["Earlier entries", "更早"], "of round": ["Round", "局數"], entries: ["{n} entries", "{n} 項"],
  edges: ["Edge of every bet, next round", "下一局各注優勢"], "edges from": ["House edge from the {n} cards seen this shoe", "據本靴已見 {n} 張牌計算"], "against house": ["against the house", "對莊家不利"], "full shoe": ["full shoe", "整靴"], "bets against": ["{n} against the house", "{n} 項不利"],
  disputes: ["Disputes", "爭議"], "raise-dispute": ["Raise a dispute", "提出爭議"], says: ["What is said", "內容"], gather: ["Gather information", "搜集資料"], surveillance: ["Tell surveillance", "通知監控"], escalate: ["Escalate", "上報"], "give-time-frame": ["Give a time frame", "給予期限"], due: ["By when", "期限"], resolve: ["Resolve", "解決"], agreed: ["Patron agrees", "客人同意"], references: ["Rests on", "依據"], "tell-of-complaint": ["Tell of the right to complain", "告知投訴權"], "file-complaint": ["File the complaint", "提交投訴"], assist: ["Assist", "協助"], "state open": ["open", "處理中"], "state resolved": ["resolved", "已解決"], "state complaint-available": ["may complain", "可投訴"], "state complaint": ["complaint", "投訴"],
  posts: ["Posts", "職位"], post: ["Post", "職位"], person: ["Person", "人員"], acting: ["Acting", "署任"], assign: ["Assign", "指派"], relieve: ["Relieve", "解除"], rulings: ["Rulings on readings", "釋義裁決"], value: ["Reading", "釋義"], "ruled here": ["ruled here", "本檯裁決"], "limits now": ["Limits and differential", "限額與差額"], limit: ["Limit", "限額"], minimum: ["Minimum", "最低"], maximum: ["Maximum", "最高"], "post-limits": ["Post limits", "公布限額"], used: ["{n} of {m} used", "已用 {n} / {m}"], "to the dealer": ["Dealer's console", "荷官檯"],
});

const ALERTS = { asked: (e) => e.question.to !== "patrons", reported: () => true, "round-ended": () => true, "dispute-raised": () => true, "dispute-moved": (e) => e.step === "complaint", "original-returned": () => true };

/** Whether an entry is something that the pit has to see. */
export const alerts = (event) => Boolean(ALERTS[event.event]?.(event));

/** "cards-exposed" → "Cards exposed". */
export const kindOf = (event) => (event.event.charAt(0).toUpperCase() + event.event.slice(1)).replaceAll("-", " ");

/** An event in a few words. */
export function told(event) {
  const e = event;
  const parts = [e.patron ?? e.person, e.question?.says, e.fact && plain(e.fact), e.verb && plain(e.verb), e.bet && t(e.bet), e.hand && t(e.hand), e.area && t(e.area), e.faces?.join(" "), e.winner && t(e.winner), e.how && plain(e.how),
    e.post && title(e.post), e.choice && plain(e.choice), e.policy && `${e.policy}: ${e.value}`, e.method, e.step && plain(e.step), typeof e.stake === "number" && money(e.stake), typeof e.amount === "number" && money(e.amount), typeof e.number === "number" && `#${e.number}`, e.odds, e.says, e.reason, e.note];
  return parts.filter(Boolean).join(" · ");
}

/** A moment of the house's clock, short. */
export const clock = (at) => (at ? new Date(at).toLocaleTimeString("en-GB") : "");

const read = (key) => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };

/** What has been acknowledged at a table: everything up to a number, and single entries after it. */
export function acknowledged(name) {
  const kept = { upTo: 0, single: [], ...read(`acknowledged ${name}`) };
  return {
    has: (sequence) => sequence <= kept.upTo || kept.single.includes(sequence),
    fresh: !kept.upTo,
    upTo: kept.upTo,
    start(sequence) { kept.upTo = sequence; this.keep(); },
    take(sequence) { kept.single.push(sequence); this.keep(); },
    keep() { try { localStorage.setItem(`acknowledged ${name}`, JSON.stringify({ upTo: kept.upTo, single: kept.single.slice(-300) })); } catch { /* it holds for this page */ } },
  };
}
