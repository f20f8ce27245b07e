// SPDX-License-Identifier: GPL-2.0-or-later
// How a recording begins, what bounds it, and that nothing of it is left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import channels from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
	connect, connectWorker, get, openSession, pathOf, read, record, recordHere, serve, sleep, source, start, until
} from './lib.mjs';

const only = (records, kind) => records.filter(record => record.kind === kind);
const ALL = { cpu: 1, sockets: 1, files: 1 };

async function startServer(t, script = 'server.cjs') {
	const program = await start(script);

	t.after(program.end);
	program.port = (await program.next()).port;
	program.counts = () => {
		program.ask('counts');
		return program.next();
	};
	program.isAsBefore = async before => {
		await until(async () => isDeepStrictEqual(await program.counts(), before), 'all is as before', 10000).catch(() => {});
		assert.deepEqual(await program.counts(), before);
	};
	return program;
}

test('nothing is left behind', async t => {
	const program = await startServer(t), client = await connect(program.address);

	http.get({ host: '127.0.0.1', port: program.port, path: '/held' }).on('error', () => {});
	await until(async () => (await program.counts()).responses.length === 1, 'a response that is held');
	const before = await program.counts();

	await client.post('Runtime.addBinding', { name: 'tell' });
	const recording = await record(client.post, { ...ALL, binding: 'tell' });

	for (const path of ['/plain', '/wait', '/file', '/call', '/fetch', '/missing'])
		await get(program.port, path);
	const during = await program.counts();

	assert.deepEqual(during.globals, before.globals);
	assert.ok(during.sockets[0].includes('_unrefTimer'));
	assert.ok(during.channels.length > 10);
	assert.ok(during.process.includes('exit 1'));
	await recording.stop();
	assert.equal(await recording.state(), 3);
	// Agents of the program have come in between.
	assert.deepEqual(await program.counts(), before);
	// It may be asked for ever, and be done again.
	assert.equal((await recording.pull()).records.length, 0);
	const again = await record(client.post, ALL);

	await get(program.port, '/plain/again');
	assert.equal(only(await again.all(), 'S')[0].path, '/plain/again');
	await again.stop();
	assert.deepEqual(await program.counts(), before);
});

test('the caller is killed', async t => {
	const program = await startServer(t), before = await program.counts();
	// Asked from before: on a busy machine the recording may be over when its caller says that it began.
	const begins = until(async () => (await program.counts()).channels.length > 10, 'the recording');
	const caller = spawn(process.execPath, [pathOf('client.mjs'), program.address], { stdio: ['ignore', 'pipe', 'inherit'] });

	await Promise.all([begins, new Promise(done => caller.stdout.once('data', done))]);
	caller.kill('SIGKILL');
	await sleep(1600);
	assert.equal(program.child.exitCode, null, program.errors());
	assert.equal((await get(program.port, '/plain')).body, '/plain');
	await program.isAsBefore(before);
});

test('without a pull, the first event ends it', async t => {
	const port = await serve(t, http.createServer((request, response) => response.end()));
	const { post, close } = openSession(), quietMs = 600;

	t.after(close);
	for (const settings of [{}, { cpu: 1, sockets: 1 }]) {
		let recording, longest;

		// Where the machine stands still for so long, it has to end: then it is tried again.
		await until(async () => {
			let last = performance.now();

			longest = 0;
			recording = await record(post, { ...settings, quietMs });
			for (let i = 0; i < 6; i++) {
				await sleep(quietMs / 4);
				const begin = performance.now();

				await recording.pull();
				await get(port, '/');
				longest = Math.max(longest, performance.now() - last);
				last = begin;
			}
			return longest < quietMs || (await recording.stop(), false);
		}, 'pulls in time');
		assert.equal(await recording.state(), 1, 'it is pulled');
		await sleep(quietMs + 100);
		await get(port, '/');
		await until(async () => await recording.state() === 3, 'the end');
	}
});

test('with CPU of requests, callbacks without an event end it, too', async t => {
	const { post, close } = openSession();

	t.after(close);
	const recording = await record(post, { cpu: 1, quietMs: 100 });

	await sleep(150);
	for (let i = 0; i < 3000; i++)
		await null;
	await until(async () => await recording.state() === 3, 'the end');
});

test('what happens last is told when the process exits', async t => {
	for (const script of ['server.cjs', 'module.mjs']) {
		const program = await startServer(t, script), client = await connect(program.address);
		const told = [];

		client.onEvent = ({ method, params }) => {
			if (method === 'Runtime.bindingCalled')
				told.push(params.payload);
		};
		await client.post('Runtime.enable');
		await client.post('Runtime.addBinding', { name: 'tell' });
		await record(client.post, { binding: 'tell' });
		await get(program.port, '/plain/last');
		program.ask('exit');
		await until(() => told.length, 'the last text');
		client.close();
		assert.equal(await program.ended, 3);
		assert.equal(told.length, 1);
		assert.equal(only(read(told[0]).records, 'F').length, 1);
	}
});

test('ES modules and workers', async t => {
	const module = await startServer(t, 'module.mjs');
	const { post } = await connect(module.address), recording = await record(post, ALL);

	assert.equal((await get(module.port, '/plain/module')).body, '/plain/module');
	assert.equal(only(await recording.all(), 'S')[0].path, '/plain/module');
	await recording.stop();
	for (const kind of ['common', 'module']) {
		const program = await start('worker.cjs', kind);

		t.after(program.end);
		const { port } = await program.next(), client = await connect(program.address);
		const worker = await record(await connectWorker(client), ALL);

		assert.equal((await get(port, '/wait/worker')).body, 'answer 2 /wait/worker\n');
		await worker.has('Q');
		const { head } = await worker.stop();

		assert.equal(head.errors, 0);
		assert.equal(only(worker.records, 'S')[0].path, '/wait/worker');
		assert.equal(only(worker.records, 'Q').length, 1);
		client.close();
	}
});

