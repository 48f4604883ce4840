/* Deals a finished hand again in the reader's own browser and compares (scheme tf1, explained on /fair). WebCrypto exists
   only on https and localhost; elsewhere the SHA-256 at the end of this file is used. */
(() => {
  "use strict";
  if (globalThis.tefudaFair) return;

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const joined = (one, other) => {
    const bytes = new Uint8Array(one.length + other.length);
    bytes.set(one);
    bytes.set(other, one.length);
    return bytes;
  };

  const seedBytes = (seed) => {
    if (!/^[0-9a-f]{64}$/.test(seed)) throw new Error(`not a seed: ${seed}`);
    return Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
  };

  /* tf1 */

  const commitment = async (seed, id) => hex(await digest(joined(utf8(`tf1:commit:${id}:`), seedBytes(seed))));

  const shuffled = async (seed, id, pack, decks, jokers, cuts) => {
    const message = ["tf1", id, pack, decks, jokers, ...cuts].join("|");
    const sign = await signer(seedBytes(seed));
    let block = [];
    let used = 0;
    let blocks = 0;
    const word = async () => {
      if (used === block.length) {
        block = await sign(utf8(`${message}|${blocks++}`));
        used = 0;
      }
      used += 2;
      return block[used - 2] * 256 + block[used - 1];
    };
    const below = async (m) => {
      const limit = 65536 - (65536 % m);
      let number = await word();
      while (number >= limit) number = await word();
      return number % m;
    };
    const cards = [];
    for (let k = 0; k < 52 * decks; k++) cards.push("A23456789TJQK"[k % 13] + "cdhs"[Math.floor(k / 13) % 4]);
    for (let k = 0; k < jokers; k++) cards.push("Jk");
    for (let last = cards.length - 1; last > 0; last--) {
      const j = await below(last + 1);
      [cards[last], cards[j]] = [cards[j], cards[last]];
    }
    return cards;
  };

  /* A hand has packs of its own, each dealt from the top, under its own key; or one pack that is a shoe's. */
  const within = (number, least, most) => Number.isInteger(number) && number >= least && number <= most;
  const isFair = ({ hand, id, cuts, packs, offset, cards }) =>
    [hand, id, ...cuts].every((word) => typeof word === "string" && /^[\w-]{1,64}$/.test(word)) && cuts.length > 0 && packs.length === cards.length &&
    packs.every(({ decks, jokers }) => within(decks, 1, 8) && within(jokers, 0, 2)) &&
    (id === hand ? offset === 0 : packs.length === 1 && within(offset, 0, 52 * packs[0].decks - cards[0].length));

  /* {commitment: true, cards: [[true, ...], ...], right: 10, all: 10} */
  const check = async (facts) => {
    const { scheme, id, commitment: promised, seed, cuts, packs, offset, cards: dealt } = facts;
    if (scheme !== "tf1") throw new Error(`not a scheme known here: ${scheme}`);
    if (!isFair(facts)) throw new Error("no hand is dealt like this");
    const cards = [];
    for (const [pack, row] of dealt.entries()) {
      const { decks, jokers } = packs[pack];
      const again = await shuffled(seed, id, pack, decks, jokers, cuts);
      cards.push(row.map((card, place) => card === again[place + (pack ? 0 : offset)]));
    }
    const kept = (await commitment(seed, id)) === promised;
    const each = cards.flat();
    return { commitment: kept, cards, right: each.filter(Boolean).length, all: each.length };
  };

  /* SHA-256 and HMAC: the browser's own where it lets us */

  const subtle = () => globalThis.crypto?.subtle;

  const digest = async (bytes) => (subtle() ? new Uint8Array(await subtle().digest("SHA-256", bytes)) : sha256(bytes));

  const signer = async (seed) => {
    if (subtle()) {
      const key = await subtle().importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return async (message) => new Uint8Array(await subtle().sign("HMAC", key, message));
    }
    const padded = (filler) => Uint8Array.from({ length: 64 }, (_, i) => (seed[i] ?? 0) ^ filler);
    const [inner, outer] = [padded(0x36), padded(0x5c)];
    return async (message) => sha256(joined(outer, sha256(joined(inner, message))));
  };

  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
  const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));

  const sha256 = (bytes) => {
    const padded = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6));
    bytes.forEach((byte, i) => padded.setUint8(i, byte));
    padded.setUint8(bytes.length, 0x80);
    padded.setUint32(padded.byteLength - 4, bytes.length * 8);
    const hash = Uint32Array.from(start);
    const w = new Uint32Array(64);
    for (let at = 0; at < padded.byteLength; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = padded.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const x = w[i - 15];
        const y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g; g = f; f = e; e = (d + one) | 0;
        d = c; c = b; b = a; a = (one + two) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] += x));
    }
    const out = new DataView(new ArrayBuffer(32));
    hash.forEach((x, i) => out.setUint32(4 * i, x));
    return new Uint8Array(out.buffer);
  };

  globalThis.tefudaFair = { commitment, shuffled, check };

  /* The page of a finished hand */

  if (!globalThis.document) return;

  const make = (tag, className, ...content) => {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...content);
    return element;
  };

  const mark = (right) => (right ? "✓" : "✗");

  const row = (right, text, ...below) => {
    const tick = make("span", right ? "proof__tick" : "proof__tick proof__tick--wrong", mark(right));
    return make("li", "proof__row", tick, make("span", "", make("span", "proof__what", text), ...below));
  };

  const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

  const rows = async ({ proof, textCommitment = "", textPack = "", textCards = "", textWrong = "" }) => {
    const facts = JSON.parse(proof);
    const { commitment: kept, cards, right, all } = await check(facts);
    const ticked = facts.cards.map((names, pack) => names.map((name, place) => `${name}\u00a0${mark(cards[pack][place])}`));
    const said = fill(textCards, { right, all });
    const lines = ticked.flatMap((names, pack) => {
      const from = { pack: pack + 1, id: facts.id, offset: pack ? 0 : facts.offset, ...facts.packs[pack] };
      return [make("span", "proof__from", fill(textPack, from)), make("code", "hash", names.join(" "))];
    });
    const found = [row(kept, kept ? textCommitment : textWrong), row(right === all, said, ...lines)];
    return right === all ? found : [...found, row(false, textWrong)];
  };

  const deal = async (section) => {
    const found = await rows(section.dataset).catch(() => [row(false, section.dataset.textWrong ?? "")]);
    section.querySelector("[data-proof-result]").replaceChildren(make("ul", "proof", ...found));
  };

  const showButton = () => {
    for (const button of document.querySelectorAll("#proof[data-proof] [data-proof-check]")) button.hidden = false;
  };

  document.addEventListener("click", (event) => {
    const section = event.target.closest("[data-proof-check]")?.closest("#proof[data-proof]");
    if (section) deal(section);
  });
  document.addEventListener("htmx:after:swap", showButton);
  document.addEventListener("DOMContentLoaded", showButton);
  showButton();
})();
