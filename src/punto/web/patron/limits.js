// Limits of one's own: the most to lose in a day and to stake in a round, a reminder, and a pause.

import { arrived, forget, get, post, request } from "../base/api.js";
import { fill, html, labelled, smallButton } from "../base/dom.js";
import { selectField } from "../base/forms.js";
import { language, learn, phrase } from "../base/language.js";
import { digits, money } from "../base/money.js";
import { attempt } from "../base/notes.js";
import { parseMoney } from "../base/typed-money.js";

learn({
  "limits line": [
    "These are yours, and hold at every table. A lower limit counts at once; a higher one, or none, in 24 hours.",
    "限額由你自訂，於各檯有效。調低即時生效；調高或取消須待 24 小時。",
  ],
  "most to lose": ["Most to lose in a day", "每日最多輸"],
  "most to stake": ["Most to stake in a round", "每局最多下注"],
  "remind me": ["Remind me of time and money", "提醒時間及輸贏"],
  "no limit": ["No limit", "無限額"],
  never: ["Never", "不提醒"],
  "each minutes": ["Every {n} minutes", "每 {n} 分鐘"],
  "set limits": ["Set limits", "設定限額"],
  "limit raised": ["{name}: {n} from {at}", "{name}：{at} 起為 {n}"],
  pause: ["Take a break", "暫停遊戲"],
  "pause line": [
    "No seat, no chips and no bets for as long as you say. Nobody can make it shorter, neither you nor the house.",
    "於所選期間內不設座位、不買碼、不下注。任何人（包括你及場方）均不能縮短。",
  ],
  "pause for": ["Break for {n}?", "暫停{n}？"],
  "pause now": ["Yes, pause now", "是，立即暫停"],
  "paused until": [
    "You have paused until {n}. What lies plays to its end, and you may cash out and leave.",
    "你已暫停至 {n}。已下的注會繼續至完結，你仍可兌現離檯。",
  ],
  "15 minutes": ["15 minutes", "15 分鐘"],
  "1440 minutes": ["a day", "一日"],
  "10080 minutes": ["a week", "一星期"],
  "43200 minutes": ["30 days", "30 日"],
  "262800 minutes": ["half a year", "半年"],
});

const PAUSES = [15, 1440, 10080, 43200, 262800]; // minutes
const REMINDERS = [0, 15, 30, 60];

const timeOf = (text) => new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });

/** `remindEvery(minutes)` is called when that was set. */
export async function fillLimits(panel, table, remindEvery) {
  const { dayText } = await arrived(import("./reminder.js"), "limits.css");
  const draw = (now) => {
    const here = now.currencies[now.currency];
    fill(
      panel,
      html("p", dayText(here.lost)),
      html("p.quiet.small", phrase("limits line")),
      limitsForm(now, here, saved),
      html("h2", phrase("pause")),
      now.paused ? html("p", { role: "status" }, phrase("paused until", timeOf(now.paused))) : pauses(saved),
    );
  };
  const saved = async () => {
    const now = await get(`/api/own-limits?table=${table.name}`);
    remindEvery(now.remind);
    draw(now);
  };
  draw(await get(`/api/own-limits?table=${table.name}`));
}

function amountField(name, { most }) {
  return html("input.field", {
    name,
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: phrase("no limit"),
    value: most === null ? "" : money(most),
  });
}

function readAmount(field) {
  if (!field.value.trim()) return null;
  const amount = parseMoney(field.value, digits());
  if (amount === null) throw new Error(phrase("no amount", field.value));
  return amount;
}

function limitsForm({ currency, remind }, { lose, stake }, saved) {
  const [toLose, toStake] = [amountField("lose", lose), amountField("stake", stake)];
  const options = REMINDERS.map((minutes) => [minutes, minutes ? phrase("each minutes", minutes) : phrase("never")]);
  const reminder = selectField(options, { name: "remind" });
  reminder.value = String(remind);
  const send = () => {
    const given = { currency, lose: readAmount(toLose), stake: readAmount(toStake), remind: reminder.read() };
    return request("/api/own-limits", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(given),
    });
  };
  const submit = async () => {
    if (!(await attempt(form, null, send))) return;
    forget("/api/who");
    await saved();
  };
  const form = html(
    "form.col.own-limits",
    { onsubmit: submit },
    labelled(phrase("most to lose"), toLose),
    waiting(phrase("most to lose"), lose),
    labelled(phrase("most to stake"), toStake),
    waiting(phrase("most to stake"), stake),
    labelled(phrase("remind me"), reminder),
    html("button.button.small", phrase("set limits")),
  );
  return form;
}

/** That a limit will be higher, or none, and when. */
function waiting(name, { then, at }) {
  const n = then === null ? phrase("no limit") : money(then);
  return at && html("p.small", phrase("limit raised", { name, n, at: timeOf(at) }));
}

/** Each pause is asked for once more, since nobody can take it back. */
function pauses(saved) {
  const asked = html("div.row", { role: "status" });
  const ask = (minutes) => {
    const pause = async () => {
      if (await attempt(asked, null, () => post("/api/pause", { minutes }))) await saved();
    };
    fill(
      asked,
      html("span", phrase("pause for", phrase(`${minutes} minutes`))),
      smallButton(phrase("pause now"), pause),
    );
  };
  const choices = PAUSES.map((minutes) => smallButton(phrase(`${minutes} minutes`), () => ask(minutes)));
  return html("div.col", html("p.quiet.small", phrase("pause line")), html("div.row.pauses", choices), asked);
}