test('where modules cannot be loaded, it says so, and nothing is left', () => {
	const program = { tell() {} }, process = { versions: { node: '18.20.0' } };
	const make = new Function('process', 'globalThis', `return ${source.slice(source.indexOf('(function'))}`);

	assert.deepEqual(make(process, program)({ binding: 'tell' }), { error: 'modules cannot be loaded' });
	assert.deepEqual(Object.keys(program), []);
	process.getBuiltinModule = () => ({});
	assert.deepEqual(make(process, program)({}), { error: 'Node.js is older than 18.7' });
});

test('a loop that never turns: the answer comes, and recording begins after it', async t => {
	const { post, close } = openSession();

	t.after(close);
	const recording = await record(post, { isPatient: false });

	assert.equal(await recording.state(), 0);
	assert.equal((await recording.pull()).records.length, 0);
	// Ended before it has begun.
	await recording.stop();
	assert.equal(channels.hasSubscribers('http.server.request.start'), false);
});

// ---- events that are made up: what is done with them needs no server ----

const begin = channels.channel('http.server.request.start'), end = channels.channel('http.server.response.finish');
const publish = (url, more = {}) => {
	const message = { request: { method: 'GET', url }, response: new EventEmitter(), socket: {}, ...more };

	begin.publish(message);
	return message;
};

test('texts are what they were', async () => {
	const texts = ['/a b', '/,;%"\\', '/\u00e4\u20ac\u{1f600}', '/\u0000\u007f\u0080\u07ff\uffff', '/~!', `/${'x'.repeat(300)}`];
	const records = await recordHere({}, () => {
		for (const text of [...texts, '/\ud800', texts[0], 17])
			end.publish(publish(text));
	});
	const paths = only(records, 'S').map(({ path }) => path);

	assert.deepEqual(paths, [...texts.slice(0, 5), texts[5].slice(0, 200), '/\ufffd', texts[0], '']);
});

test('bounds: events, texts, what is open', async () => {
	await recordHere({ most: 100 }, async recording => {
		for (let i = 0; i < 150; i++)
			publish('/');
		const { head, records } = await recording.pull();

		assert.deepEqual([records.length, head.lost, head.open], [100, 50, 150]);
		publish('/');
		assert.deepEqual([(await recording.pull()).records.length, (await recording.pull()).head.lost], [1, 0]);
	});
	await recordHere({}, async recording => {
		const emitters = [];

		for (let i = 0; i < 6000; i++)
			emitters.push(publish(`/users/${i}/orders`).response);
		const { head, records, nTexts } = await recording.pull();
		const paths = only(records, 'S').map(({ path }) => path);

		assert.equal(paths[1000], '/users/1000/orders');
		assert.equal(paths[1600], '/users/:n/orders');
		assert.ok(nTexts < 1510);
		assert.equal(head.open, 5000);
		assert.deepEqual(only(records, 'U').map(({ id }) => id), only(records, 'S').slice(0, 1000).map(({ id }) => id));
		assert.equal(emitters[999].listenerCount('close'), 0);
		assert.equal(emitters[1000].listenerCount('close'), 1);
		await recording.stop();
		assert.ok(emitters.every(emitter => emitter.listenerCount('close') === 0));
	});
	await recordHere({}, async recording => {
		for (let i = 0; i < 3000; i++)
			publish(`/${String.fromCharCode(...Array.from(String(i), c => 97 + Number(c)))}`);
		const { head, nTexts } = await recording.pull();

		assert.deepEqual([nTexts, head.leftOut, head.lost], [2000, 1001, 0]);
	});
	await recordHere({}, async recording => {
		const socket = channels.channel('net.client.socket');

		for (let i = 0; i < 600; i++)
			socket.publish({ socket: new EventEmitter() });
		assert.equal((await recording.pull()).head.sockets, 500);
	});
});

test('exceptions stay inside, and the text stays whole', async t => {
	const { post, close } = openSession();

	t.after(close);
	const recording = await record(post), bad = { get response() { throw new Error('planted'); } };

	publish('/first');
	begin.publish(bad);
	begin.publish(null);
	publish('/second');
	const { head, records } = await recording.stop();

	assert.equal(head.errors, 2);
	assert.deepEqual(only(records, 'S').map(({ path }) => path), ['/first', '/second']);
});

test('a pull in the middle of a handler takes nothing', async t => {
	const { post, close } = openSession();

	t.after(close);
	const recording = await record(post), response = new EventEmitter();
	let inner;

	// The listener of the script is set in the middle of its handler.
	response.on('newListener', () => { inner = inner || recording.text(); });
	publish('/before');
	publish('/middle', { response });
	const { head, records } = read(await inner);

	assert.deepEqual([head.isBusy, records.length], [1, 0]);
	assert.deepEqual(only(await recording.all(), 'S').map(({ path }) => path), ['/before', '/middle']);
	await recording.stop();
});

test('two recordings do not disturb each other', async t => {
	const port = await serve(t, http.createServer((request, response) => response.end('answer')));
	const { post, close } = openSession();

	t.after(close);
	const first = await record(post, ALL), second = await record(post, ALL);

	await get(port, '/a');
	await first.stop();
	await get(port, '/b');
	await second.stop();
	assert.deepEqual([first, second].map(({ records }) => only(records, 'S').map(({ path }) => path)), [['/a'], ['/a', '/b']]);
});
