// A server that polls its own state and gets few requests: idle.
'use strict';
const http = require('node:http');
const os = require('node:os');

const checks = [];

function collect() {
  checks.push({ at: Date.now(), load: os.loadavg()[0], memory: process.memoryUsage.rss() });
  if (checks.length > 100) checks.shift();
}

const server = http.createServer((request, response) => {
  response.end(JSON.stringify({ path: request.url, last: checks.slice(-5) }));
});

server.listen(0, () => {
  const poll = setInterval(collect, 100);
  const visit = setInterval(() => http.get({ port: server.address().port, path: '/health', agent: false }, (r) => r.resume()), 400);
  setTimeout(() => {
    clearInterval(poll);
    clearInterval(visit);
    server.close();
  }, 2500);
});
