// SPDX-License-Identifier: GPL-2.0-or-later
// What is recorded of servers and calls by HTTP, and that the program gets the same answers.
import assert from 'node:assert/strict';
import channels from 'node:diagnostics_channel';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { test } from 'node:test';
import { closedPort, get, major, recordHere, serve, sleep, until } from './lib.mjs';

const only = (records, kind) => records.filter(record => record.kind === kind);
const of = (records, id) => records.filter(record => record.id === id).map(({ kind }) => kind).join('');

test('a request that is served: begin, end, status, ports', async t => {
	const server = http.createServer((request, response) => {
		response.statusCode = request.url === '/missing' ? 404 : 200;
		response.end('answer');
	});
	const port = await serve(t, server), agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	let before, after;
	const records = await recordHere({}, async () => {
		before = process.hrtime.bigint() / 1000n;
		assert.deepEqual(await get(port, '/a/b;c,d?secret=1', { agent }), { status: 200, body: 'answer' });
		assert.deepEqual(await get(port, '/missing', { agent }), { status: 404, body: 'answer' });
		await until(() => agent.freeSockets && Object.keys(agent.freeSockets).length, 'a free socket');
		after = process.hrtime.bigint() / 1000n;
	});
	const [first, second] = only(records, 'S'), ends = only(records, 'F');

	assert.equal(only(records, 'S').length, 2);
	assert.equal(first.method, 'GET');
	assert.equal(first.path, '/a/b;c,d');
	assert.equal(second.path, '/missing');
	assert.equal(first.localPort, port);
	assert.equal(first.remotePort, second.remotePort);
	assert.deepEqual(ends.map(({ id, status, route }) => [id, status, route]),
		[[first.id, 200, ''], [second.id, 404, '']]);
	assert.ok(before - 50n <= BigInt(first.time) && first.time <= ends[0].time && BigInt(ends[0].time) <= after + 50n,
		'times are those of the monotonic clock');
	agent.destroy();
});

test('query is kept when it is asked for; texts keep all characters', async t => {
	const server = http.createServer((request, response) => response.end());
	const port = await serve(t, server);
	const records = await recordHere({ query: 1 }, () => get(port, '/%C3%A4"\\;,?q=%'));

	assert.equal(only(records, 'S')[0].path, '/%C3%A4"\\;,?q=%');
});

test('routes: Express and Fastify say theirs', async t => {
	const server = http.createServer((request, response) => {
		if (request.url.startsWith('/shop')) {
			request.baseUrl = '/shop';
			request.route = { path: '/users/:id' };
		} else {
			channels.channel('tracing:fastify.request.handler:start')
				.publish({ request: { raw: request }, reply: { raw: response }, route: { url: '/things/:id', method: 'GET' } });
		}
		if (request.url.endsWith('end'))
			response.destroy();
		else
			response.end();
	});
	const port = await serve(t, server);
	const records = await recordHere({}, async recording => {
		await get(port, '/shop/users/1');
		await get(port, '/things/2');
		await get(port, '/things/end').catch(() => {});
		await recording.has('A');
	});

	assert.deepEqual(only(records, 'F').map(({ route }) => route), ['/shop/users/:id', '/things/:id']);
	assert.deepEqual(only(records, 'A').map(({ route }) => route), ['/things/:id']);
});

test('the trace that a request is a part of', async t => {
	const port = await serve(t, http.createServer((request, response) => response.end()));
	const trace = '4bf92f3577b34da6a3ce929d0e0e4736', parent = `00-${trace}-00f067aa0ba902b7-01`;
	const records = await recordHere({}, async () => {
		await get(port, '/one', { headers: { traceparent: parent } });
		await get(port, '/two', { headers: { Traceparent: parent } });
		await get(port, '/three', { headers: { traceparent: 'nonsense' } });
		await get(port, '/four');
	});
	const ids = only(records, 'S').filter(({ localPort }) => localPort === port).map(({ id }) => id);

	assert.equal(ids.length, 4);
	assert.deepEqual(only(records, 'V').map(({ id }) => id), ids.slice(0, 2));
	for (const { a, b, c, d } of only(records, 'V'))
		assert.equal([a, b, c, d].map(n => n.toString(16).padStart(8, '0')).join(''), trace);
});

test('a client that goes away: aborted', async t => {
	let isThere = false;
	const server = http.createServer(() => { isThere = true; });
	const port = await serve(t, server);
	const records = await recordHere({}, async recording => {
		const request = http.get({ host: '127.0.0.1', port, path: '/slow', agent: false });

		request.on('error', () => {});
		await until(() => isThere, 'the request');
		request.destroy();
		await recording.has('A');
		await recording.has('E');
	});
	const [{ id }] = only(records, 'S'), [call] = only(records, 'C');

	assert.equal(of(records, id), 'SA');
	assert.equal(of(records, call.id), 'CWE');
	assert.equal(only(records, 'E')[0].error, 'ECONNRESET');
});

