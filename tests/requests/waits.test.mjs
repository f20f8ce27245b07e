// SPDX-License-Identifier: GPL-2.0-or-later
// Waits on connections of a database, jobs of the pool of threads, and whose CPU it is: each against
// what the program knows itself.
import assert from 'node:assert/strict';
import { pbkdf2, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { test } from 'node:test';
import { get, major, makeDatabase, makePool, recordHere, serve, sleep, until, URL_OF_SCRIPT } from './lib.mjs';

const only = (records, kind) => records.filter(record => record.kind === kind);
const now = () => Number(process.hrtime.bigint() / 1000n); // us, as times of records

function burn(ms) {
	for (const end = process.hrtime.bigint() + BigInt(ms * 1e6); process.hrtime.bigint() < end;)
		Math.sqrt(ms);
}

// The owner of each wait: who went on first after its answer, and before the next one, or else who wrote.
const ownersOf = records => only(records, 'Q').map(wait => {
	const endOf = ({ time, duration }) => time + duration - 100, end = endOf(wait);
	const later = only(records, 'Q').filter(({ socket, time }) => socket === wait.socket && time > wait.time).map(endOf);
	const next = only(records, 'G').find(({ socket, time }) => socket === wait.socket && time >= end && time < Math.min(...later));

	return next ? next.owner : wait.owner;
});

test('waits on a pool that is too small, with their owners', async t => {
	const databasePort = await serve(t, makeDatabase());
	let pool, began, took, arrive, nThere = 0;
	const waitsOf = records => only(records, 'Q').filter(({ time }) => time >= began);
	const allThere = new Promise(done => { arrive = done; });
	const server = http.createServer(async (request, response) => {
		if (request.url === '/first') {
			pool = makePool(databasePort, 2);
			t.after(pool.end);
			await until(() => pool.sockets.every(({ connecting }) => !connecting), 'the pool');
		} else {
			// On a busy machine they may come one by one, and none would wait in the queue.
			if (++nThere === 6)
				arrive();
			await allThere;
		}
		await sleep(1);
		response.end(await pool.query(`25 ${request.url}`));
	});
	const port = await serve(t, server);

	const records = await recordHere({ sockets: 1, cpu: 1 }, async recording => {
		await get(port, '/first');
		// Before Node.js 22, the connections are found when it is pulled.
		await (major < 22 && recording.has('P', 2));
		const paths = ['/0', '/1', '/2', '/3', '/4', '/5'];

		began = now();
		const bodies = await Promise.all(paths.map(path => get(port, path)));

		took = now() - began;
		bodies.forEach(({ body }, i) => assert.equal(body, `answer 25 ${paths[i]}\n`));
		// That of /first may be there, too: before Node.js 22 only where its connection was found in time.
		await until(async () => waitsOf(await recording.all()).length >= 6, 'the waits');
	});
	const waits = waitsOf(records), served = only(records, 'S').filter(({ path }) => path !== '/first');

	assert.deepEqual([...new Set(waits.map(({ address }) => address))], [`127.0.0.1:${databasePort}`]);
	assert.equal(waits.length, 6);
	assert.equal(new Set(waits.map(({ socket }) => socket)).size, 2);
	for (const { duration, nWrites, nBytes, remotePort, localPort } of waits) {
		assert.ok(duration >= 24000 && duration < took - 2 * 24000, `${duration} us of ${took}`);
		assert.equal(remotePort, databasePort);
		assert.ok(localPort > 0);
		assert.equal(nWrites, 1);
		assert.equal(nBytes, 'answer 25 /0\n'.length);
	}
	assert.deepEqual(ownersOf(records).slice(-6).sort(), served.map(({ id }) => id).sort());
	assert.ok(waits.some(({ owner }) => owner < 0), 'those that waited in the queue are not sure');
});

test('connections that are made later; none of HTTP', async t => {
	const databasePort = await serve(t, makeDatabase());
	const server = http.createServer((request, response) => setTimeout(() => response.end(), 10)), port = await serve(t, server);
	const agent = new http.Agent({ keepAlive: true });

	t.after(() => agent.destroy());
	await get(port, '/before', { agent });
	await (await fetch(`http://127.0.0.1:${port}/before`)).text();
	const records = await recordHere({ sockets: 1 }, async recording => {
		const pool = makePool(databasePort, 1);

		t.after(pool.end);
		await until(() => pool.sockets.every(({ connecting }) => !connecting), 'the pool');
		await (major < 22 && recording.has('P'));
		assert.equal(await pool.query('20 a'), 'answer 20 a\n');
		await get(port, '/after', { agent });
		await get(port, '/after');
		await (await fetch(`http://127.0.0.1:${port}/after`)).text();
		await recording.has('Q');
	});
	const waits = only(records, 'Q');

	assert.deepEqual(waits.map(({ address }) => address), [`127.0.0.1:${databasePort}`]);
	assert.equal(only(records, 'P').length, major < 22 ? 1 : 0);
});

test('a connection by a Unix socket', async t => {
	const path = `${fs.mkdtempSync(`${os.tmpdir()}/flametty-`)}/database`, server = makeDatabase();

	await new Promise(done => server.listen(path, done));
	t.after(() => { server.close(); fs.rmSync(path.replace('/database', ''), { recursive: true }); });
	const records = await recordHere({ sockets: 1 }, async recording => {
		const socket = net.connect(path);

		socket.write('20 a\n');
		await new Promise(done => socket.once('data', done));
		socket.destroy();
		await recording.has('Q');
	});

	assert.deepEqual(only(records, 'Q').map(({ address, nWrites }) => [address, nWrites]), [['unix', 1]]);
});

test('jobs of the pool of threads', async t => {
	const jobs = {
		'/file': done => fs.readFile(new URL('lib.mjs', import.meta.url), done),
		'/promise': done => fs.promises.stat('/').then(done),
		'/hash': done => pbkdf2('a', 'b', 20000, 64, 'sha512', done),
		'/random': done => randomBytes(64, done),
		'/dns': done => dns.lookup('localhost', done),
		'/none': done => setTimeout(done, 2)
	};
	const port = await serve(t, http.createServer((request, response) => jobs[request.url](() => response.end())));
	const records = await recordHere({ files: 1 }, async () => {
		for (const path of Object.keys(jobs))
			await get(port, path);
	});
	const typesOf = path => {
		const { id } = only(records, 'S').find(request => request.path === path);

		return [...new Set(only(records, 'T').filter(({ owner }) => owner === id).map(({ type }) => type))];
	};

	assert.deepEqual(typesOf('/file'), ['FSREQCALLBACK']);
	assert.deepEqual(typesOf('/promise'), ['FSREQPROMISE']);
	assert.deepEqual(typesOf('/hash'), ['PBKDF2REQUEST']);
	assert.deepEqual(typesOf('/random'), ['RANDOMBYTESREQUEST']);
	assert.deepEqual(typesOf('/dns'), ['GETADDRINFOREQWRAP']);
	assert.deepEqual(typesOf('/none'), []);
	assert.ok(only(records, 'T').find(({ type }) => type === 'PBKDF2REQUEST').duration > 1000);
});

test('CPU goes to the request that causes it', async t => {
	const ms = { '/await': 12, '/timer': 16, '/tick': 8, '/stream': 20 };
	const burns = []; // path, begin, end
	const work = path => {
		const began = now();

		burn(ms[path]);
		burns.push([path, began, now()]);
	};
	const port = await serve(t, http.createServer(async (request, response) => {
		const path = request.url;

		if (path === '/await')
			await sleep(3);
		else if (path === '/timer')
			return void setTimeout(() => { work(path); response.end(); }, 5);
		else if (path === '/tick')
			return void setImmediate(() => process.nextTick(() => { work(path); response.end(); }));
		else
			return void request.on('end', () => { work(path); response.end(); }).resume();
		work(path);
		response.end();
	}));
	const records = await recordHere({ cpu: 1 }, async () => {
		for (let i = 0; i < 4; i++)
			await Promise.all(Object.keys(ms).map(path => get(port, path)));
	});
	const pathOf = new Map(only(records, 'S').map(({ id, path }) => [id, path]));
	const runs = only(records, 'R');
	let right = 0, total = 0;

	for (const [path, began, ended] of burns) {
		runs.forEach(({ time, owner }, i) => {
			const us = Math.min(ended, i + 1 < runs.length ? runs[i + 1].time : Infinity) - Math.max(began, time);

			if (us > 0 && pathOf.get(owner) === path)
				right += us;
		});
		total += ended - began;
	}
	assert.equal(burns.length, 16);
	assert.ok(right / total > 0.99, `${(100 * right / total).toFixed(1)} % of the CPU has its request`);
});

test('the functions of the script have a name of their own in profiles', async t => {
	const port = await serve(t, http.createServer((request, response) => response.end()));
	const { openSession, record } = await import('./lib.mjs'), { post, close } = openSession();

	t.after(close);
	const recording = await record(post, { cpu: 1, sockets: 1 });
	let profile;

	await post('Profiler.enable');
	await post('Profiler.setSamplingInterval', { interval: 50 });
	// On a busy machine there are few samples.
	await until(async () => {
		await post('Profiler.start');
		for (const end = Date.now() + 700; Date.now() < end;)
			await get(port, '/');
		await recording.pull();
		({ profile } = await post('Profiler.stop'));
		return profile.nodes.some(({ callFrame }) => callFrame.url === URL_OF_SCRIPT);
	}, 'a sample of the script');
	await recording.stop();
	const begin = only(recording.records, 'S').find(({ time }) => time > profile.startTime);

	assert.ok(begin.time < profile.endTime, 'both have one clock');
});
