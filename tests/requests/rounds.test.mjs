// SPDX-License-Identifier: GPL-2.0-or-later
// A recording begins and ends again and again, at random moments, while clients keep the server busy:
// no answer changes, the process lives, and nothing is left. ROUNDS: how many, 20 by default.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { connect, get, record, sleep, start, until } from './lib.mjs';

const ROUNDS = Number(process.env.ROUNDS) || 20, CLIENTS = 8, ROUND_MS = 150;
const ANSWERS = {
	'/plain': [200, '/plain'], '/wait': [200, 'answer 2 /wait\n'], '/file': [200, '// SPDX-L'],
	'/call': [200, '/plain/inner'], '/fetch': [200, '/plain/fetched'], '/missing': [404, 'no']
};

// Ask for everything in turn until told to end. Returns the number of answers.
async function load(port, isOver) {
	const agent = new http.Agent({ keepAlive: true }), paths = Object.keys(ANSWERS);
	let n = 0;

	for (; !isOver(); n++) {
		const path = paths[n % paths.length], answer = await get(port, path, { agent });

		assert.deepEqual([answer.status, answer.body], ANSWERS[path]);
		if (n % 10 === 0)
			await assert.rejects(get(port, '/broken', { agent }));
	}
	agent.destroy();
	return n;
}

test(`${ROUNDS} rounds`, async t => {
	const program = await start('server.cjs'), { port } = await program.next();
	const counts = () => {
		program.ask('counts');
		return program.next();
	};
	let isOver = false, nRecords = 0, nErrors = 0;

	t.after(program.end);
	http.get({ host: '127.0.0.1', port, path: '/held' }).on('error', () => {});
	await until(async () => (await counts()).responses.length === 1, 'a response that is held');
	const before = await counts();
	const loads = Array.from({ length: CLIENTS }, () => load(port, () => isOver));
	const rounds = (async () => {
		for (let i = 0; i < ROUNDS; i++) {
			const client = await connect(program.address), end = Date.now() + Math.random() * ROUND_MS;
			const recording = await record(client.post, { cpu: i & 1, sockets: i >> 1 & 1, files: i >> 2 & 1, isPatient: i % 5 !== 0 });

			do {
				await recording.pull();
				await sleep(Math.random() * 20);
			} while (Date.now() < end);
			const { head } = await recording.stop();

			nErrors += head.errors;
			nRecords += recording.records.length;
			// Of what is open, only connections differ.
			const { channels, globals, process: own, responses } = await counts();

			assert.deepEqual({ channels, globals, own, responses },
				{ channels: [], globals: before.globals, own: before.process, responses: before.responses });
			client.close();
		}
	})();

	await Promise.race([rounds, ...loads]).finally(() => { isOver = true; });
	await rounds;
	const n = (await Promise.all(loads)).reduce((sum, more) => sum + more);

	// Their connections end.
	await until(async () => isDeepStrictEqual(await counts(), before), 'all is as before', 10000).catch(() => {});
	assert.deepEqual(await counts(), before);
	assert.equal(nErrors, 0);
	assert.ok(n > ROUNDS && nRecords > ROUNDS);
	assert.equal(program.child.exitCode, null);
	t.diagnostic(`${n} answers, ${nRecords} records`);
});