test('a call: who makes it, host, connection, headers, end', async t => {
	let held;
	const inner = http.createServer((request, response) => {
		response.write('first');
		held = response;
	});
	const innerPort = await serve(t, inner), agent = new http.Agent({ keepAlive: true });
	const server = http.createServer(async (request, response) => {
		await sleep(1);
		// The rest comes 30 ms after the headers were read.
		response.end((await get(innerPort, '/stock?n=1', { agent }, () => setTimeout(() => held.end('last'), 30))).body);
	});
	const port = await serve(t, server);
	const records = await recordHere({}, async () => {
		assert.equal((await get(port, '/one')).body, 'firstlast');
		assert.equal((await get(port, '/two')).body, 'firstlast');
	});
	const served = only(records, 'S').filter(({ localPort }) => localPort === port);
	const calls = only(records, 'C').filter(({ path }) => path === '/stock');

	assert.deepEqual(calls.map(({ owner }) => owner), served.map(({ id }) => id));
	assert.equal(calls[0].host, `127.0.0.1:${innerPort}`);
	assert.equal(calls[0].via, 1);
	for (const call of calls) {
		assert.equal(of(records, call.id), 'CWHE');
		const [headers, end] = ['H', 'E'].map(kind => only(records, kind).find(({ id }) => id === call.id));

		assert.equal(headers.status, 200);
		assert.equal(end.error, '');
		assert.ok(end.time - headers.time > 20000, 'the body takes 30 ms');
	}
	const [first, second] = calls.map(call => only(records, 'W').find(({ id }) => id === call.id));

	assert.deepEqual([first.isReused, second.isReused], [0, 1]);
	assert.equal(first.socket, second.socket);
	assert.deepEqual([first.remotePort, second.remotePort], [0, innerPort], 'it connects');
	for (const { remotePort, localPort } of only(records, 'H').filter(({ id }) => calls.some(call => call.id === id)))
		assert.deepEqual([remotePort, localPort], [innerPort, second.localPort]);
	assert.ok(second.localPort > 0);
	assert.equal(of(records, first.socket), 'NK');
	assert.equal(only(records, 'K').find(({ id }) => id === first.socket).address, `127.0.0.1:${innerPort}`);
	agent.destroy();
});

test('a call waits in the queue of its agent', { skip: major < 22 && 'no channel tells of it' }, async t => {
	const server = http.createServer((request, response) => setTimeout(() => response.end(), 30));
	const port = await serve(t, server), agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	const records = await recordHere({}, () => Promise.all([get(port, '/1', { agent }), get(port, '/2', { agent })]));
	const [, second] = only(records, 'C'), written = only(records, 'W').find(({ id }) => id === second.id);

	assert.ok(written.time - second.time > 20000);
	agent.destroy();
});

test('an answer that breaks off', async t => {
	const server = http.createServer((request, response) => {
		response.writeHead(200, { 'Content-Length': 100 });
		response.write('some');
		setTimeout(() => response.destroy(), 20);
	});
	const port = await serve(t, server);
	const records = await recordHere({}, async recording => {
		await assert.rejects(get(port, '/'));
		await recording.has('E');
	});

	assert.equal(of(records, only(records, 'C')[0].id), 'CWHE');
	assert.equal(only(records, 'E')[0].error, 'aborted');
});

test('fetch: answer, abort, refused connection', async t => {
	const control = new AbortController();
	const server = http.createServer((request, response) => {
		if (request.url !== '/slow')
			response.end('answer');
		else
			control.abort();
	});
	const port = await serve(t, server), closed = await closedPort();
	const records = await recordHere({}, async recording => {
		const answer = await fetch(`http://127.0.0.1:${port}/a?b`);

		assert.equal(await answer.text(), 'answer');
		await assert.rejects(fetch(`http://127.0.0.1:${port}/slow`, { signal: control.signal }), { name: 'AbortError' });
		await assert.rejects(fetch(`http://127.0.0.1:${closed}/`), { name: 'TypeError' });
		await recording.has('E', 3);
	});
	const calls = only(records, 'C');
	const errors = calls.map(call => only(records, 'E').find(({ id }) => id === call.id).error);

	assert.deepEqual(calls.map(({ via, method, path }) => [via, method, path]), [[3, 'GET', '/a'], [3, 'GET', '/slow'], [3, 'GET', '/']]);
	assert.equal(calls[0].host, `127.0.0.1:${port}`);
	assert.equal(of(records, calls[0].id), 'CWHE');
	assert.ok(only(records, 'W').every(({ remotePort, localPort }) => remotePort === port && localPort > 0));
	assert.equal(of(records, calls[1].id), 'CWE');
	assert.equal(errors[0], '');
	assert.ok(/Abort|ABORT|20/.test(errors[1]), errors[1]);
	assert.equal(errors[2], 'ECONNREFUSED');
});

