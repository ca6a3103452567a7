// Every game has a felt of its own: its colour, its weave and its emblem follow from the name of its book, everywhere
// the same.

import { svg } from "./dom.js";

const HUES = [300, 75, 172, 130, 200, 255, 40]; // all as dark as the green one
const THREAD = "#ffffff0d";

/** Weaves, as layers of a background. */
const WEAVES = [
  `repeating-linear-gradient(45deg, ${THREAD} 0 1px, #0000 1px 6px)`,
  `repeating-linear-gradient(45deg, ${THREAD} 0 1px, #0000 1px 14px),
   repeating-linear-gradient(-45deg, ${THREAD} 0 1px, #0000 1px 14px)`,
  `radial-gradient(circle at 50% 100%, #0000 9px, ${THREAD} 9px 10px, #0000 10px) 0 0 / 20px 10px`,
  `repeating-linear-gradient(90deg, ${THREAD} 0 1px, #0000 1px 12px)`,
  `repeating-linear-gradient(${THREAD} 0 1px, #0000 1px 4px),
   repeating-linear-gradient(90deg, ${THREAD} 0 1px, #0000 1px 4px)`,
];

/** Line drawings of our own, a hundred units wide and high. */
const EMBLEMS = {
  tiger: `M24 27C13 22 13 9 24 8q9 0 13 9q13-5 26 0q4-9 13-9c11 1 11 14 0 19q7 10 5 24c-2 18-14 33-31 33S21 69 19 51
    q-2-14 5-24z
    M42 25h16M44 32h12M42 39h16M50 25v14M20 44l11 3M19 53l11 0M80 44l-11 3M81 53l-11 0
    M31 47q6-5 11 1M58 48q5-6 11-1M44 59h12l-6 7zM50 66v5q-6 7-13 2M50 71q6 7 13 2M36 63l-20 4M36 67l-18 9M64 63l20 4
    M64 67l18 9`,
  dragon: `M57 30q-8-1-14 4q-2-9 6-15q9-7 20-4l7-9q1 7-2 11l10-5q-2 7-7 10q10 9 5 20q-5 9-20 9q-22 0-24 9t14 8
    q24-3 30 5t-5 14q-22 8-55-6
    q6 0 9-4q-6-1-9-6q29 13 47 7q5-2 1-3q-9-2-22 0q-22 2-25-13t17-19q16-2 25-2q8 0 9-5q1-6-10-8
    M66 22l1 0M43 34q-9-3-12 4q-4 7-11 4M47 36q-5 5-3 10M38 51l-9 5M36 63l-10 3M60 79l-2 9M74 77l3 8`,
  path: `M4 82l30-56 15 27 12-19 35 48zM34 26l-7 13 6-3 4 5 5-7M61 34l-5 8 5-2 4 4 3-3M72 18a8 8 0 1 0 .1 0
    M40 82q-4-6 8-8t4-8q-8-3 0-8M54 82q2-7 9-9t-1-7q-7-3-4-7`,
  lantern: `M50 5v9M39 14h22v5H39zM39 19C11 27 11 65 39 73h22c28-8 28-46 0-54M47 19c-17 13-17 41 0 54M53 19
    c17 13 17 41 0 54
    M39 73h22v5H39zM44 78v14M50 78v17M56 78v14`,
  umbrella: `M50 8v6M12 50C14 27 30 14 50 14s36 13 38 36q-9-9-19 0-9-9-19 0-10-9-19 0-10-9-19 0zM31 50c1-18 8-30 19-36
    M69 50c-1-18-8-30-19-36M50 46v36c0 10-14 10-14 0`,
  coin: `M50 10a40 40 0 1 0 .1 0M50 16a34 34 0 1 0 .1 0M38 38h24v24H38zM50 22v8M46 26h8M50 70v8M45 74h10M22 50h8
    M26 45v10M70 50h8
    M72 46l4 8`,
  fan: `M50 86L8 44C30 14 70 14 92 44zM50 86L22 31M50 86L36 25M50 86V22M50 86L64 25M50 86L78 31M28 64q22-17 44 0
    M46 82q4 10 8 0`,
  lotus: `M50 80C28 66 34 36 50 20C66 36 72 66 50 80zM50 80C24 78 15 56 20 36Q33 42 37 54M50 80c26-2 35-24 30-44
    Q67 42 63 54
    M50 80C24 90 8 76 5 58q12-2 18 4M50 80c26 10 42-4 45-22q-12-2-18 4`,
};

/** What stands for a game is in the name of its book; the last four are for all others. */
const NAMED = [
  [/da-hu/, "tiger"],
  [/wu-song/, "path"],
  [/hoiana/, "lantern"],
  [/dragon/, "dragon"],
  [/tiger|super-6/, "tiger"],
  [/insurance/, "umbrella"],
];
const OTHERS = ["coin", "fan", "lotus", "path"];

function numberOf(name) {
  return Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65521, 0);
}

/** The properties of style that make the felt of a book. */
export function feltOf(book) {
  const number = numberOf(book);
  const hue = HUES[number % HUES.length];
  return {
    "--felt": `oklch(0.33 0.05 ${hue})`,
    "--felt-deep": `oklch(0.26 0.04 ${hue})`,
    "--felt-light": `oklch(0.44 0.07 ${hue})`,
    "--weave": WEAVES[number % WEAVES.length],
  };
}

/** The emblem of a book, for the eye alone. */
export function emblemOf(book) {
  const name = NAMED.find(([word]) => word.test(book))?.[1] ?? OTHERS[numberOf(book) % OTHERS.length];
  return svg(
    "svg.emblem",
    { viewBox: "0 0 100 100", "aria-hidden": "true", "data-emblem": name },
    svg("path", { d: EMBLEMS[name] }),
  );
}
