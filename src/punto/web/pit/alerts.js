// Alerts: each stays until somebody acknowledges it.

import { clauseTags } from "../base/clauses.js";
import { html, smallButton } from "../base/dom.js";
import { nameOf, nameWithin, phrase } from "../base/language.js";
import { clockText, eventText } from "./entries.js";

/** The newest alerts of a watched table, so many at most. */
export function alertList(watched, most = 99) {
  const newest = watched.alerts.slice(-most).reverse();
  return html(
    "ul.alerts",
    newest.map((entry) => alertRow(entry, watched)),
  );
}

function alertRow({ at, event, sequence }, watched) {
  const { question } = event;
  return html(
    "li.row",
    html("span.tiny.quiet", clockText(at)),
    html(
      "span.grow.small",
      html("b", nameOf(event.event)),
      ` ${eventText(event, watched.state.bets)} `,
      clauseTags(event.basis?.clauses?.slice(0, 2), watched.state.view.book),
      question && html("span.waits", ` ${phrase("needs rank", nameWithin(question.to))}`),
    ),
    smallButton(phrase("acknowledge"), () => watched.acknowledge(sequence)),
  );
}
