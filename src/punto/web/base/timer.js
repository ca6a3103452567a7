// The ring that shows how long bets are open. The house's clock rules it.

import { html, svg } from "./dom.js";
import { learn, phrase } from "./language.js";

learn({
  "seconds left": ["{n} {n:second|seconds} left to bet", "尚餘 {n} 秒下注"],
});

const RADIUS = 22;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
const TICK = 60; // ms, often enough for the eye
const LATE = 5; // the last seconds, which stand out

/** A ring; `draw(table)` shows what is left of the time for bets at that table. */
export function timerRing() {
  const arc = svg("circle.timer-arc", {
    r: RADIUS,
    "stroke-dasharray": CIRCUMFERENCE,
    transform: "rotate(-90)",
  });
  const figure = svg("text", { y: 7 });
  const track = svg("circle.timer-track", { r: RADIUS });
  const picture = svg("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, track, arc, figure);
  const ring = html("div.timer", { role: "timer", hidden: true }, picture);
  let timer = 0;

  function drawTime(seconds, share) {
    arc.setAttribute("stroke-dashoffset", CIRCUMFERENCE * (1 - share));
    const text = String(seconds);
    if (figure.textContent === text) return;
    figure.textContent = text;
    ring.classList.toggle("late", seconds <= LATE);
    ring.setAttribute("aria-label", phrase("seconds left", seconds));
  }

  ring.draw = (table) => {
    const { opened_at: opens, closes_at: closes } = table.snapshot;
    clearInterval(timer);
    ring.hidden = !(closes > table.now());
    if (ring.hidden) return;
    let wasConnected = false;
    const tick = () => {
      const left = Math.max(0, closes - table.now());
      drawTime(Math.ceil(left / 1000), Math.min(1, left / Math.max(1, closes - opens)));
      if (!left || (wasConnected && !ring.isConnected)) clearInterval(timer);
      wasConnected ||= ring.isConnected;
    };
    timer = setInterval(tick, TICK);
    tick();
  };
  return ring;
}
