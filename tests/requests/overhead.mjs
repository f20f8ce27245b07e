// SPDX-License-Identifier: GPL-2.0-or-later
// CPU of a request with the recording, against without it: a benchmark, not a test. Both have the CPU
// profile at 1 ms. Rounds are in pairs, in either order; the figures are medians. The database and the
// clients are in this process, so only the server is measured.
//
// usage: node tests/requests/overhead.mjs [ROUNDS [REQUESTS [LEVEL...]]]     9 rounds of 3,000 requests
import http from 'node:http';
import { connect, get, listen, makeDatabase, record, start } from './lib.mjs';

const ROUNDS = Number(process.argv[2]) || 9, REQUESTS = Number(process.argv[3]) || 3000, CLIENTS = 8;
const LEVELS = {
	'no owners': { owners: 0 }, 'requests': {}, 'sockets': { sockets: 1 },
	'sockets, cpu': { sockets: 1, cpu: 1 }, 'sockets, cpu, files': { sockets: 1, cpu: 1, files: 1 }
};
const median = list => list.sort((a, b) => a - b)[list.length >> 1];
const database = makeDatabase(), program = await start('server.cjs', String(await listen(database)));
const { port } = await program.next(), client = await connect(program.address);
const agent = new http.Agent({ keepAlive: true });

async function cpu() {
	program.ask('cpu');
	const { user, system } = await program.next();

	return user + system;
}

async function load(most) {
	let n = 0;

	await Promise.all(Array.from({ length: CLIENTS }, async () => {
		while (n++ < most)
			await get(port, `/list/${n}`, { agent });
	}));
}

// Microseconds of CPU that a request takes. V8 compiles anew what a recording has changed: that is not
// measured.
async function measure() {
	await load(REQUESTS);
	const before = await cpu();

	await load(REQUESTS);
	return (await cpu() - before) / REQUESTS;
}

async function measureRecorded(settings) {
	const recording = await record(client.post, settings);
	let isOver = false, bytes = 0;
	const pulls = (async () => {
		while (!isOver) {
			bytes += (await recording.text()).length;
			for (let i = 0; i < 20 && !isOver; i++)
				await new Promise(done => setTimeout(done, 50));
		}
	})();
	const us = await measure();

	isOver = true;
	await pulls;
	bytes += (await recording.text()).length;
	await recording.stop();
	return { us, bytes: bytes / REQUESTS / 2 };
}

await client.post('Profiler.enable');
await client.post('Profiler.setSamplingInterval', { interval: 1000 });
await client.post('Profiler.start');
for (let i = 0; i < 3; i++)
	await measure();
console.log(`Node.js ${process.version}, CPU of a request, ${ROUNDS} rounds of ${REQUESTS}`);
for (const level of process.argv.length > 4 ? process.argv.slice(4) : Object.keys(LEVELS)) {
	const settings = LEVELS[level];
	const without = [], more = [], ratios = [], bytes = [];

	await measureRecorded(settings);
	for (let i = 0; i < ROUNDS; i++) {
		const first = i & 1 ? await measure() : 0, recorded = await measureRecorded(settings);
		const plain = first || await measure();

		without.push(plain);
		more.push(recorded.us - plain);
		ratios.push(recorded.us / plain - 1);
		bytes.push(recorded.bytes);
	}
	console.log(`${level.padEnd(20)} ${median(without).toFixed(1).padStart(6)} us, with it ${median(more).toFixed(1).padStart(5)} us more: ` +
		`${(100 * median(ratios)).toFixed(1).padStart(5)} %, ${median(bytes).toFixed(0)} bytes`);
}
client.close();
await program.end();
process.exit();