test('refused, and names that there are not', async t => {
	const closed = await closedPort();
	// Without a server of names, the answer takes its time.
	const records = await recordHere({ quietMs: 60000 }, async recording => {
		await assert.rejects(get(closed, '/'), { code: 'ECONNREFUSED' });
		await assert.rejects(get(80, '/', { host: 'no-such-name.invalid' }), { syscall: 'getaddrinfo' });
		await recording.has('E', 2);
		await recording.has('Z', 2);
	});
	const [first, second] = only(records, 'C'), [socket, unnamed] = only(records, 'N');
	const errorOf = call => only(records, 'E').find(({ id }) => id === call.id).error;

	assert.equal(errorOf(first), 'ECONNREFUSED');
	assert.match(errorOf(second), /^(ENOTFOUND|EAI_AGAIN)$/);
	assert.equal(of(records, socket.id), 'NXZ');
	assert.match(of(records, unnamed.id), /^NLXZ$/);
	assert.equal(only(records, 'L')[0].host, 'no-such-name.invalid');
	assert.match(only(records, 'L')[0].error, /^(ENOTFOUND|EAI_AGAIN)$/);
});

test('names that are looked up, and connections without a channel', async t => {
	const server = net.createServer(socket => socket.destroy());
	const port = await serve(t, server);
	const records = await recordHere({}, async recording => {
		await new Promise(done => new net.Socket().connect(port, 'localhost').on('error', () => {}).on('close', done));
		await new Promise(done => net.connect(port, '127.0.0.1').on('error', () => {}).on('close', done));
		await recording.has('D');
		await recording.has('K', major < 22 ? 1 : 2);
		await sleep(30); // whether there are more of them
	});

	assert.deepEqual(only(records, 'D').map(({ host }) => host), ['localhost']);
	// Each connection once: those of net.connect() have a channel in all versions.
	assert.equal(only(records, 'I').length, major < 22 ? 1 : 0);
	assert.equal(only(records, 'K').length, major < 22 ? 1 : 2);
});

test('HTTP/2', async t => {
	const server = http2.createServer((request, response) => {
		response.statusCode = request.url === '/no' ? 404 : 200;
		response.end('answer');
	});
	const port = await serve(t, server);
	let unseen;
	const records = await recordHere({}, async recording => {
		const session = http2.connect(`http://127.0.0.1:${port}`);

		for (const path of ['/yes?a', '/no']) {
			await new Promise(done => session.request({ ':path': path }).on('close', done).resume());
		}
		session.close();
		await (major < 22 ? until(async () => (unseen = (await recording.pull()).head.unseen) >= 4, 'streams') : Promise.all([recording.has('E', 2), recording.has('F', 2)]));
		unseen = (await recording.pull()).head.unseen;
	});

	if (major < 22) {
		// Both ends of two streams.
		assert.equal(unseen, 4);
		assert.equal(only(records, 'S').length, 0);
	} else {
		const served = only(records, 'S'), calls = only(records, 'C');

		assert.equal(unseen, 0);
		assert.deepEqual(served.map(({ via, method, path, localPort }) => [via, method, path, localPort]),
			[[2, 'GET', '/yes', port], [2, 'GET', '/no', port]]);
		assert.deepEqual(only(records, 'F').map(({ id, status }) => [id, status]), [[served[0].id, 200], [served[1].id, 404]]);
		assert.deepEqual(calls.map(({ via, host, path }) => [via, host, path]),
			[[2, `127.0.0.1:${port}`, '/yes'], [2, `127.0.0.1:${port}`, '/no']]);
		assert.equal(of(records, calls[1].id), 'CWHE');
		assert.deepEqual(only(records, 'H').map(({ status }) => status), [200, 404]);
	}
});

test('HTTPS is as HTTP', async t => {
	// A server without a certificate: the handshake fails, and the call has its error.
	const server = https.createServer(() => {}), port = await serve(t, server);

	server.on('tlsClientError', () => {});
	const records = await recordHere({}, async recording => {
		await assert.rejects(new Promise((done, failed) => https.get({ host: '127.0.0.1', port, agent: false }, done).on('error', failed)));
		await recording.has('E');
	});
	const [call] = only(records, 'C');

	assert.equal(of(records, call.id), 'CWE');
	assert.notEqual(only(records, 'E')[0].error, '');
});

test('what is open at the beginning', async t => {
	const answers = [];
	const server = http.createServer((request, response) => answers.push(response)), port = await serve(t, server);
	const body = get(port, '/early?x');

	await until(() => answers.length, 'a request');
	const records = await recordHere({}, async recording => {
		answers[0].end('answer');
		assert.equal((await body).body, 'answer');
		await recording.has('F');
		await recording.has('E');
	});
	const [served] = only(records, 'O'), [call] = only(records, 'B');

	assert.deepEqual([served.method, served.path, served.localPort], ['GET', '/early', port]);
	assert.deepEqual([call.method, call.path, call.host], ['GET', '/early', `127.0.0.1:${port}`]);
	assert.equal(of(records, served.id), 'OF');
	assert.equal(of(records, call.id), 'BHE');
});
