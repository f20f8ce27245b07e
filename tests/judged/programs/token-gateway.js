// A gateway that checks tokens and answers from a store, asynchronously, with a pause now and then.
// Culprits: verifyToken hashes a password again and again; listOrders sorts all orders for each page.
'use strict';
const crypto = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');

const orders = [];
for (let i = 0; i < 1500; i += 1) orders.push({ id: i, customer: `c${(i * 7) % 40}`, total: (i * 7919) % 10007, state: ['new', 'paid', 'sent'][i % 3] });

async function verifyToken(token) {
  let digest = token;
  for (let i = 0; i < 220; i += 1) digest = crypto.createHash('sha256').update(digest).update('pepper').digest('hex');
  return digest.startsWith('0') ? 'guest' : 'user';
}

async function listOrders(page) {
  const sorted = orders.slice().sort((a, b) => b.total - a.total || a.id - b.id);
  return sorted.slice(page * 20, page * 20 + 20);
}

function render(role, list) {
  return JSON.stringify({ role, orders: list.map((o) => ({ ...o, link: `/orders/${o.id}` })) });
}

function log(lines, request, body) {
  lines.push(`${request.id} ${request.path} ${body.length}`);
  if (lines.length > 200) lines.splice(0, 100);
}

async function handle(request, lines) {
  const role = await verifyToken(request.token);
  const list = await listOrders(request.id % 30);
  const body = render(role, list);
  log(lines, request, body);
  return body.length;
}

async function main() {
  const end = Date.now() + 2600;
  const lines = [];
  let sum = 0;
  for (let id = 0; Date.now() < end; id += 4) {
    const batch = [0, 1, 2, 3].map((k) => handle({ id: id + k, path: `/orders?page=${id}`, token: `token-${id + k}` }, lines));
    for (const size of await Promise.all(batch)) sum += size;
    if (id % 40 === 0) await sleep(10);
  }
  console.log(sum);
}

main();
