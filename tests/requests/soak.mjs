// SPDX-License-Identifier: GPL-2.0-or-later
// Memory of a server under load and of flametty, while recordings of its requests begin and end again and
// again, and flametty is killed in the middle of every fifth one: a measurement, not a test.
//
// usage: node tests/requests/soak.mjs FLAMETTY FOLDER [MINUTES [SECONDS]]
//        FOLDER: for recordings; MINUTES: in all, 30 by default; SECONDS: of one recording, 15 by default
import { spawn } from 'node:child_process';
import http from 'node:http';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { get, pathOf, sleep } from './lib.mjs';

const [flametty, folder, minutes = '30', seconds = '15'] = process.argv.slice(2);
const end = Date.now() + Number(minutes) * 60000, CLIENTS = 4, PAUSE_MS = 20;
const PATHS = ['/plain', '/wait', '/file', '/call', '/fetch', '/list/1', '/missing'];
const median = list => [...list].sort((a, b) => a - b)[list.length >> 1];
const kilobytes = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

const server = spawn(process.execPath, ['--expose-gc', '--inspect-port=0', pathOf('server.cjs')], { stdio: ['pipe', 'pipe', 'pipe'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value);
const ask = question => { server.stdin.write(`${JSON.stringify(question)}\n`); return next(); };
const { port } = await next();
let nAnswers = 0, nErrors = 0, lastError = '', isOver = false, said = '';

server.stderr.on('data', data => { said = (said + data).slice(-4000); });
server.on('exit', (code, signal) => { console.log(`the server ended: ${code} ${signal}\n${said}`); process.exit(1); });

async function load() {
	const agent = new http.Agent({ keepAlive: true });

	for (let i = 0; !isOver; i++) {
		await get(port, PATHS[i % PATHS.length], { agent }).catch(error => { nErrors++; lastError = String(error); });
		nAnswers++;
		await sleep(PAUSE_MS * (0.5 + Math.random()));
	}
	agent.destroy();
}

// Record once. Returns the most memory that flametty took, in KB; 0 if it was killed.
async function record(isKilled) {
	rmSync(folder, { recursive: true, force: true });
	const options = ['attach', String(server.pid), '--requests', '--sockets', '--files', '-t', `${seconds}s`, '-o', `${folder}/`];
	const attach = spawn(flametty, options, { stdio: ['ignore', 'ignore', 'pipe'] });
	let most = 0, complaint = '';
	const timer = setInterval(() => { try { most = kilobytes(attach.pid, 'VmHWM'); } catch { /* it has ended */ } }, 100);

	attach.stderr.on('data', data => { complaint += data; });
	if (isKilled)
		setTimeout(() => attach.kill('SIGKILL'), Number(seconds) * 500);
	const status = await new Promise(done => attach.on('close', done));

	clearInterval(timer);
	if (isKilled)
		await sleep(12000); // the script removes itself after 10 s
	else if (status !== 0)
		throw new Error(`attach: status ${status}: ${complaint}`);
	return isKilled ? 0 : most;
}

const before = await ask('counts');
const clients = Array.from({ length: CLIENTS }, load), rounds = [];

await sleep(3000);
for (let i = 1; Date.now() < end; i++) {
	const flamettyKb = await record(i % 5 === 0), { heap, handles } = await ask('memory');

	rounds.push({ flamettyKb, heapKb: heap / 1024, rssKb: kilobytes(server.pid, 'VmRSS'), handles });
	if (i % 10 === 0 || i === 1)
		console.log(`${i} recordings, ${nAnswers} answers: ${JSON.stringify(rounds.at(-1))}`);
}
isOver = true;
await Promise.all(clients);
const after = await ask('counts');
const half = rounds.length >> 1;

for (const name of ['flamettyKb', 'heapKb', 'rssKb', 'handles']) {
	const [first, second] = [rounds.slice(1, half), rounds.slice(half)].map(part => median(part.map(row => row[name]).filter(n => n > 0)));

	console.log(`${name.padEnd(11)} first half ${first.toFixed(0)}, second half ${second.toFixed(0)}: ${(100 * (second / first - 1)).toFixed(1)} %`);
}
console.log(`${rounds.length} recordings, ${nAnswers} answers, ${nErrors} errors ${lastError}; what is left is ${JSON.stringify(before) === JSON.stringify(after) ? 'as before' : 'not as before'}`);
server.removeAllListeners('exit');
server.kill();
process.exit();
