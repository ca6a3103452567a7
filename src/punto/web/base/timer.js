// The ring that shows how long bets are open. The house's clock rules it.

import { h, s } from "./dom.js";
import { learn, t } from "./words.js";

learn({ "seconds left": ["{n} seconds left to bet", "尚餘 {n} 秒下注"] });

const AROUND = 2 * Math.PI * 22;

/** A ring; call `set(closesAt, opensAt, now)` with the house's times in ms, `now` a function; `set(null)` hides it. */
export function timerRing() {
  const arc = s("circle", { class: "timer-arc", r: 22, "stroke-dasharray": AROUND, transform: "rotate(-90)" });
  const figure = s("text", { class: "timer-figure", y: 7, "text-anchor": "middle" });
  const ring = h("div", { class: "timer", role: "timer", hidden: true },
    s("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, s("circle", { class: "timer-track", r: 22 }), arc, figure));
  let frame = 0;
  ring.set = (closes, opens, now) => {
    cancelAnimationFrame(frame);
    ring.hidden = !closes;
    if (!closes) return;
    let shown = null;
    let drawn = -Infinity;
    const tick = (at = 0) => {
      if (!ring.isConnected && shown !== null) return;
      frame = requestAnimationFrame(tick);
      if (at - drawn < 60 && shown !== null) return; // often enough for the eye
      drawn = at;
      const left = Math.max(0, closes - now());
      arc.setAttribute("stroke-dashoffset", AROUND * (1 - Math.min(1, left / Math.max(1, closes - opens))));
      const seconds = Math.ceil(left / 1000);
      if (seconds !== shown) {
        shown = seconds;
        figure.textContent = String(seconds);
        ring.classList.toggle("late", seconds <= 5);
        ring.setAttribute("aria-label", t("seconds left", { n: seconds }));
      }
      if (left <= 0) cancelAnimationFrame(frame);
    };
    tick();
  };
  return ring;
}
