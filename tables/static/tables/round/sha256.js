// SHA-256 of bytes as hex. The browser's own is not there on a floor without HTTPS, and the chain of a table's events is
// checked with every answer.

const K = [];
const FIRST = [];
for (let candidate = 2; K.length < 64; candidate += 1) {
  let prime = true;
  for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) prime = false;
  if (!prime) continue;
  const part = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  if (FIRST.length < 8) FIRST.push(part(Math.sqrt(candidate)));
  K.push(part(Math.cbrt(candidate)));
}
const turn = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = [...FIRST];
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += 64) block(state, words, view, start);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function block(state, words, view, start) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(start + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [far, near] = [words[i - 15], words[i - 2]];
    const one = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const two = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[i] = (words[i - 16] + one + words[i - 7] + two) | 0;
  }
  let [a, b, c, d, e, f, g, last] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, last].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
}

// JSON with sorted keys, without blanks, in ASCII: the same text that Potline hashes.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
export const hashOf = (value) => sha256(new TextEncoder().encode(canonical(value)));
