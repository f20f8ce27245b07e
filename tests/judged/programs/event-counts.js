// Counts events for each user and kind.
// Culprit: addEvent copies the whole table for each event; the copies are garbage at once.
'use strict';

function makeEvents(n) {
  const events = [];
  for (let i = 0; i < n; i += 1) events.push({ user: `user-${(i * 17) % 90}`, kind: ['open', 'click', 'close'][i % 3], ms: (i * 31) % 400 });
  return events;
}

function addEvent(counts, event) {
  const key = `${event.user}:${event.kind}`;
  return { ...counts, [key]: { n: (counts[key]?.n ?? 0) + 1, ms: (counts[key]?.ms ?? 0) + event.ms } };
}

function topUsers(counts) {
  return Object.entries(counts).map(([key, row]) => ({ key, mean: row.ms / row.n })).sort((a, b) => b.mean - a.mean).slice(0, 10);
}

function describe(rows) {
  return rows.map((row, i) => `${i + 1}. ${row.key.replace(':', ' ')} ${row.mean.toFixed(1)} ms`).join('\n');
}

const end = Date.now() + 2000;
let chars = 0;
while (Date.now() < end) chars += describe(topUsers(makeEvents(1500).reduce(addEvent, {}))).length;
console.log(chars);
