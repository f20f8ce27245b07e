'use strict';
// Records a page as data/README says: serves the files of a folder beside this file at
// http://*.example, opens the page in a headless Chromium, does what the folder's page.js says, and
// writes the trace.
//
// usage: node record-page.js CHROMIUM FOLDER OUTPUT.json

const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');

const CATEGORIES = ['devtools.timeline', 'v8.execute', 'blink.user_timing', 'blink.console',
  'loading', 'latencyInfo', 'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.svg': 'image/svg+xml' };
const [chromium, name, output] = process.argv.slice(2);
const folder = path.join(__dirname, name);
const page = require(path.join(folder, 'page.js'));
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

// The port is 80, as the urls of the recording have none: run it where that is allowed.
function serve() {
  const server = http.createServer(async (request, answer) => {
    const url = new URL(request.url, 'http://localhost');
    const file = url.pathname === '/' ? 'index.html' : path.basename(url.pathname);
    await pause((page.slow || {})[file] || 0);
    if ((page.moved || {})[file]) {
      answer.writeHead(302, { Location: page.moved[file] });
      answer.end();
      return;
    }
    fs.readFile(path.join(folder, file), (error, content) => {
      answer.writeHead(error ? 404 : 200, { 'Content-Type': TYPES[path.extname(file)] || 'text/plain' });
      answer.end(error ? '' : content);
    });
  });
  return new Promise(resolve => server.listen(80, '127.0.0.1', () => resolve(server)));
}

// The DevTools protocol over a pipe: JSON messages that end with a zero byte.
class Browser {
  constructor(home) {
    this.process = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--remote-debugging-pipe', '--host-resolver-rules=MAP *.example 127.0.0.1',
      '--site-per-process', `--user-data-dir=${home}`, 'about:blank'],
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

async function readStream(browser, session, handle) {
  let text = '';
  for (;;) {
    const { data, eof, base64Encoded } = await browser.send('IO.read', { handle }, session);
    text += base64Encoded ? Buffer.from(data, 'base64').toString() : data;
    if (eof) return text;
  }
}

async function main() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'record-'));
  const server = await serve();
  const browser = new Browser(home);
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const complete = browser.once('Tracing.tracingComplete');

  await pause(1000);
  // Started by the page, a trace tells which frames there are.
  await browser.send('Tracing.start', { transferMode: 'ReturnAsStream', streamFormat: 'json',
    traceConfig: { includedCategories: [...CATEGORIES, ...page.categories], excludedCategories: ['*'] } }, sessionId);
  await browser.send('Page.navigate', { url: page.url }, sessionId);
  for (const step of page.steps) {
    if (typeof step === 'number') await pause(step);
    else await click(browser, sessionId, step);
  }
  await browser.send('Tracing.end', {}, sessionId);
  const trace = JSON.parse(await readStream(browser, sessionId, (await complete).stream));
  const ended = new Promise(resolve => browser.process.once('exit', resolve));
  await browser.send('Browser.close');
  await ended;
  server.closeAllConnections();
  server.close();
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 });
  // The command line and the like say where it was recorded, not what.
  trace.metadata = { source: `flametty: data/src/${name}` };
  fs.writeFileSync(output, JSON.stringify(trace));
}

main();
