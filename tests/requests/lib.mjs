// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of src/record/requests.cjs have in common: calls the script as flametty does, in this
// process or in a child with an inspector, and reads the text that it gives.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import inspector from 'node:inspector';
import net from 'node:net';
import { fileURLToPath } from 'node:url';

export const major = parseInt(process.versions.node, 10);
export const source = readFileSync(new URL('../../src/record/requests.cjs', import.meta.url), 'utf8');
export const URL_OF_SCRIPT = 'flametty:requests';
export const pathOf = name => fileURLToPath(new URL(name, import.meta.url));

export const sleep = ms => new Promise(done => setTimeout(done, ms));

// Wait until f() is true; fails after a while. What happens within a time on a quiet machine may need many
// times that on a busy one, so tests wait for it, not for a time.
export async function until(f, what, ms = 60000) {
	const end = Date.now() + ms;

	while (!await f()) {
		if (Date.now() > end)
			throw new Error(`waited too long: ${what || f}`);
		await sleep(5);
	}
}

// ---- the text ----

const HEAD = 'version now from state isBusy lost leftOut errors open sockets unseen pool user system'.split(' ');
// Fields of each letter. Those with a $ are texts.
const FIELDS = {
	S: 'id via $method $path remotePort localPort', O: 'id via $method $path remotePort localPort',
	F: 'id status $route', A: 'id $route', V: 'id a b c d',
	C: 'id owner via $method $host $path', B: 'id via $method $host $path',
	W: 'id socket isReused remotePort localPort', H: 'id status remotePort localPort', E: 'id $error',
	N: 'id owner', L: 'id $error $host', K: 'id $address', X: 'id $error', Z: 'id', P: 'id $address',
	I: 'duration $address', D: 'duration $host',
	Q: 'socket owner duration nWrites nBytes $address remotePort localPort', G: 'socket owner',
	T: 'duration $type owner', R: 'owner', U: 'id'
};

