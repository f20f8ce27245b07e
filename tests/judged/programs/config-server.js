// A server of feature flags with its client in the same process.
// Culprit: snapshotConfig copies the whole configuration for each request.
'use strict';
const http = require('node:http');

const config = { version: 7, flags: {}, tenants: [] };
for (let i = 0; i < 60; i += 1) config.flags[`flag-${i}`] = { on: i % 3 === 0, rollout: i, tags: ['web', `team-${i % 9}`] };
for (let i = 0; i < 25; i += 1) config.tenants.push({ id: i, name: `tenant ${i}`, limits: { rps: i * 10, burst: i * 20 } });

function snapshotConfig() {
  return JSON.parse(JSON.stringify(config));
}

function evaluate(snapshot, user) {
  const on = [];
  for (const [name, flag] of Object.entries(snapshot.flags)) {
    if (flag.on && (user.length * 7) % 100 >= flag.rollout) on.push(name);
  }
  return on;
}

const server = http.createServer((request, response) => {
  const user = new URL(request.url, 'http://localhost').searchParams.get('user');
  let on = [];
  for (const part of user.split(',')) on = on.concat(evaluate(snapshotConfig(), part));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ user, on }));
});

function ask(agent, port, n) {
  return new Promise((resolve, reject) => {
    http.get({ port, agent, path: `/flags?user=ann-${n},bob-${n},eve,kim,lee` }, (response) => {
      let body = '';
      response.on('data', (chunk) => { body += chunk; });
      response.on('end', () => resolve(body.length));
    }).on('error', reject);
  });
}

server.listen(0, async () => {
  const agent = new http.Agent({ keepAlive: true });
  const { port } = server.address();
  const end = Date.now() + 2200;
  let n = 0;
  while (Date.now() < end) {
    await Promise.all([ask(agent, port, n), ask(agent, port, n + 1), ask(agent, port, n + 2)]);
    n += 3;
  }
  console.log(n, 'requests');
  agent.destroy();
  server.close();
});
