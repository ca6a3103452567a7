// Every game has a felt of its own: its colour and its weave follow from the name of its book, everywhere the same.

const HUES = [300, 75, 172, 130, 200, 255, 40]; // all as dark as the green one
const WEAVES = ["45deg", "90deg", "135deg"];

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
