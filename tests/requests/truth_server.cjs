// SPDX-License-Identifier: GPL-2.0-or-later
// The server of truth.mjs: its routes spend and wait for what is known. Each line on its standard input
// is answered with its burns, [ROUTE, BEGIN, END] in microseconds of CLOCK_MONOTONIC, and the rest of
// what a recording could leave behind.
//
// usage: truth_server.cjs plain|express|fastify|worker PORTS
//        PORTS: of the other servers, as JSON. MODULES: the folder with node_modules of the frameworks
'use strict';
const channels = require('diagnostics_channel');
const crypto = require('crypto');
const dns = require('dns');
const fs = require('fs');
const http = require('http');
const { createRequire } = require('module');
const { createInterface } = require('readline');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const [kind, words] = isMainThread ? process.argv.slice(-2) : ['plain', workerData];
const ports = JSON.parse(words);
const sleep = ms => new Promise(done => setTimeout(done, ms));
const now = () => Number(process.hrtime.bigint() / 1000n);
const burns = [];

function burn(route, ms) {
	const begin = now(), end = begin + ms * 1000;

	for (let x = 0; now() < end;)
		for (let i = 0; i < 2000; i++)
			x += i % 7;
	burns.push([route, begin, now()]);
}

const slowReport = () => burn('burn60', 60);
const heap = [];

// Objects that live for some collections.
function keepRows() {
	const rows = [];

	for (let i = 0; i < 20000; i++)
		rows.push({ id: i, name: `row ${i}`, parts: [i, i + 1] });
	heap.push(rows);
	if (heap.length > 6)
		heap.shift();
}

function makeRoutes({ makePool }) {
	const pool = makePool(ports.database, 2), agent = new http.Agent({ keepAlive: true });
	const resolver = new dns.promises.Resolver();
	const call = options => new Promise((done, failed) => {
		http.get({ host: '127.0.0.1', agent, ...options }, answer => answer.resume().on('end', done)).on('error', failed);
	});
	const lookup = (host, options, done) => {
		resolver.resolve4(host).then(([address]) => done(null, options.all ? [{ address, family: 4 }] : address, 4), done);
	};

	if (ports.names)
		resolver.setServers([`127.0.0.1:${ports.names}`]);
	return {
		async burn2() { await null; burn('burn2', 2); },
		async burn10() { await sleep(3); burn('burn10', 10); await null; },
		async burn60() { await null; slowReport(); },
		async backend() { await call({ port: ports.backend, path: '/stock' }); },
		async pool() { await pool.query('30 x'); },
		async hash() {
			await Promise.all(Array.from({ length: 6 }, () => new Promise(done => {
				crypto.pbkdf2('password', 'salt', 100000, 32, 'sha512', done);
			})));
		},
		async file() { await fs.promises.stat(__filename); },
		async name() { await call({ host: 'slow.example', port: ports.names ? ports.backend : 1, path: '/quick', agent: false, lookup }); },
		async keep() { await null; keepRows(); },
		async retry() {
			for (let i = 0; i < 20; i++) {
				await call({ port: 1, path: '/gone', agent: false }).catch(() => {});
				await sleep(5);
			}
		}
	};
}

async function listen(routes) {
	const answer = async (path, response) => {

		await (routes[path] || (() => {}))();
		response.end(`done ${path}`);
	};
	const local = { host: '127.0.0.1', port: 0 };

	if (kind === 'express') {
		const app = createRequire(`${process.env.MODULES}/x.js`)('express')();

		for (const path of Object.keys(routes))
			app.get(`/${path}/:id`, (request, response) => { answer(path, response); });
		return new Promise(done => { const server = app.listen(0, '127.0.0.1', () => done(server)); });
	}
	if (kind === 'fastify') {
		const app = createRequire(`${process.env.MODULES}/x.js`)('fastify')();

		for (const path of Object.keys(routes))
			app.get(`/${path}/:id`, async () => { await (routes[path] || (() => {}))(); return `done ${path}`; });
		await app.listen(local);
		return app.server;
	}
	const server = http.createServer((request, response) => answer(request.url.split('/')[1], response));

	return new Promise(done => server.listen(local, () => done(server)));
}

const CHANNELS = ['http.server.request.start', 'http.server.response.finish', 'http.client.request.start', 'net.client.socket'];
const listenersOf = emitter => emitter.eventNames().map(name => `${String(name)} ${emitter.listenerCount(name)}`).sort();
const left = server => ({
	globals: Reflect.ownKeys(globalThis).map(String).sort(), process: listenersOf(process), server: listenersOf(server),
	channels: CHANNELS.filter(name => channels.hasSubscribers(name))
});

(async () => {
	if (kind === 'worker') {
		const worker = new Worker(__filename, { workerData: words });

		worker.on('message', message => console.log(message));
		createInterface({ input: process.stdin }).on('line', () => worker.postMessage(''));
		return;
	}
	const server = await listen(makeRoutes(await import('./lib.mjs')));
	const tell = message => isMainThread ? console.log(JSON.stringify(message)) : parentPort.postMessage(JSON.stringify(message));
	const answer = () => tell({ burns, left: left(server) });

	if (isMainThread)
		createInterface({ input: process.stdin }).on('line', answer);
	else
		parentPort.on('message', answer);
	tell({ port: server.address().port });
})();
