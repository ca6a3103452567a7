// Disputes: what was said, what has been done about it, and what may be done next.

import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { commandForm, optionsOf } from "../base/forms.js";
import { nameOf, phrase } from "../base/language.js";

export function disputes(state) {
  const items = state.desk.disputes.map((dispute, number) => disputeItem(dispute, number, state));
  return [items.length > 0 && html("ul.col", items), commandForm(state, "raise-dispute", ["patron", "says"])];
}

function disputeItem(dispute, number, state) {
  const isOpen = dispute.state === "open";
  const standing = `${phrase(`state ${dispute.state}`)} · ${nameOf(dispute.level)}`;
  return html(
    "li.dispute",
    html("p", html("b", dispute.patron), " ", html(`span.small${isOpen ? ".waits" : ""}`, standing)),
    html("p", dispute.says),
    dispute.done.length > 0 && html("p.small.quiet", dispute.done.map(nameOf).join(" · ")),
    isOpen && openSteps(number, state),
    dispute.state.startsWith("complaint") && complaintSteps(number, state),
  );
}

function openSteps(number, state) {
  const { table, desk } = state;
  const form = (id, specs, more) => commandForm(state, id, specs, { fixed: { dispute: number, ...more } });
  const references = desk.references.length > 0 && ["references", optionsOf(desk.references), true];
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

function complaintSteps(number, { table }) {
  const steps = ["tell-of-complaint", "assist", "file-complaint"];
  const buttons = steps.map((id) => commandButton(table, phrase(id), { do: id, dispute: number }));
  return html("div.row", buttons);
}
