// HMAC-SHA256 as virtual shoes use it, computed by the browser itself (docs/shoe.md).

const text = new TextEncoder();

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Whether this browser computes hashes: over TLS, or on the machine of the service itself. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

/** A function that hashes messages under a key. The parts of a message are texts and lists of bytes, joined. */
export async function hashesUnder(key) {
  const known = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (...parts) => {
    const message = parts.flatMap((part) => [...(typeof part === "string" ? text.encode(part) : part)]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", known, Uint8Array.from(message)));
  };
}

/** The hash that commits to a word: bound to the house's commitment and to the patron. */
export async function hashOfWord(word, commitment, patron) {
  const hashed = await hashesUnder(word);
  return hex(await hashed("punto-shoe-2 word", [0], bytesOf(commitment), patron));
}
