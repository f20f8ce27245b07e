// Looks words up that may be misspelt.
// Culprits: editDistance builds whole tables for each candidate; stem runs a chain of regular expressions.
'use strict';

const vocabulary = [];
for (const head of ['con', 'pro', 'inter', 'under', 'over', 'trans', 're', 'de']) {
  for (const tail of ['nation', 'ceeding', 'formed', 'stands', 'ported', 'lations', 'scribing', 'ductive']) vocabulary.push(head + tail);
}

const rules = [/(?:sses|ies)$/, /(?:ational|tional)$/, /(?:ization|ation|ator)$/, /(?:ing|ed|ly)$/, /(?:[aeiou]{2,}s|[^s]s)$/, /^(?:re|de|con|pro|inter|under|over|trans)(?=[a-z]{3,})/];

function stem(word) {
  let out = word;
  for (const rule of rules) out = out.replace(rule, (m) => m.slice(0, 1));
  return out;
}

function editDistance(a, b) {
  const table = [];
  for (let i = 0; i <= a.length; i += 1) table.push([i]);
  for (let j = 1; j <= b.length; j += 1) table[0][j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + change);
    }
  }
  return table[a.length][b.length];
}

function misspell(word, n) {
  const at = n % word.length;
  return word.slice(0, at) + String.fromCharCode(97 + n % 26) + word.slice(at + 1);
}

function indexText(words) {
  const index = new Map();
  for (const word of words) {
    const key = stem(word);
    if (!index.has(key)) index.set(key, []);
    index.get(key).push(word);
  }
  return index;
}

function lookup(word) {
  let best = null;
  let least = 4;
  for (const candidate of vocabulary) {
    if (Math.abs(candidate.length - word.length) > 1 || candidate[0] !== word[0]) continue;
    const d = editDistance(candidate, word);
    if (d < least) { least = d; best = candidate; }
  }
  return best;
}

const end = Date.now() + 2000;
let found = 0;
let n = 0;
function nextText() {
  for (let i = 0; i < 20; i += 1, n += 1) {
    found += indexText([...vocabulary, ...vocabulary]).size;
    for (let k = 0; k < 12; k += 1) if (lookup(misspell(vocabulary[(n + k * 5) % vocabulary.length], n + k))) found += 1;
  }
  if (Date.now() < end) setImmediate(nextText);
  else console.log(found);
}

nextText();