export function read(text) {
	if (!/^[!#-[\]-~]*$/.test(text))
		throw new Error(`not plain ASCII: ${text}`);
	const [first, ...others] = text.split(';'), head = {}, records = [], texts = ['', '(left out)'];

	first.split(',').forEach((value, i) => { head[HEAD[i]] = i ? Number(value) : value; });
	if (head.version !== 'v1' || first.split(',').length !== HEAD.length)
		throw new Error(`a head that is not known: ${first}`);
	let time = head.from;

	for (const line of others) {
		const kind = line[0];

		if (kind === 's') {
			texts.push(decodeURIComponent(line.slice(1)));
			continue;
		}
		const values = line.slice(1).split(',').map(Number), names = (FIELDS[kind] || '').split(' ');

		if (!FIELDS[kind] || values.length !== names.length + 1 || !values.every(Number.isSafeInteger))
			throw new Error(`a record that is not known: ${line}`);
		time += values[0];
		const record = { kind, time };

		names.forEach((name, i) => {
			const value = values[i + 1];

			if (name[0] === '$' && !(value in texts))
				throw new Error(`no such text: ${line}`);
			record[name.replace('$', '')] = name[0] === '$' ? texts[value] : value;
		});
		records.push(record);
	}
	return { head, records, nTexts: texts.length - 2 };
}

// ---- calling the script ----

// The loader of modules where the script has no way to one: a variable in a scope of a function of
// Node.js. Returns its object id.
async function findRequire(post) {
	const properties = async objectId => post('Runtime.getProperties', { objectId, ownProperties: true });
	const { result } = await post('Runtime.evaluate', { expression: 'process.cwd' });
	const inner = (await properties(result.objectId)).internalProperties;
	const scopes = inner.find(({ name }) => name === '[[Scopes]]').value.objectId;

	for (const { value } of (await properties(scopes)).result) {
		const found = value && value.objectId &&
			(await properties(value.objectId)).result.find(({ name }) => name === 'require');

		if (found)
			return found.value.objectId;
	}
	throw new Error('no require');
}

// Record the process that `post` sends calls of its inspector to. Returns pull(), all(), stop() and
// state(); all() has every record until now, and has(KIND, N) waits for N of them.
export async function record(post, settings = {}) {
	const { result: { value: hasLoader } } = await post('Runtime.evaluate', {
		expression: '!!(process.getBuiltinModule || (process.mainModule && process.mainModule.require))'
	});
	const end = `\n//# sourceURL=${URL_OF_SCRIPT}\n`;
	const { result, exceptionDetails } = hasLoader ?
		await post('Runtime.evaluate', { expression: `(${source}\n)(${JSON.stringify(settings)})${end}`, silent: true }) :
		await post('Runtime.callFunctionOn', {
			functionDeclaration: `${source}${end}`, silent: true,
			objectId: (await post('Runtime.evaluate', { expression: 'globalThis' })).result.objectId,
			arguments: [{ value: settings }, { objectId: await findRequire(post) }]
		});

	if (exceptionDetails)
		throw new Error(JSON.stringify(exceptionDetails));
	const call = async name => (await post('Runtime.callFunctionOn', {
		objectId: result.objectId, functionDeclaration: `function () { return this.${name}(); }`,
		returnByValue: true, silent: true
	})).result.value;
	const records = [];
	const take = text => {
		const part = read(text);

		records.push(...part.records);
		return part;
	};
	const recording = {
		records,
		pull: async (name = 'pull') => {
			let part = take(await call(name));

			while (part.head.isBusy)
				part = take(await call('pull'));
			return part;
		},
		text: () => call('pull'),
		state: () => call('state'),
		all: async () => { await recording.pull(); return records; },
		has: (kind, n = 1) => until(async () => (await recording.all()).filter(record => record.kind === kind).length >= n, `${n} ${kind}`),
		stop: async () => {
			const part = await recording.pull('stop');

			await until(async () => await call('state') === 3, 'all is removed');
			return part;
		}
	};

	if (settings.isPatient !== false)
		await until(async () => await call('state') !== 0, 'recording begins');
	return recording;
}

// The inspector of this thread.
export function openSession() {
	const session = new inspector.Session();

	session.connect();
	const post = (method, parameters) => new Promise((done, failed) => {
		session.post(method, parameters, (error, result) => {
			if (error)
				failed(Object.assign(new Error(error.message), error));
			else
				done(result);
		});
	});

	return { session, post, close: () => session.disconnect() };
}

// Record this thread while f(recording) runs. Returns all records.
export async function recordHere(settings, f) {
	const { post, close } = openSession(), recording = await record(post, settings);
	let head;

	try {
		await f(recording);
	} finally {
		// Otherwise what fails in one test would fail in those after it.
		({ head } = await recording.stop());
		close();
	}
	if (head.errors)
		throw new Error(`${head.errors} exceptions in the script`);
	return recording.records;
}

// ---- a child with an inspector ----

// A connection by WebSocket: texts of less than 64 MB, no extensions.
async function openSocket(address) {
	const url = new URL(address);
	const socket = await new Promise((done, failed) => {
		http.get({
			host: url.hostname, port: url.port, path: url.pathname, agent: false,
			headers: {
				Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13,
				'Sec-WebSocket-Key': randomBytes(16).toString('base64')
			}
		}).on('upgrade', (response, socket, head) => {
			socket.unshift(head);
			done(socket);
		}).on('error', failed);
	});
	let data = Buffer.alloc(0), parts = [];
	const other = { onMessage() {} };

	socket.on('error', () => {});
	socket.on('data', more => {
		data = Buffer.concat([data, more]);
		for (;;) {
			let length = data[1] & 127, at = 2;

			if (data.length < 10 && data.length < at + (length < 126 ? 0 : length === 126 ? 2 : 8))
				return;
			if (length === 126)
				[length, at] = [data.readUInt16BE(2), 4];
			else if (length === 127)
				[length, at] = [Number(data.readBigUInt64BE(2)), 10];
			if (data.length < at + length)
				return;
			const isLast = data[0] & 128, isText = (data[0] & 15) < 2;

			if (isText)
				parts.push(data.subarray(at, at + length));
			if (isText && isLast) {
				other.onMessage(Buffer.concat(parts).toString());
				parts = [];
			}
			data = data.subarray(at + length);
			if (data.length < 2)
				return;
		}
	});
	other.send = text => {
		const body = Buffer.from(text), head = Buffer.alloc(14);

		head[0] = 0x81;
		head[1] = 0x80 | 127;
		head.writeBigUInt64BE(BigInt(body.length), 2); // the mask is 0
		socket.write(Buffer.concat([head, body]));
	};
	other.close = () => socket.destroy();
	return other;
}

export async function connect(address) {
	const socket = await openSocket(address), waiting = new Map();
	const client = { onEvent() {}, close: socket.close };
	let lastId = 0;

	socket.onMessage = text => {
		const message = JSON.parse(text), answer = waiting.get(message.id);

		if (!answer) {
			client.onEvent(message);
			return;
		}
		waiting.delete(message.id);
		if (message.error)
			answer.failed(new Error(JSON.stringify(message.error)));
		else
			answer.done(message.result);
	};
	client.post = (method, params = {}) => new Promise((done, failed) => {
		waiting.set(++lastId, { done, failed });
		socket.send(JSON.stringify({ id: lastId, method, params }));
	});
	return client;
}

// The calls that go to a worker of the process at the other end: the first one that is there.
export async function connectWorker(client) {
	const waiting = new Map();
	let lastId = 0;
	const found = new Promise(done => {
		client.onEvent = ({ method, params }) => {
			if (method === 'NodeWorker.attachedToWorker')
				done(params.sessionId);
			if (method !== 'NodeWorker.receivedMessageFromWorker')
				return;
			const { id, result, error } = JSON.parse(params.message), answer = waiting.get(id);

			if (answer)
				error ? answer.failed(new Error(JSON.stringify(error))) : answer.done(result);
		};
	});

	await client.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
	const sessionId = await found;

	return (method, params = {}) => new Promise((done, failed) => {
		waiting.set(++lastId, { done, failed });
		client.post('NodeWorker.sendMessageToWorker', {
			sessionId, message: JSON.stringify({ id: lastId, method, params })
		}).catch(failed);
	});
}

// A program with an inspector. It prints lines of JSON, which next() gives one by one.
export async function start(script, ...words) {
	const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', pathOf(script), ...words],
		{ stdio: ['pipe', 'pipe', 'pipe'] });
	const lines = [], ended = new Promise(done => child.on('exit', (code, signal) => done(signal || code)));
	let out = '', errors = '';

	child.stdout.on('data', data => {
		out += data;
		const parts = out.split('\n');

		out = parts.pop();
		lines.push(...parts.map(line => JSON.parse(line)));
	});
	child.stderr.on('data', data => { errors += data; });
	await until(() => /ws:\S+/.test(errors), 'the inspector');
	return {
		child, ended,
		errors: () => errors,
		address: /ws:\S+/.exec(errors)[0],
		next: async () => {
			await until(() => lines.length > 0 || child.exitCode !== null, 'a line of the program');
			return lines.shift();
		},
		ask: question => child.stdin.write(`${JSON.stringify(question)}\n`),
		end: async () => {
			child.kill('SIGKILL');
			await ended;
		}
	};
}

// ---- servers and clients ----

export const listen = server => new Promise(done => server.listen(0, '127.0.0.1', () => done(server.address().port)));

// Listen until the test ends. Returns the port.
export async function serve(t, server) {
	const port = await listen(server);

	t.after(() => {
		server.close();
		if (server.closeAllConnections)
			server.closeAllConnections();
	});
	return port;
}

// A port on which nothing listens.
export async function closedPort() {
	const server = net.createServer(), port = await listen(server);

	await new Promise(done => server.close(done));
	return port;
}

// GET. Returns status and body. onHeaders() is called in between.
export const get = (port, path, more = {}, onHeaders = () => {}) => new Promise((done, failed) => {
	http.get({ host: '127.0.0.1', port, path, agent: false, ...more }, response => {
		let body = '';

		onHeaders();

		response.on('data', data => { body += data; });
		response.on('end', () => done({ status: response.statusCode, body }));
		response.on('error', failed);
	}).on('error', failed);
});

// A database: it answers each line after the milliseconds that the line says, one after another.
export function makeDatabase() {
	return net.createServer(socket => {
		let rest = '', last = Promise.resolve();

		socket.on('error', () => {});
		socket.on('data', data => {
			const lines = (rest + data).split('\n');

			rest = lines.pop();
			for (const line of lines) {
				last = last.then(() => sleep(Number(line.split(' ')[0])));
				last.then(() => socket.write(`answer ${line}\n`));
			}
		});
	});
}

// A pool of `n` connections to it, with a queue of queries.
export function makePool(port, n) {
	const idle = [], queue = [], all = [];

	function give(connection) {
		const next = queue.shift();

		if (next)
			send(connection, next);
		else
			idle.push(connection);
	}

	function send(connection, { line, done }) {
		connection.done = done;
		connection.socket.write(`${line}\n`);
	}

	for (let i = 0; i < n; i++) {
		const connection = { socket: new net.Socket(), done: null };

		connection.socket.connect(port, '127.0.0.1', () => give(connection));
		connection.socket.on('data', data => {
			const { done } = connection;

			done(String(data));
			give(connection);
		});
		all.push(connection);
	}
	return {
		sockets: all.map(({ socket }) => socket),
		query: line => new Promise(done => {
			queue.push({ line, done });
			if (idle.length)
				give(idle.shift());
		}),
		end: () => all.forEach(({ socket }) => socket.destroy())
	};
}
