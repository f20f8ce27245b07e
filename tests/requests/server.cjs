// SPDX-License-Identifier: GPL-2.0-or-later
// The server that the tests record. It prints its port, and answers each line on its standard input:
// `counts` with all that a recording could leave behind, `cpu` with the CPU that it has used, in
// microseconds, `memory` (with --expose-gc) with what is left after a collection, `exit` by ending. The
// argument is the port of a database; without one, it has its own.
'use strict';
const channels = require('diagnostics_channel');
const fs = require('fs');
const http = require('http');
const { createInterface } = require('readline');

const CHANNELS = [
	'http.server.request.start', 'http.server.response.finish', 'http.client.request.created',
	'http.client.request.start', 'http.client.response.finish', 'http.client.request.error',
	'http2.server.stream.start', 'http2.server.stream.close', 'http2.client.stream.created',
	'http2.client.stream.start', 'http2.client.stream.finish', 'http2.client.stream.close',
	'undici:request:create', 'undici:client:sendHeaders', 'undici:request:headers',
	'undici:request:trailers', 'undici:request:error', 'undici:client:connected', 'net.client.socket',
	'tracing:fastify.request.handler:start'
];

/* Node.js keeps the addresses that a getter has returned. */
const namesOf = object => Object.getOwnPropertyNames(object).filter(name => !/^_(peer|sock)name$/.test(name)).sort();
const listenersOf = emitter => emitter.eventNames().map(name => `${String(name)} ${emitter.listenerCount(name)}`).sort();

(async () => {
	const { listen, makeDatabase, makePool, until } = await import('./lib.mjs');
	const pool = makePool(Number(process.argv[2]) || await listen(makeDatabase()), 2), held = [];
	const agent = new http.Agent({ keepAlive: true });
	let port;
	const routes = {
		plain: (request, response) => response.end(request.url),
		wait: async (request, response) => response.end(await pool.query(`2 ${request.url}`)),
		file: (request, response) => fs.readFile(__filename, (error, data) => response.end(String(data).slice(0, 9))),
		call: (request, response) => {
			http.get({ host: '127.0.0.1', port, path: '/plain/inner', agent }, answer => answer.pipe(response));
		},
		fetch: async (request, response) => response.end(await (await fetch(`http://127.0.0.1:${port}/plain/fetched`)).text()),
		/* As an interface of a shop does: looks who asks, reads a list, makes JSON of it. */
		list: async (request, response) => {
			const user = await Promise.resolve({ id: request.url.split('/')[2] });

			await null;
			const answer = await pool.query(`0 ${user.id}`);
			const rows = Array.from({ length: 60 }, (none, i) => ({ id: i, name: `thing ${i}`, of: user.id, answer, price: i * 7 % 100 }));

			rows.sort((a, b) => a.price - b.price);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(rows));
		},
		missing: (request, response) => response.writeHead(404).end('no'),
		broken: (request, response) => response.destroy(),
		held: (request, response) => held.push(response)
	};
	const server = http.createServer((request, response) => {
		const route = routes[request.url.split('/')[1]];

		if (!route)
			throw new Error(`nobody should ask for ${request.url} ${JSON.stringify(request.headers)}`);
		route(request, response);
	});

	/* A client that stands still for seconds, on a busy machine, would ask on a connection that is closed. */
	server.keepAliveTimeout = 0;
	port = await listen(server);
	await until(() => pool.sockets.every(({ connecting }) => !connecting), 'the pool');

	/* Node.js makes some things at the first call. */
	await (await fetch(`http://127.0.0.1:${port}/plain`)).text();

	const counts = () => ({
		globals: Reflect.ownKeys(globalThis).map(String).sort(),
		process: [...listenersOf(process), ...Reflect.ownKeys(process).map(String).sort()],
		channels: CHANNELS.filter(name => channels.hasSubscribers(name)),
		sockets: pool.sockets.map(socket => [...listenersOf(socket), ...namesOf(socket)]),
		responses: held.map(response => [...listenersOf(response), ...namesOf(response)])
	});

	const memory = () => {
		global.gc();
		return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
	};

	createInterface({ input: process.stdin }).on('line', line => {
		const question = JSON.parse(line);

		if (question === 'exit')
			process.exit(3);
		console.log(JSON.stringify(question === 'cpu' ? process.cpuUsage() : question === 'memory' ? memory() : counts()));
	});
	console.log(JSON.stringify({ port }));
})();
