// SPDX-License-Identifier: GPL-2.0-or-later
// What flametty tells of requests, against what is known of them: a server whose routes burn and wait
// for a known time, other servers, and clients that measure themselves, each in a process of its own.
// Times of the clients less those of flametty are printed: what it does not see of requests.
//
// usage: node tests/requests/truth.mjs FLAMETTY FOLDER [KIND [SCENE [SECONDS]]]
//        KIND: plain, express, fastify, esm or worker; bare: esm without a way to modules, as Node.js 18
//        has none; SCENE: what the clients ask for
// Exit status: 0, 1 something is wrong, 2 only figures are, 77 the port is held.
import { execFileSync, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { createRequire } from 'node:module';
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { get, listen, makeDatabase, pathOf, sleep, until } from './lib.mjs';

const here = fileURLToPath(import.meta.url);
const now = () => Number(process.hrtime.bigint() / 1000n);

// What each client asks for, one after another; how long it waits between, in ms; what the first screen
// has to say; what is enough on a busy machine.
const SCENES = {
	mix: [40, 'burn2 pool backend burn2 burn10 pool burn2 backend burn60 pool burn10 burn2', /behind GET \/burn\d+|waited \d+ ms for/, /GET \/\w+\/:n \d+ ms/],
	neighbour: [40, 'burn2 pool burn2 burn60 burn2 pool burn2 burn2', /GET \/burn60\/\S+ \d+ ms: .*own CPU|behind GET \/burn60/],
	backend: [30, 'backend burn2 backend burn2', /waited \d+ ms for GET 127\.0\.0\.1:\d+\/stock/],
	pool: [5, 'pool pool burn2', /for a free connection to 127\.0\.0\.1:\d+: all 2 were busy/],
	threads: [100, 'file file file file hash file file file', /all 4 threads of the pool were busy with GET \/hash/, /all 4 threads of the pool were busy/],
	names: [30, 'name burn2 name', /for DNS: slow\.example/, /for GET slow\.example/],
	garbage: [60, 'keep keep burn2', /GC \d+ %/],
	retry: [30, 'retry burn2', /20 calls failed \(GET 127\.0\.0\.1:1\/gone ECONNREFUSED\)/]
};

// ---- the other processes ----

// A slow server, a database, and a server of names. Answers each line with its calls.
async function beOutside() {
	const calls = [];
	const backend = http.createServer(async (request, response) => {
		const begin = now();

		await sleep(request.url === '/quick' ? 1 : 80);
		response.end('stock');
		calls.push([begin, now()]);
	});
	const names = dgram.createSocket('udp4').on('message', async (query, { port, address }) => {
		const answer = Buffer.alloc(16);

		await sleep(120);
		answer.writeUInt32BE(0xc00c0001);
		answer.writeUInt32BE(0x00010000, 4);
		answer.writeUInt32BE(0x00000004, 8);
		answer.set([127, 0, 0, 1], 12);
		query[2] |= 0x80;
		query[3] = 0x80;
		query.fill(0, 6, 12);
		query[7] = 1;
		const end = query.indexOf(0, 12) + 5; /* of the question */

		names.send(Buffer.concat([query.subarray(0, end), answer]), port, address);
	});

	createInterface({ input: process.stdin }).on('line', () => console.log(JSON.stringify({ calls })));
	await new Promise(done => names.bind(0, '127.0.0.1', done));
	console.log(JSON.stringify({ backend: await listen(backend), database: await listen(makeDatabase()), names: names.address().port }));
}

// Eight clients. Answers each line with [ROUTE, BEGIN, END, TEXT].
async function beClient(port, scene) {
	const [pause, words] = SCENES[scene], routes = words.split(' '), done = [];
	const agent = new http.Agent({ keepAlive: true });
	let id = 0;

	createInterface({ input: process.stdin }).on('line', () => console.log(JSON.stringify({ done })));
	console.log('{}');
	await Promise.all(Array.from({ length: 8 }, async (none, client) => {
		await sleep(client * 13);
		for (let i = client * 5;; i++) {
			const route = routes[i % routes.length], path = `/${route}/${++id}`, begin = now();
			const { status, body } = await get(port, path, { agent });

			done.push([path, begin, now(), `${status} ${body}`]);
			await sleep(pause * (0.5 + Math.random()));
		}
	}));
}

// ---- this process ----

const children = [];

async function begin(script, ...words) {
	const child = spawn(process.execPath, [script, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const next = async () => JSON.parse((await lines.next()).value);

	children.push(child);
	return { pid: child.pid, first: await next(), ask: () => { child.stdin.write('\n'); return next(); }, child };
}

const quantile = (list, percent) => [...list].sort((a, b) => a - b)[Math.ceil(list.length * percent / 100) - 1];

const [flametty, folder, kind = 'plain', scene = 'mix', seconds = '5'] = process.argv.slice(2);

function report(table) {
	return JSON.parse(execFileSync(flametty, ['report', '--format=json', `--table=${table}`, `${folder}/`], { encoding: 'utf8', maxBuffer: 1 << 28 }));
}

// ---- the comparison ----

// What server, clients and others may wait for a processor, added up, of the time of the recording. With more,
// their figures have that in them: they are not compared, and any route may be the slowest of the mix. What is
// served, answered and left, times of the clients, and causes that were planted alone, are checked all the same.
const DELAY_MOST = 0.25;

// Of failures: harm to the server, or requests that are not told, is never due to the machine. A figure may be,
// as a hypervisor takes its time without a count here: such failures alone make the exit status 2.
let nFailed = 0, nFigures = 0;

function expect(what, value, isRight, isFigure = false) {
	if (isRight(value))
		return;
	console.log(`FAILED: ${what}: ${value}`);
	if (isFigure)
		nFigures++;
	else
		nFailed++;
}

const expectFigure = (what, value, isRight) => expect(what, value, isRight, true);

const sum = list => list.reduce((a, b) => a + b, 0);
const ms = us => (us / 1000).toFixed(1).padStart(7);
const percent = x => (100 * x).toFixed(1).padStart(6);
const hasRoutes = kind === 'express' || (kind === 'fastify' && parseInt(process.versions.node, 10) >= 20);
const nameOf = path => `GET ${path.replace(/[0-9]+$/, '')}${hasRoutes ? ':id' : ':n'}`;

// The requests that have a beginning and an end in the recording, by path.
function readTrace() {
	const { traceEvents } = JSON.parse(readFileSync(`${folder}/requests.trace.json`, 'utf8')), open = new Map(), found = new Map();

	for (const { ph, cat, id, ts, args } of traceEvents) {
		if (cat !== 'http.server')
			continue;
		if (ph === 'b')
			open.set(id, { ...args, begin: ts });
		else if (!open.get(id).open && !args.open)
			found.set(open.get(id).path, { ...open.get(id), ...args, end: ts });
	}
	return found;
}

// Nanoseconds that the main threads of processes were ready to run while others had the processors.
function delayOf(pids) {
	try {
		return sum(pids.map(pid => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1])));
	} catch {
		return 0;
	}
}

function compare({ burns, calls, done, isBusy }) {
	const profile = report('routes'), { waits } = report('waits').summary;
	// Of requests that go on after the recording, the route is not known yet.
	const routes = profile.summary.routes.filter(row => row.count > row.partial);
	const requests = readTrace(), known = new Map(), late = [];
	// The script begins and ends within the profile.
	const from = Math.min(...[...requests.values()].map(({ begin }) => begin));
	const to = Math.max(...[...requests.values()].map(({ end }) => end));

	for (const [path, begin, end] of done) {
		const seen = requests.get(path), name = nameOf(path);

		if (!seen)
			continue;
		known.set(name, [...known.get(name) || [], end - begin]);
		late.push((end - begin) - (seen.end - seen.begin));
	}
	const burnt = name => sum(burns.filter(([route, begin, end]) => begin >= from && end <= to && nameOf(`/${route}/1`) === name)
		.map(([, begin, end]) => end - begin));
	const own = row => (row.count - row.partial) * row.own_us, behindOf = new Map();
	// Truth has burns only: what else a request needs is not in it.
	const burning = routes.filter(row => burnt(row.route) > 0);
	const all = sum(burning.map(row => burnt(row.route))), said = sum(burning.map(own));

	console.log(`${process.version} ${kind} ${scene}\n    n  p50 true said    p99 true said     CPU % true said     own`);
	for (const row of routes) {
		const lengths = known.get(row.route) || [], trueShare = burnt(row.route) / all;
		const share = burning.includes(row) ? own(row) / said : 0;

		behindOf.set(row.route.split('/')[1], row.behind_route);
		console.log(String(lengths.length).padStart(5), ms(quantile(lengths, 50)), ms(row.p50_us), ms(quantile(lengths, 99)), ms(row.p99_us),
			all ? percent(trueShare) : '', all ? percent(share) : '', ms(row.own_us), `${row.route}, behind ${row.behind_route}, waits for ${row.waits_for}`);
		expect(`${row.route}: requests`, lengths.length, n => n > 0);
		if (scene === 'mix' && !isBusy)
			expectFigure(`${row.route}: share of the CPU is ${percent(trueShare)} %`, percent(share), () => Math.abs(share - trueShare) <= 0.1);
		expectFigure(`${row.route}: no longer than for the client`, row.p50_us, us => us <= quantile(lengths, 50) * 1.2 + 20000);
	}
	console.log(`the client's time less ours: median ${ms(quantile(late, 50))} ms, p95 ${ms(quantile(late, 95))}, least ${ms(Math.min(...late))}, most ${ms(Math.max(...late))}`);
	const answer = sum(calls.map(([begin, end]) => end - begin)) / calls.length;

	console.log(`mean answer of the backend: ${ms(answer)} ms`);
	if (scene === 'mix' && !isBusy)
		expectFigure('mean wait for the backend', waits.find(({ kind: k }) => k === 'call').mean_us, us => Math.abs(us / answer - 1) < 0.1);
	for (const row of waits)
		console.log(`${row.kind} ${row.name}: ${row.count}, ${row.of_requests} owned, mean ${ms(row.mean_us)} ms`);
	if (scene === 'mix' && kind !== 'worker' && !isBusy)
		for (const route of ['backend', 'pool'])
			expectFigure(`${route} is behind`, behindOf.get(route), name => [nameOf('/burn60/1'), nameOf('/burn10/1')].includes(name));
}

// The cause is on the first screen, in the lines above the chart.
function checkScreen(isBusy) {
	const lines = execFileSync(flametty, ['--render=120x40', `${folder}/`], { encoding: 'utf8' }).split('\n').slice(1, 3).join('\n');

	console.log(lines);
	expectFigure(`the cause of ${scene}`, lines, text => SCENES[scene].slice(2, isBusy ? 4 : 3).some(cause => cause.test(text)));
}

// Wait until the clients have three more answers of each route; at most as long as the recording is.
async function hasEach(client, from) {
	const routes = new Set(SCENES[scene][1].split(' '));

	for (const end = Date.now() + 50000; Date.now() < end; await sleep(200)) {
		const paths = (await client.ask()).done.slice(from).map(([path]) => path);

		if ([...routes].every(route => paths.filter(path => path.startsWith(`/${route}/`)).length >= 3))
			return;
	}
}

async function main() {
	const outside = await begin(here, 'outside');
	const ports = JSON.stringify(outside.first);
	const server = kind === 'esm' || kind === 'bare' ? await begin(here, kind, 'plain', ports) : await begin(pathOf('truth_server.cjs'), kind, ports);
	const client = await begin(here, 'client', server.first.port, scene);

	await hasEach(client, 0);
	const { left: before } = await server.ask();
	const options = ['attach', String(server.pid), '--requests', '--sockets', '--files', '-t', '60s', '-o', `${folder}/`];
	if (kind === 'worker')
		options.push('--all');
	const pids = [server.pid, outside.pid, client.pid], delayed = delayOf(pids), started = performance.now();
	const attach = spawn(flametty, options, { stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';

	attach.stderr.on('data', data => { said += data; });
	const ended = new Promise(done => attach.on('close', done));

	// On a busy machine it takes longer until it records, and has the same requests.
	await Promise.race([ended, (async () => {
		for (let i = 0; i < 200 && (await server.ask()).left.channels.length === before.channels.length; i++)
			await sleep(100);
		const { done: { length } } = await client.ask();

		await sleep(seconds * 1000);
		await hasEach(client, length);
		attach.kill('SIGINT');
	})()]);
	const status = await ended, delay = (delayOf(pids) - delayed) / 1e6 / (performance.now() - started);
	const isBusy = delay > DELAY_MOST;

	console.log(`ready and not running: ${percent(delay)} % of the time${isBusy ? ': figures are not compared' : ''}`);

	if (/port \d+ is held/.test(said)) {
		console.log(said);
		process.exitCode = 77;
		return;
	}
	await until(async () => JSON.stringify((await server.ask()).left) === JSON.stringify(before), 'nothing is left', 10000).catch(() => {});
	const { burns, left } = await server.ask(), { calls } = await outside.ask(), { done } = await client.ask();

	if (status !== 0)
		throw new Error(`attach: status ${status}: ${said}`);
	expect('listeners, channels and globals are as before', JSON.stringify(left), same => same === JSON.stringify(before));
	expect('answers', done.find(([path, , , text]) => text !== `200 done ${path.split('/')[1]}`), odd => odd === undefined);
	compare({ burns, calls, done, isBusy });
	checkScreen(isBusy);
	process.exitCode = nFailed ? 1 : nFigures ? 2 : 0;
}

switch (process.argv[2]) {
case 'outside': await beOutside(); break;
case 'client': await beClient(process.argv[3], process.argv[4]); break;
case 'bare': delete process.getBuiltinModule; /* falls through */
case 'esm': createRequire(import.meta.url)('./truth_server.cjs'); break;
default:
	try {
		await main();
	} finally {
		children.forEach(child => child.kill('SIGKILL'));
	}
	process.exit(process.exitCode);
}
