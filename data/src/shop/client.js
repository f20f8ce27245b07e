'use strict';
// The load: four bursts of requests with pauses between them.

const http = require('node:http');

const port = Number(process.env.PORT || 8080);
const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
let cookie = '';
let answered = 0;

function send(method, path, body) {
  const headers = { 'accept-encoding': 'gzip', cookie };
  if (body) headers['content-type'] = 'application/json';
  return new Promise((resolve, reject) => {
    const req = http.request({ port, host: '127.0.0.1', method, path, headers, agent }, res => {
      const chunks = [];
      res.on('data', chunk => chunks.push(chunk));
      res.on('end', () => { answered++; resolve(Buffer.concat(chunks)); });
    });
    req.on('error', reject);
    req.end(body && JSON.stringify(body));
  });
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const cart = n => ({ lines: Array.from({ length: 80 }, (_, i) => ({ id: n * 13 + i, count: 1 + i % 4 })) });

async function burst(count) {
  const pending = [];
  for (let i = 0; i < count; i++) {
    pending.push(send('GET', `/api/products?page=${i % 20}`));
    pending.push(send('GET', `/products/${i * 37}`));
    pending.push(send('POST', '/api/cart', cart(i)));
    if (i % 3 === 0) pending.push(send('GET', `/api/search?q=${['oak+chair', 'blue+lamp', 'rug'][i % 9 / 3]}`));
    if (i % 8 === 0) pending.push(send('POST', '/api/login', { user: `user${i}`, password: 'a long secret' }));
    if (i % 12 === 0) pending.push(send('GET', '/report.csv.gz'));
    await pause(6);
  }
  await Promise.all(pending);
}

async function main() {
  const login = JSON.parse(await send('POST', '/api/login', { user: 'anna', password: 'a long secret' }));
  cookie = `lang=en; theme=dark; token=${login.token}`;
  for (const count of [20, 36, 12, 48]) {
    await pause(350);
    await burst(count);
  }
  agent.destroy();
  console.log(`${answered} requests answered`);
}

main();
