// Disputes: what was said, what has been done about it, and what may be done next.

import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { commandForm, optionsOf } from "../base/forms.js";
import { learn, nameOf, noted, phrase, sentence } from "../base/language.js";

learn({
  "its state": ["State", "狀態"],
  "it is with": ["It is with", "現由"],
  "who is next": ["Next", "下一步"],
  "done so far": ["Done so far", "已完成"],
  "rests on accounts": ["what people said", "各方說法"],
  "rests on surveillance": ["surveillance", "監控錄影"],
  "rests on published-information": ["published information", "已公布資料"],
  "rests on other-evidence": ["other evidence", "其他證據"],
  "rests on procedures": ["procedures", "程序"],
  "rests on law": ["the law", "法律"],
  "rests on rules": ["the rules", "規則"],
  "rests on internal-controls": ["internal controls", "內部管制"],
  "step gathered": ["information gathered", "已搜集資料"],
  "step surveillance": ["surveillance told", "已通知監控"],
  "step told-of-complaint": ["told of the right to complain", "已告知投訴權"],
  "step assisted": ["helped with the complaint", "已協助投訴"],
  "step escalated": ["taken to the next rank", "已上報"],
  "step time-frame": ["time frame given", "已給予期限"],
  "step resolved": ["decided", "已決定"],
  "step complaint": ["complaint filed", "已提交投訴"],
});

/** `dueOf(number)` tells by when a dispute was promised to be resolved, where that was said. */
export function disputes(state, dueOf) {
  const items = state.desk.disputes.map((dispute, number) => disputeItem(dispute, number, state, dueOf(number)));
  return [items.length > 0 && html("ul.col", items), commandForm(state, "raise-dispute", ["patron", "says"])];
}

function disputeItem(dispute, number, state, due) {
  const { todo, by } = dispute;
  const isOpen = dispute.state === "open";
  const facts = [
    ["its state", phrase(`state ${dispute.state}`)],
    ["it is with", nameOf(dispute.level)],
    due && ["due", due],
    todo && ["who is next", noted(by === dispute.patron ? by : nameOf(by), sentence(todo))],
    dispute.done.length > 0 && ["done so far", dispute.done.map((step) => phrase(`step ${step}`)).join(" · ")],
  ];
  const row = ([key, text]) => html("div", html("dt", phrase(key)), html("dd", text));
  return html(
    "li.dispute",
    { "data-item": `dispute ${number}` },
    html("p", html("b", dispute.patron), ` “${dispute.says}”`),
    html(`dl.facts-of.small${isOpen ? ".waits" : ""}`, facts.filter(Boolean).map(row)),
    isOpen && openSteps(number, state),
    dispute.state.startsWith("complaint") && complaintSteps(number, dispute, state),
  );
}

function openSteps(number, state) {
  const { table, desk } = state;
  const form = (id, specs, more) => commandForm(state, id, specs, { fixed: { dispute: number, ...more } });
  const references = desk.references.length > 0 && [
    "references",
    optionsOf(desk.references, (id) => phrase(`rests on ${id}`)),
    true,
  ];
  return [
    form("gather", ["note?"], { what: "information" }),
    html(
      "div.row",
      commandButton(table, phrase("surveillance"), { do: "gather", dispute: number, what: "surveillance" }),
      commandButton(table, phrase("escalate"), { do: "escalate", dispute: number }),
    ),
    form("give-time-frame", ["due"]),
    form("resolve", [references, "says", "agreed"], { references: [] }),
  ];
}

/** What may be done about a complaint, and what stands among the things done once it was. */
const COMPLAINT = { "tell-of-complaint": "told-of-complaint", assist: "assisted", "file-complaint": "complaint" };

function complaintSteps(number, { done }, { table }) {
  const steps = Object.keys(COMPLAINT).filter((id) => !done.includes(COMPLAINT[id]));
  const buttons = steps.map((id) => commandButton(table, phrase(id), { do: id, dispute: number }));
  return html("div.row", buttons);
}
