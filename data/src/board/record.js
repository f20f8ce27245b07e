'use strict';
// Records board as data/README says: serves this folder at http://localhost:8023, opens it in a
// headless Chromium, clicks, and writes the trace.
//
// usage: node record.js CHROMIUM OUTPUT.json

const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');

const PORT = 8023;
const CATEGORIES = ['devtools.timeline', 'v8', 'v8.execute', 'blink.user_timing', 'blink.console',
  'loading', 'latencyInfo', 'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.txt': 'text/plain' };
const [chromium, output] = process.argv.slice(2);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

function serve() {
  const server = http.createServer((request, answer) => {
    const name = request.url === '/' ? 'index.html' : path.basename(request.url);
    fs.readFile(path.join(__dirname, name), (error, content) => {
      answer.writeHead(error ? 404 : 200, { 'Content-Type': TYPES[path.extname(name)] || 'text/plain' });
      answer.end(error ? '' : content);
    });
  });
  return new Promise(resolve => server.listen(PORT, 'localhost', () => resolve(server)));
}

// The DevTools protocol over a pipe: JSON messages that end with a zero byte.
class Browser {
  constructor(folder) {
    this.process = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--remote-debugging-pipe', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.listeners = new Map();
    this.id = 0;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', block => {
      rest = Buffer.concat([rest, block]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
        this.take(JSON.parse(rest.subarray(0, end).toString()));
      }
    });
  }

  take(message) {
    if (message.id) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else if (this.listeners.has(message.method)) {
      this.listeners.get(message.method)(message.params);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.id;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  once(method) {
    return new Promise(resolve => this.listeners.set(method, resolve));
  }
}

async function click(browser, session, id) {
  const { result } = await browser.send('Runtime.evaluate', {
    expression: `(r => [r.x + 5, r.y + 5])(document.getElementById('${id}').getBoundingClientRect())`,
    returnByValue: true }, session);
  const [x, y] = result.value;
  for (const type of ['mousePressed', 'mouseReleased']) {
    await browser.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 }, session);
  }
}

async function readStream(browser, handle) {
  let text = '';
  for (;;) {
    const { data, eof, base64Encoded } = await browser.send('IO.read', { handle });
    text += base64Encoded ? Buffer.from(data, 'base64').toString() : data;
    if (eof) return text;
  }
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'record-'));
  const server = await serve();
  const browser = new Browser(folder);
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const complete = browser.once('Tracing.tracingComplete');

  await pause(1000);
  await browser.send('Tracing.start', { transferMode: 'ReturnAsStream', streamFormat: 'json',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] } });
  await browser.send('Page.navigate', { url: `http://localhost:${PORT}/` }, sessionId);
  await pause(500);
  await click(browser, sessionId, 'sort');
  await pause(150);
  await click(browser, sessionId, 'count');
  await pause(250);
  await browser.send('Tracing.end');
  const trace = JSON.parse(await readStream(browser, (await complete).stream));
  const ended = new Promise(resolve => browser.process.once('exit', resolve));
  await browser.send('Browser.close');
  await ended;
  server.close();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 });
  // The command line and the like say where it was recorded, not what.
  trace.metadata = { source: 'flametty: data/src/board' };
  fs.writeFileSync(output, JSON.stringify(trace));
}

main();
