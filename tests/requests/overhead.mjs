// SPDX-License-Identifier: GPL-2.0-or-later
// CPU of a request with the recording, against without it: a benchmark, not a test.
//
// Two equal servers, both with a CPU profile at 1 ms: one is recorded, the other is not, in turn for a
// few hundred requests each, when V8 has compiled both. Then they change places. Figures are the median
// of all such pairs. Database and clients are in this process, so only the servers are measured.
//
// usage: node tests/requests/overhead.mjs [ROUNDS [REQUESTS [LEVEL...]]]
//        ROUNDS: pairs in each place, 9 by default; REQUESTS: of one part of a pair, 500 by default
import http from 'node:http';
import { connect, get, listen, makeDatabase, record, start } from './lib.mjs';

const ROUNDS = Number(process.argv[2]) || 9, REQUESTS = Number(process.argv[3]) || 500;
const CLIENTS = 8, WARM = 4000;
const LEVELS = {
	'no owners': { owners: 0 }, 'requests': {}, 'sockets': { sockets: 1 }, 'cpu': { cpu: 1 },
	'sockets, cpu': { sockets: 1, cpu: 1 }, 'sockets, cpu, files': { sockets: 1, cpu: 1, files: 1 }
};
const median = list => [...list].sort((a, b) => a - b)[list.length >> 1];
const agent = new http.Agent({ keepAlive: true }), databasePort = await listen(makeDatabase());

async function startServer() {
	const program = await start('server.cjs', String(databasePort)), { port } = await program.next();
	const { post } = await connect(program.address);

	await post('Profiler.enable');
	await post('Profiler.setSamplingInterval', { interval: 1000 });
	await post('Profiler.start');
	return { program, port, post };
}

async function load({ port }, most) {
	let n = 0;

	await Promise.all(Array.from({ length: CLIENTS }, async () => {
		while (n++ < most)
			await get(port, `/list/${n}`, { agent });
	}));
}

async function cpu({ program }) {
	program.ask('cpu');
	const { user, system } = await program.next();

	return user + system;
}

// Microseconds of CPU that a request takes.
async function measure(server) {
	const before = await cpu(server);

	await load(server, REQUESTS);
	return (await cpu(server) - before) / REQUESTS;
}

// Pairs of figures: recorded, and not. Adds the bytes that a request took to `sizes`.
async function measurePairs(recorded, plain, settings, sizes) {
	const recording = await record(recorded.post, settings), pairs = [];
	let bytes = 0;
	const timer = setInterval(async () => { bytes += (await recording.text()).length; }, 1000);

	await load(plain, WARM);
	await load(recorded, WARM);
	for (let i = 0; i < ROUNDS; i++) {
		const first = i & 1 ? await measure(plain) : 0, us = await measure(recorded);

		pairs.push([us, first || await measure(plain)]);
	}
	clearInterval(timer);
	bytes += (await recording.text()).length;
	sizes.push(bytes / (WARM + ROUNDS * REQUESTS));
	await recording.stop();
	return pairs;
}

const servers = [await startServer(), await startServer()];

console.log(`Node.js ${process.version}, CPU of a request: medians of ${2 * ROUNDS} pairs of ${REQUESTS} requests`);
for (const level of process.argv.length > 4 ? process.argv.slice(4) : Object.keys(LEVELS)) {
	const [a, b] = servers, sizes = [];
	const pairs = [...await measurePairs(a, b, LEVELS[level], sizes), ...await measurePairs(b, a, LEVELS[level], sizes)];

	console.log(`${level.padEnd(20)} ${median(pairs.map(([, us]) => us)).toFixed(1).padStart(6)} us without, ` +
		`${median(pairs.map(([us, plain]) => us - plain)).toFixed(1).padStart(5)} us more: ` +
		`${(100 * median(pairs.map(([us, plain]) => us / plain - 1))).toFixed(1).padStart(5)} %, ${sizes[0].toFixed(0)} bytes`);
}
for (const { program } of servers)
	await program.end();
process.exit();
