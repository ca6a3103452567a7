// Chips, cards and the bell to hear, and the dealer's call in the language of the page: never two sounds at once. It is
// loaded when it is switched on.

import { language } from "../base/language.js";

const SECONDS = 0.2; // of noise, from which every sound is cut
const CLICK = { frequency: 3400, lasts: 0.05, loud: 0.5 }; // chip on chip
const SLIDE = { frequency: 1100, lasts: 0.16, loud: 0.25 }; // a card over the felt
const BELL = { frequency: 880, lasts: 0.7, loud: 0.2 }; // when bets close
const MOST_CHIPS = 6;

/** How many chips and cards are heard with an entry of the table's chain, and whether the bell is. */
function heardIn({ event, cards, faces, lines }, patron) {
  if (event === "wager-placed") return { chips: 1 };
  if (event === "bets-closed") return { bell: true };
  if (event === "card-drawn") return { cards: 1 };
  if (event === "cards-exposed") return { cards: Math.min((faces ?? cards ?? [0]).length, 2) };
  if (event === "round-settled") return { chips: lines?.[patron]?.some(({ net }) => net > 0) ? MOST_CHIPS : 0 };
  return {};
}

export class Sound {
  #context = new AudioContext();
  #noise;
  #quietFrom = 0; // when the last sound is over, by the clock of the context
  #stops;

  /** Hear a table; `call` is the element with what the dealer calls. */
  constructor(table, patron, call) {
    this.#noise = this.#makeNoise();
    const spoken = new MutationObserver(() => speak(call.textContent));
    spoken.observe(call, { childList: true, characterData: true, subtree: true });
    this.#stops = [
      table.on("entry", ({ detail }) => this.#play(heardIn(detail.event, patron))),
      () => spoken.disconnect(),
      () => window.speechSynthesis?.cancel(),
      () => this.#context.close(),
    ];
  }

  stop() {
    for (const stop of this.#stops) stop();
  }

  #makeNoise() {
    const { sampleRate } = this.#context;
    const buffer = this.#context.createBuffer(1, SECONDS * sampleRate, sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
    return buffer;
  }

  #play({ chips = 0, cards = 0, bell = false }) {
    if (bell) this.#ring();
    for (let at = 0; at < chips; at++) this.#burst(CLICK);
    for (let at = 0; at < cards; at++) this.#burst(SLIDE);
  }

  /** A short piece of noise around a frequency. */
  #burst({ frequency, lasts, loud }) {
    const source = new AudioBufferSourceNode(this.#context, { buffer: this.#noise });
    const filter = new BiquadFilterNode(this.#context, { type: "bandpass", frequency, Q: 2 });
    source.connect(filter);
    const begins = this.#sound(filter, lasts, loud);
    source.start(begins, 0, lasts);
  }

  /** A soft tone. */
  #ring() {
    const { frequency, lasts, loud } = BELL;
    const tone = new OscillatorNode(this.#context, { frequency });
    const begins = this.#sound(tone, lasts, loud);
    tone.start(begins);
    tone.stop(begins + lasts);
  }

  /** Let a source be heard once the sound before it is over, dying away; when it begins. */
  #sound(source, lasts, loud) {
    const begins = Math.max(this.#context.currentTime, this.#quietFrom);
    this.#quietFrom = begins + lasts;
    const volume = new GainNode(this.#context);
    volume.gain.setValueAtTime(loud, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
    source.connect(volume).connect(this.#context.destination);
    return begins;
  }
}

/** Say what the dealer calls, where the browser can; a new call ends the one before. */
function speak(text) {
  if (!window.speechSynthesis || !text) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
