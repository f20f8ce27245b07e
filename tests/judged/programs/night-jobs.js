// Ten small jobs run from timers, each as long as the others, with pauses between them: no culprit.
'use strict';
const { setTimeout: sleep } = require('node:timers/promises');

const words = Array.from({ length: 500 }, (_, i) => `word${(i * 7919) % 503}`);

const jobs = {
  purgeSessions(n) { const live = new Map(); for (let i = 0; i < 300; i += 1) if ((i + n) % 3) live.set(i, n); return live.size; },
  rotateKeys(n) { let k = n | 1; for (let i = 0; i < 4000; i += 1) k = Math.imul(k, 1664525) + 1013904223; return k & 255; },
  sumInvoices(n) { let cents = 0; for (let i = 0; i < 3000; i += 1) cents += (i * n) % 977; return cents; },
  joinNames(n) { let s = ''; for (let i = 0; i < 120; i += 1) s += words[(i + n) % 500]; return s.length; },
  rankPages(n) { const rank = new Float64Array(64).fill(1); for (let r = 0; r < 40; r += 1) for (let i = 0; i < 64; i += 1) rank[i] = 0.15 + 0.85 * rank[(i * 7 + n) & 63]; return rank[3]; },
  checkStock(n) { let low = 0; for (let i = 0; i < 2500; i += 1) if ((i ^ n) % 11 < 2) low += 1; return low; },
  groupWords(n) { const groups = {}; for (let i = 0; i < 60; i += 1) { const w = words[(i * 3 + n) % 500]; groups[w] = (groups[w] || 0) + 1; } return Object.keys(groups).length; },
  pickWinners(n) { let best = 0; for (let i = 0; i < 2500; i += 1) best = Math.max(best, (i * 31 + n) % 1009); return best; },
  parseDates(n) { let s = 0; for (let i = 1; i < 25; i += 1) s += Number(`20${10 + (n + i) % 16}`) * 372 + i; return s; },
  foldLines(n) { const out = []; for (let i = 0; i < 60; i += 1) out.push(words[(i + n) % 500].slice(0, 4)); return out.join('\n').length; },
};

async function main() {
  let sum = 0;
  for (let round = 0; round < 14; round += 1) {
    for (const [, job] of Object.entries(jobs)) {
      const end = Date.now() + 11;
      while (Date.now() < end) for (let i = 0; i < 60; i += 1) sum += job(round + i);
      await sleep(3);
    }
  }
  console.log(sum);
}

main();
