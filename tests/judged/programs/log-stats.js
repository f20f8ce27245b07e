// A command line tool that counts requests in an access log.
// Culprit: the pattern of parseLine backtracks over every word of the user agent.
'use strict';

const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
  'curl/8.4.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1',
];

function makeLog(lines) {
  const out = [];
  for (let i = 0; i < lines; i += 1) {
    const agent = agents[i % agents.length];
    out.push(`10.0.${i % 7}.${i % 251} - - [22/Nov/2026:10:${i % 60}:01 +0000] "GET /item/${i % 97}?q=${i} HTTP/1.1" ` +
      `${i % 13 ? 200 : 404} ${i * 31 % 9000} "-" "${agent}"`);
  }
  return out.join('\n');
}

const pattern = /^(\S+) \S+ \S+ \[(.+)\] "(.+) (.+) (.+)" (\d+) (\d+) "(.+)" "(.+)"$/;

function parseLine(line) {
  const m = pattern.exec(line);
  return m && { host: m[1], path: m[4], status: Number(m[6]), bytes: Number(m[7]) };
}

function normalizePath(path) {
  return path.split('?')[0].split('/').map((part) => (/^\d+$/.test(part) ? ':id' : part)).join('/');
}

function count(stats, entry) {
  const key = `${entry.status} ${normalizePath(entry.path)}`;
  const row = stats.get(key) || { hits: 0, bytes: 0, hosts: new Map() };
  row.hits += 1;
  row.bytes += entry.bytes;
  row.hosts.set(entry.host, (row.hosts.get(entry.host) || 0) + 1);
  stats.set(key, row);
}

const end = Date.now() + 2000;
let rounds = 0;
let stats;
while (Date.now() < end) {
  stats = new Map();
  for (const line of makeLog(400).split('\n')) {
    const entry = parseLine(line);
    if (entry) count(stats, entry);
  }
  rounds += 1;
}
console.log(rounds, stats.size);
