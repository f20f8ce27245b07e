// Works through a queue of tickets in many steps.
// Culprit: signAudit derives a key anew for each ticket; the rest is spread over the steps.
'use strict';
const crypto = require('node:crypto');

function makeTicket(n) {
  return { id: n, title: `Ticket ${n}`, body: `Printer ${n % 40} is on fire again, please help. `.repeat(6), tags: ['printer', `floor-${n % 9}`], at: 1.79e12 + n * 1000 };
}

function signAudit(ticket) {
  const key = crypto.pbkdf2Sync('secret', 'salt', 10, 32, 'sha256');
  return crypto.createHmac('sha256', key).update(ticket.title).digest('hex');
}

function tokenize(text) {
  return text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2);
}

function countWords(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) || 0) + 1);
  return counts;
}

function trigrams(text) {
  const set = new Set();
  for (let i = 0; i + 3 <= text.length; i += 2) set.add(text.slice(i, i + 3));
  return set;
}

function similarity(a, b) {
  let both = 0;
  for (const gram of a) if (b.has(gram)) both += 1;
  return both / (a.size + b.size - both);
}

function urgency(ticket, counts) {
  let score = ticket.tags.length;
  for (const [word, n] of counts) score += n * (word.charCodeAt(0) % 5);
  for (let i = 0; i < ticket.body.length; i += 1) score = (score * 31 + ticket.body.charCodeAt(i)) % 1009;
  return score;
}

function toMarkdown(ticket, score) {
  const lines = ticket.body.split('. ').map((line, i) => `${i + 1}. *${line.trim()}*`);
  return `# ${ticket.title} (${score})\n\n${lines.join('\n')}\n\n${ticket.tags.map((tag) => `\`${tag}\``).join(' ')}`;
}

function archive(ticket) {
  return JSON.stringify({ ...ticket, closed: new Date(ticket.at).toISOString(), history: ticket.tags }).length;
}

function fingerprint(text) {
  let h = 2166136261;
  for (let round = 0; round < 9; round += 1) for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

const end = Date.now() + 2500;
let last = trigrams('');
let check = 0;
let n = 0;
function nextTickets() {
  for (let i = 0; i < 20; i += 1, n += 1) {
    const ticket = makeTicket(n);
    const grams = trigrams(ticket.body);
    check += similarity(grams, last);
    last = grams;
    const score = urgency(ticket, countWords(tokenize(ticket.body)));
    check += toMarkdown(ticket, score).length + archive(ticket) + fingerprint(ticket.body) % 7;
    check += signAudit(ticket).length;
  }
  if (Date.now() < end) setImmediate(nextTickets);
  else console.log(check);
}

nextTickets();
