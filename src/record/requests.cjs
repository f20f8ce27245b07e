/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process or worker of Node.js serves and waits for, on the clock of its CPU profile. Needs
 * Node.js 18.7 or later.
 *
 * 1  CALLING IT
 *
 * The file is one expression: a function that is called with settings, and with a function that
 * loads modules where there is no other way to one (ES modules in Node.js 18). The caller keeps the
 * object that it returns; nothing is global. It may be called inside Runtime.evaluate.
 *
 *   owners    0: do not follow which request causes what; owners are 0 then        default 1
 *   cpu       1: R records: whose CPU it is                                        default 0
 *   sockets   1: Q, G, P records: waits on connections of protocols but HTTP       default 0
 *   files     1: T records: jobs of the pool of threads                            default 0
 *   query     1: paths keep what follows `?`                                       default 0
 *   atOnce    1: begin before it returns; not inside an evaluate                   default 0
 *   binding   name of a binding of the inspector (Runtime.addBinding). It is taken from the global
 *             object, and called with the last text in the event `exit`
 *   quietMs   without a pull() for so long, the next event removes all             default 10000
 *   most      events that are kept between two calls of pull()                     default 100000
 *
 *   pull()    the text of section 2, of what happened since the last call
 *   stop()    ends it; gives the last text. All is removed in the next turn of the loop
 *   state()   0: begins in the next turn, 1: records, 2: ends in the next turn, 3: is removed
 *   error     why nothing is recorded; then there is no other member
 *
 * 2  THE TEXT
 *
 * ASCII without quotes and backslashes, so JSON does not change it. It is complete by itself, but
 * for ids of what was open before. Records are separated by `;`, fields by `,`. A field is a
 * decimal number, negative only where that is said. Times are microseconds of CLOCK_MONOTONIC, as
 * startTime of V8's profiles. The first record is
 *
 *   v1,NOW,FROM,STATE,IS_BUSY,LOST,LEFT_OUT,ERRORS,OPEN,SOCKETS,UNSEEN,POOL,USER,SYSTEM
 *
 *   NOW        time of the pull
 *   FROM       time to which the first record below adds
 *   STATE      as state()
 *   IS_BUSY    1: the pull came in the middle of a record. No other record follows; pull again
 *   LOST       events since the last text that had no room
 *   LEFT_OUT   texts since the last text that had no room: their number is 1
 *   ERRORS     exceptions inside this file, since it began
 *   OPEN       requests and calls that are open
 *   SOCKETS    sockets that are followed
 *   UNSEEN     streams of HTTP/2 that ended without records, since it began: Node.js 18 and 20
 *   POOL       threads of the pool
 *   USER, SYSTEM   CPU of the process, microseconds since it began
 *
 * All others begin with a letter. `s` is followed by a text: that of the first `s` is number 2, of
 * the next 3, and so on; it comes before the record that has its number. Bytes of UTF-8 outside of
 * ! to ~, and , ; % " \ are %XX. At most 200 characters. Number 0 is no text.
 *
 * After the other letters comes the difference to the time of the record before (of whatever letter
 * but s), which may be negative, then:
 *
 *   Requests that are served. VIA: 1 HTTP/1, 2 HTTP/2
 *   S ID,VIA,METHOD,PATH,REMOTE_PORT,LOCAL_PORT   begins: its headers were read
 *   O ID,VIA,METHOD,PATH,REMOTE_PORT,LOCAL_PORT   is open already when recording begins
 *   F ID,STATUS,ROUTE   the response is written
 *   A ID,ROUTE          closed before that
 *   V ID,TRACE          its trace, by the header traceparent: 128 bits in four numbers
 *   Calls of other servers. VIA: 1 HTTP/1, 2 HTTP/2, 3 fetch
 *   C ID,OWNER,VIA,METHOD,HOST,PATH   begins
 *   B ID,VIA,METHOD,HOST,PATH         is open already when recording begins
 *   W ID,SOCKET,IS_REUSED,REMOTE_PORT,LOCAL_PORT   has a connection, and is written. SOCKET: 0
 *                  not followed. IS_REUSED: the connection has had a call before; by fetch only
 *                  with a SOCKET. The ports are 0 while it connects, and those of HTTP/2
 *   H ID,STATUS,REMOTE_PORT,LOCAL_PORT   the headers of the answer are read. Ports of fetch: 0
 *   E ID,ERROR     ended
 *   Connections that this process makes
 *   N ID,OWNER        begins
 *   L ID,ERROR,HOST   the name is looked up
 *   K ID,ADDRESS      connected
 *   X ID,ERROR        failed
 *   Z ID              closed
 *   P ID,ADDRESS      is there already when it is found
 *   I DURATION,ADDRESS   connected; its socket is not followed. The time is that of its begin
 *   D DURATION,HOST      a name was looked up. The time is that of its begin
 *   Waits on connections
 *   Q SOCKET,OWNER,DURATION,WRITES,BYTES,ADDRESS,REMOTE_PORT,LOCAL_PORT
 *                   from the first of WRITES, which is the time of the record, to the last read
 *                   before the next write. BYTES: read. OWNER is negative when it is not sure:
 *                   written while an answer was handled; without `cpu`, always
 *   G SOCKET,OWNER  the first promise that went on after an answer: what OWNER waited for
 *   Threads, CPU, bounds
 *   T DURATION,TYPE,OWNER   a job of the pool. The time is that of its begin
 *   R OWNER   from now on the thread runs for OWNER, until the next R
 *   U ID      still open, but not followed any more: too many are open
 *
 * IDs are unique in a thread. OWNER is the ID of a request that is served, or 0; it may have ended.
 * ROUTE is what Express (req.route) or Fastify 5 (its channel) calls it, such as /users/:id, or 0.
 * ERROR is a code, such as ECONNREFUSED, `aborted` for an answer that is not complete, `closed` for
 * one that did not come; 0: none. ADDRESS is HOST:PORT, [HOST]:PORT or `unix`.
 * Paths are as the request has them: the reader makes `:n` of numbers and ids. Only when 1,500
 * texts are new since the last pull, parts of paths with a digit become `:n` here.
 *
 * 3  HOW IT KEEPS OUT OF THE WAY
 *
 *   1. It reads channels and performance entries. On objects of the program it sets listeners to
 *      `close`, `lookup` and `connect`, which change nothing, and errorMonitor, which handles
 *      nothing; and with `sockets` an own property `_unrefTimer` of client sockets.
 *   2. An evaluate interrupts whatever runs, also the publishing of a channel, and Node.js 18
 *      throws into the program when a channel loses its last subscriber then. So all is begun and
 *      ended in an immediate.
 *   3. There is no timer. When the caller is gone, the first event after `quietMs` ends it.
 *   4. Bounds: `most` events, 2,000 texts and 4 MB in a text, 5,000 open requests and calls, 500
 *      sockets, 5,000 jobs of the pool.
 *   5. The text is written as it happens, into one array of bytes: events make no garbage. */
(function flamettyRequests(settings, require) {
	'use strict';

	const TEXTS_MOST = 2000, TEXTS_SPARSE = 1500, TEXT_MOST = 200;
	const OPEN_MOST = 5000, SOCKETS_MOST = 500, LOOK_US = 100000, IDLE_US = 2000;
	const BYTES_FIRST = 1 << 15, BYTES_MOST = 1 << 22, RECORD_BYTES = 200;
	const CALLS_BETWEEN_LOOKS = 1023; /* of the hook, between looks at the clock; 2^n - 1 */
	const HTTP1 = 1, HTTP2 = 2, FETCH = 3;
	const LEFT_OUT = 1; /* number of a text that has no room */
	const { cpu, sockets: withSockets, files, query, binding } = settings;
	const quietUs = (settings.quietMs || 10000) * 1000, most = settings.most || 100000;
	const here = globalThis, proc = process, tell = binding ? here[binding] : undefined;

	if (tell)
		delete here[binding];

	/* ---- modules ---- */

	const { mainModule: main } = proc;
	const load = require || (proc.getBuiltinModule && (name => proc.getBuiltinModule(name))) ||
		(main && main.require && (name => main.require(name)));
	if (!load)
		return { error: 'modules cannot be loaded' };
	const [channels, hooks, perf, events, timers, { Buffer }] = [
		'diagnostics_channel', 'async_hooks', 'perf_hooks', 'events', 'timers', 'buffer'
	].map(name => load(name));

	if (!channels.subscribe)
		return { error: 'Node.js is older than 18.7' };
	const { errorMonitor } = events, later = timers.setImmediate, since = perf.performance;
	const major = parseInt(proc.versions.node, 10);

	/* ---- clock ---- */

	/* CLOCK_MONOTONIC minus performance.now(). First tries are slow: the shortest counts. */
	const offset = (() => {
		let best = Infinity, found = 0;

		for (let i = 0; i < 5; i++) {
			const before = since.now(), [s, ns] = proc.hrtime(), after = since.now();

			if (after - before < best) {
				best = after - before;
				found = s * 1e6 + ns / 1e3 - (before + after) * 500;
			}
		}
		return found;
	})();
	const now = () => Math.round(offset + since.now() * 1000);

	/* ---- the text ---- */

	let bytes = new Uint8Array(BYTES_FIRST);
	let length = 0, end = 0; /* of complete records; of what is written */
	let nRecords = 0, nLost = 0, nLeftOut = 0, nErrors = 0;
	let lastTime = now(), from = lastTime, lastPull = lastTime;
	let depth = 0; /* handlers that run: what they have written is not complete */
	const numbers = new Map(); /* of texts */

	/* Make room. Without it, nothing is written. */
	function hasRoom(n) {
		if (end + n <= bytes.length)
			return true;
		if (bytes.length * 2 > BYTES_MOST)
			return false;
		const larger = new Uint8Array(bytes.length * 2);

		larger.set(bytes);
		bytes = larger;
		return true;
	}

	function putNumber(n) {
		if (n < 0) {
			bytes[end++] = 45; /* - */
			n = -n;
		}
		if (!(n < 1e15)) /* NaN, too */
			n = 0;
		let digits = 1;

		for (let limit = 10; n >= limit; limit *= 10)
			digits++;
		for (let i = end + digits - 1; i >= end; i--) {
			const rest = n < 1 << 30 ? n / 10 | 0 : Math.floor(n / 10);

			bytes[i] = 48 + (n - rest * 10);
			n = rest;
		}
		end += digits;
	}

	const ESCAPED = /[^!#$&-+\--:<-[\]-~]/gu;
	const escaped = c => /[\ud800-\udfff]/u.test(c) ? '%EF%BF%BD' : encodeURIComponent(c);
	const isAscii = new Uint8Array(128).fill(1);
	const isPlain = isAscii.map((yes, c) => String.fromCharCode(c).replace(ESCAPED, '').length);

	/* Write a text until the first character that is not allowed. Returns whether all are. */
	function copy(s, isAllowed) {
		for (let i = 0; i < s.length; i++) {
			const c = s.charCodeAt(i);

			if (c > 127 || isAllowed[c] === 0)
				return false;
			bytes[end++] = c;
		}
		return true;
	}

	/* The number of a text. Anything that is no string, or has no characters, is none. */
	function text(s) {
		if (typeof s !== 'string' || s === '')
			return 0;
		if (s.length > TEXT_MOST)
			s = s.slice(0, TEXT_MOST);
		let number = numbers.get(s);

		if (number !== undefined)
			return number;
		if (numbers.size >= TEXTS_MOST || !hasRoom(TEXT_MOST * 9 + 2)) {
			nLeftOut++;
			return LEFT_OUT;
		}
		bytes[end++] = 59; /* ; */
		bytes[end++] = 115; /* s */
		const begin = end;

		if (!copy(s, isPlain)) {
			end = begin;
			copy(s.replace(ESCAPED, escaped), isAscii);
		}
		length = end;
		number = numbers.size + 2;
		numbers.set(s, number);
		return number;
	}

	function field(n) {
		if (n !== undefined) {
			bytes[end++] = 44; /* , */
			putNumber(n);
		}
	}

	/* Write a record, with the fields that are given. */
	function put(letter, time, a, b, c, d, e, f, g, h) {
		if (nRecords >= most || !hasRoom(RECORD_BYTES)) {
			nLost++;
			return;
		}
		nRecords++;
		bytes[end++] = 59;
		bytes[end++] = letter;
		putNumber(time - lastTime);
		field(a), field(b), field(c), field(d), field(e), field(f), field(g), field(h);
		lastTime = time;
		length = end;
	}

	const [S, O, F, A, V, C, B, W, H, E, N, L, K, X, Z, P, I, D, Q, G, T, R, U] =
		Array.from('SOFAVCBWHENLKXZPIDQGTRU', letter => letter.charCodeAt(0));

	/* ---- life ---- */

	let isOn = false, isOff = false, isRemoved = false;
	const isQuiet = time => time - lastPull > quietUs;

	/* Wrap what handles an event: it gets the time and the arguments of the event, no exception
	 * leaves it, and after the end it does nothing. */
	function handler(f) {
		return (a, b, c, d) => {
			if (isOff)
				return;
			depth++;
			try {
				const time = now();

				if (isQuiet(time))
					stop();
				else
					f(time, a, b, c, d);
			} catch (error) {
				nErrors++;
				end = length;
			}
			depth--;
		};
	}

	/* ---- owners ---- */

	let storage = null, hook = null; /* of async_hooks */
	let running = -1, nCalls = 0; /* the owner of the last R; calls of the hook */
	let answered = null; /* the socket whose answer is handled in this callback */
	const owner = () => (storage && storage.getStore()) || 0;

	/* From now on the callback, and what it starts, is for a request. */
	function enter(time, id) {
		if (storage)
			storage.enterWith(id);
		run(time, id);
	}

	function run(time, id) {
		if (cpu && id !== running) {
			running = id;
			put(R, time, id);
		}
	}

	/* What waits for an answer goes on in a promise, after ticks. Other callbacks have nothing
	 * to do with it. */
	function findWaiter(time, id) {
		const resource = hooks.executionAsyncResource();

		if (resource instanceof Promise) {
			if (id > 0) {
				put(G, time, answered.id, id);
				answered = null;
			}
		} else if (!resource || resource.constructor !== Object || !resource.callback) {
			answered = null;
		}
	}

	const change = handler((time, id) => {
		if (answered !== null)
			findWaiter(time, id);
		run(time, id);
	});

	/* Before each callback. Mostly it is for the same request as the one before. */
	function before() {
		const id = storage.getStore() || 0;

		if (id !== running || answered !== null || (++nCalls & CALLS_BETWEEN_LOOKS) === 0)
			change(id);
	}

	/* ---- what is open ---- */

	/* Object to id. Each entry goes when its object ends or closes. A WeakMap would cost the
	 * collector more than these references. */
	const open = new Map(), routes = new Map();
	let lastId = 0;
	const served = handler((time, response) => {
		response.removeListener('close', onServed);
		abort(time, response);
	});
	const called = handler((time, request) => {
		leave(request);
		endCall(time, request, text(lackOf(request)));
	});
	const broken = handler((time, request, error) => failed(time, { request, error }));
	const onServed = function () { served(this); }, onCalled = function () { called(this); };
	const onFailed = function (error) { broken(this, error); };

	/* Follow an object. listener: of its event `close`. */
	function follow(time, object, listener) {
		if (open.size >= OPEN_MOST) {
			const [[oldest, id]] = open;

			open.delete(oldest);
			routes.delete(oldest);
			leave(oldest);
			put(U, time, id);
		}
		open.set(object, ++lastId);
		if (listener)
			object.on('close', listener);
		return lastId;
	}

	/* The listener goes when the object closes, which it does in the same turn. */
	function unfollow(object) {
		const id = open.get(object);

		open.delete(object);
		return id;
	}

	function leave(object) {
		if (typeof object.removeListener !== 'function')
			return;
		object.removeListener('close', onServed);
		object.removeListener('close', onCalled);
		if (major < 20)
			object.removeListener(errorMonitor, onFailed);
	}

	/* ---- requests that are served ---- */

	function path(url) {
		if (typeof url !== 'string')
			return 0;
		if (!query) {
			const at = url.indexOf('?');

			if (at >= 0)
				url = url.slice(0, at);
		}
		if (numbers.size >= TEXTS_SPARSE)
			url = url.replace(/\/[^/]*\d[^/]*/g, '/:n');
		return text(url);
	}

	function routeOf(response) {
		const { req } = response, route = routes.get(response);

		if (route !== undefined) {
			routes.delete(response);
			return text(route);
		}
		if (!req || !req.route || typeof req.route.path !== 'string')
			return 0;
		return text((typeof req.baseUrl === 'string' ? req.baseUrl : '') + req.route.path);
	}

	/* parent: the header traceparent, as 00-TRACE-SPAN-FLAGS. */
	function serve(time, id, via, verb, target, parent, { remotePort = 0, localPort = 0 }) {
		const method = text(verb), url = path(target);
		const hex = /^\w\w-(\w{8})(\w{8})(\w{8})(\w{8})-/.exec(parent);

		put(S, time, id, via, method, url, remotePort, localPort);
		if (hex)
			put(V, time, id, ...hex.slice(1).map(n => parseInt(n, 16)));
		enter(time, id);
	}

	function begin(time, { request, response, socket }) {
		const { method, url, rawHeaders: raw = [] } = request;
		const id = follow(time, response, onServed);
		const at = Math.max(raw.indexOf('traceparent'), raw.indexOf('Traceparent'));

		serve(time, id, HTTP1, method, url, raw[at + 1], socket);
	}

	function finish(time, { response }) {
		const id = unfollow(response);

		if (id !== undefined)
			put(F, time, id, Number(response.statusCode) || 0, routeOf(response));
	}

	function abort(time, response) {
		const id = unfollow(response);

		if (id !== undefined)
			put(A, time, id, routeOf(response));
	}

	/* Fastify has found the handler. */
	function name(time, { reply, route }) {
		if (reply && route && typeof route.url === 'string' && open.has(reply.raw))
			routes.set(reply.raw, route.url);
	}

	function beginStream(time, { stream, headers }) {
		const { ':method': verb, ':path': target, traceparent } = headers || {};
		const socket = (stream.session && stream.session.socket) || {};

		serve(time, follow(time, stream), HTTP2, verb, target, traceparent, socket);
	}

	function endStream(time, { stream }) {
		const id = unfollow(stream);

		if (id === undefined)
			return;
		if (stream.rstCode || !stream.sentHeaders)
			put(A, time, id, 0);
		else
			put(F, time, id, Number(stream.sentHeaders[':status']) || 0, 0);
	}

	/* ---- calls ---- */

	const codeOf = error => String((error && (error.code || error.name)) || 'error');
	const lackOf = ({ res }) => !res ? 'closed' : res.complete ? '' : 'aborted';
	const hostOf = request =>
		text((request.getHeader && request.getHeader('host')) || request.host);

	function beginCall(time, request) {
		const known = open.get(request);

		if (known !== undefined)
			return known;
		const by = owner(), method = text(request.method);
		const host = hostOf(request), url = path(request.path);
		const id = follow(time, request, onCalled);

		if (major < 20) /* which have no channel of errors */
			request.on(errorMonitor, onFailed);
		put(C, time, id, by, HTTP1, method, host, url);
		return id;
	}

	function putWritten(time, id, socket = {}, known, isReused) {
		const { remotePort = 0, localPort = 0 } = socket.connecting ? {} : socket;

		put(W, time, id, known ? known.id : 0, isReused ? 1 : 0, remotePort, localPort);
	}

	/* A request waits in the queue of its agent, and has a connection now. */
	function written(time, { request }) {
		const { socket, reusedSocket } = request, id = beginCall(time, request);

		putWritten(time, id, socket || undefined, excludeSocket(socket), reusedSocket);
	}

	function putHeaders(time, object, status, { remotePort = 0, localPort = 0 } = {}) {
		const id = open.get(object);

		if (id !== undefined)
			put(H, time, id, Number(status) || 0, remotePort, localPort);
	}

	const headersRead = (time, { request, response }) =>
		putHeaders(time, request, response.statusCode, request.socket || undefined);
	const headersOfStream = (time, { stream, headers }) =>
		putHeaders(time, stream, headers && headers[':status']);

	function endCall(time, object, error) {
		const id = unfollow(object);

		if (id !== undefined)
			put(E, time, id, error);
	}

	const failed = (time, { request, error }) => endCall(time, request, text(codeOf(error)));

	function beginFetch(time, { request }) {
		const by = owner(), method = text(request.method), url = path(request.path);
		const host = text(String(request.origin).replace(/^\w+:\/\//, ''));

		put(C, time, follow(time, request), by, FETCH, method, host, url);
	}

	function writtenFetch(time, { request, socket }) {
		const id = open.get(request), known = excludeSocket(socket);

		if (id !== undefined)
			putWritten(time, id, socket || undefined, known, known && known.isUsed);
		if (known)
			known.isUsed = true;
	}

	function beginClientStream(time, { stream, headers }) {
		if (open.has(stream))
			return;
		const { ':method': verb, ':authority': authority, ':path': target } = headers || {};
		const by = owner(), method = text(verb), host = text(authority), url = path(target);

		put(C, time, follow(time, stream), by, HTTP2, method, host, url);
	}

	/* On a connection that is there, this comes first. */
	function writtenStream(time, message) {
		beginClientStream(time, message);
		putWritten(time, open.get(message.stream));
	}

	function endClientStream(time, { stream }) {
		endCall(time, stream, stream.rstCode ? text(`rst ${stream.rstCode}`) : 0);
	}

	/* ---- connections ---- */

	const sockets = new Map(); /* socket to what is known of it */
	const connected = new Map(); /* port to connections that were seen, but not as entries */
	const handles = () => proc._getActiveHandles ? proc._getActiveHandles() : [];
	let lastLook = 0;

	const address = (host, port) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

	/* What it is connected to does not change; once closed, it is not known. */
	function addressOf(known) {
		if (known.address === '') {
			const { remoteAddress: host, remotePort: port, localPort } = known.socket;

			known.address = host ? address(host, port) : 'unix';
			known.remote = port || 0;
			known.local = localPort || 0;
		}
		return text(known.address);
	}

	function listen(known, event, f) {
		const g = handler(f);

		known.socket.on(event, g);
		known.listeners.push([event, g]);
	}

	function followSocket(socket) {
		if (sockets.size >= SOCKETS_MOST || sockets.has(socket))
			return null;
		const known = {
			id: ++lastId, socket, address: '', remote: 0, local: 0, listeners: [],
			isUsed: false, shadow: null, total: 0, /* bytes that were read before */
			/* of the wait: begin, last read, owner, what was written and read */
			begun: 0, read: 0, owner: 0, nWrites: 0, nBytes: 0
		};

		sockets.set(socket, known);
		return known;
	}

	function beginSocket(time, { socket }) {
		const by = owner(), known = followSocket(socket);
		let isNamed = false;

		if (!known)
			return;
		put(N, time, known.id, by);
		listen(known, 'lookup', (time, error, ip, family, host) => {
			if (isNamed)
				return;
			isNamed = true;
			put(L, time, known.id, error ? text(codeOf(error)) : 0, text(host));
		});
		listen(known, 'connect', time => {
			const at = addressOf(known), port = socket.remotePort;

			put(K, time, known.id, at);
			if (major < 22 && port)
				connected.set(port, (connected.get(port) || 0) + 1);
			if (withSockets)
				watchSoon(time, known);
		});
		listen(known, errorMonitor, (time, error) =>
			put(X, time, known.id, text(codeOf(error))));
		listen(known, 'close', time => endSocket(time, known));
	}

	/* Whether it is one of HTTP shows after the event. What is written meanwhile is a wait. */
	function watchSoon(time, known) {
		const { socket } = known, by = owner();

		later(handler(() => {
			if (!sockets.has(socket) || isOfHttp(socket))
				return;
			shadow(known);
			if (socket.bytesWritten && !socket.bytesRead) {
				known.begun = time;
				known.owner = -by;
				known.nWrites = 1;
			}
		}));
	}

	function findSocket(time, socket) {
		const known = followSocket(socket);

		if (!known)
			return;
		put(P, time, known.id, addressOf(known));
		listen(known, 'close', time => endSocket(time, known));
		shadow(known);
	}

	function endSocket(time, known) {
		flush(known);
		put(Z, time, known.id);
		drop(known);
	}

	function drop(known) {
		sockets.delete(known.socket);
		exclude(known);
		for (const [event, f] of known.listeners)
			known.socket.removeListener(event, f);
	}

	/* Sockets of HTTP have members of its parser; those of undici and HTTP/2 have symbols. */
	const isOfHttp = socket => socket._httpMessage !== undefined || socket.parser ||
		Object.getOwnPropertySymbols(socket)
			.some(({ description }) => /^(client|parser|session)$/.test(description));
	const isOther = socket => socket && typeof socket._unrefTimer === 'function' &&
		!socket.server && !isOfHttp(socket);

	/* Connections that are there already, and, before Node.js 22, those without a channel. */
	function look(time) {
		lastLook = time;
		for (const handle of withSockets ? handles() : []) {
			if (isOther(handle) && handle.remotePort)
				findSocket(time, handle);
		}
	}

	/* ---- waits on connections ---- */

	/* Node.js calls _unrefTimer() of a socket for each write, and for each read after it has
	 * counted the bytes. A listener to `data` would make the socket flow. */
	function shadow(known) {
		const { socket } = known, prototype = Object.getPrototypeOf(socket);

		if (typeof socket._unrefTimer !== 'function' ||
			Object.prototype.hasOwnProperty.call(socket, '_unrefTimer'))
			return;
		known.total = socket.bytesRead;
		known.shadow = function _unrefTimer() {
			transferred(known);
			return prototype._unrefTimer.call(this);
		};
		Object.defineProperty(socket, '_unrefTimer', {
			configurable: true, enumerable: false, writable: true, value: known.shadow
		});
	}

	/* Leave transfers alone: it is closed, or one of HTTP. V8 keeps an object that has lost a
	 * property in a slower form; a new one of HTTP is seldom shadowed. */
	function exclude(known) {
		if (known.shadow && known.socket._unrefTimer === known.shadow)
			delete known.socket._unrefTimer;
		known.shadow = null;
		known.begun = known.read = 0;
	}

	function excludeSocket(socket) {
		const known = sockets.get(socket);

		if (known)
			exclude(known);
		return known;
	}

	/* Write the wait that is over. */
	function flush(known) {
		if (known.begun && known.read) {
			const at = addressOf(known);
			const { begun, id, owner: by, read, nWrites, nBytes } = known;

			put(Q, begun, id, by, read - begun, nWrites, nBytes, at, known.remote,
				known.local);
		}
		known.begun = known.read = known.nWrites = known.nBytes = 0;
	}

	const transferred = handler((time, known) => {
		const total = known.socket.bytesRead;

		if (total !== known.total) {
			if (cpu)
				answered = known;
			if (known.begun) {
				known.read = time;
				known.nBytes += total - known.total;
			}
			known.total = total;
			return;
		}
		if (known.read)
			flush(known);
		if (!known.begun) {
			const by = owner();

			known.begun = time;
			known.owner = !cpu || answered === known ? -by : by;
		}
		known.nWrites++;
	});

	/* ---- names and connections as performance entries ---- */

	let observer = null, nUnseen = 0;

	function addEntry(time, { entryType, name, detail, startTime, duration }) {
		const began = Math.round(offset + startTime * 1000);
		const us = Math.round(duration * 1000);

		if (entryType === 'dns') {
			put(D, began, us, text(detail && (detail.hostname || detail.host) || name));
		} else if (entryType === 'http2') {
			nUnseen += name === 'Http2Stream' ? 1 : 0;
		} else if (detail) {
			const n = connected.get(detail.port);

			if (n)
				connected.set(detail.port, n - 1);
			else
				addConnection(time, began, us, detail);
		}
	}

	function addConnection(time, began, us, { host, port }) {
		put(I, began, us, text(address(String(host), port)));
		if (time - lastLook > LOOK_US)
			look(time);
	}

	function observe() {
		observer = new perf.PerformanceObserver(handler((time, list) =>
			list.getEntries().forEach(entry => addEntry(time, entry))));
		observer.observe({ entryTypes: major < 22 ? ['dns', 'net', 'http2'] : ['dns'] });
	}

	/* ---- pool of threads ---- */

	const jobs = new Map(); /* async id to begin, type, owner */
	const isJob = new Map(); /* type to whether threads of the pool do it */
	const JOBS = /^(FSREQ|FILEHANDLECLOSEREQ|GETADDRINFO|GETNAMEINFO|(?!HTTP)\w+REQUEST$)/;

	/* Nothing else tells of a connection that is upgraded to TLS. Its owner is set later. */
	function findTls(wrap) {
		later(handler(time => {
			for (const symbol of Object.getOwnPropertySymbols(wrap)) {
				const socket = /^owner/.test(symbol.description) && wrap[symbol];

				if (isOther(socket))
					findSocket(time, socket);
			}
		}));
	}

	const beginJob = handler((time, id, type) => {
		if (jobs.size >= OPEN_MOST)
			jobs.clear();
		jobs.set(id, { begun: time, type, owner: owner() });
	});

	/* Node.js ends the process when this throws, so only handlers do more than look. */
	function init(id, type, trigger, resource) {
		let is = isJob.get(type);

		if (is === undefined) {
			is = JOBS.test(type);
			isJob.set(type, is);
		}
		if (is)
			beginJob(id, type);
		else if (withSockets && type === 'TLSWRAP' && !isOff)
			findTls(resource);
	}

	const endJob = handler((time, { begun, type, owner: by }) =>
		put(T, begun, time - begun, text(type), by));

	function beforeJob(id) {
		const job = jobs.size ? jobs.get(id) : undefined;

		if (job !== undefined) {
			jobs.delete(id);
			endJob(job);
		}
		if (cpu)
			before();
	}

	/* ---- begin and end ---- */

	const subscriptions = [
		['http.server.request.start', begin],
		['http.server.response.finish', finish],
		['tracing:fastify.request.handler:start', name],
		['http2.server.stream.start', beginStream],
		['http2.server.stream.close', endStream],
		['http.client.request.created', (time, { request }) => beginCall(time, request)],
		['http.client.request.start', written],
		['http.client.response.finish', headersRead],
		['http.client.request.error', failed],
		['undici:request:create', beginFetch],
		['undici:client:sendHeaders', writtenFetch],
		['undici:request:headers', headersRead],
		['undici:request:trailers', (time, { request }) => endCall(time, request, 0)],
		['undici:request:error', failed],
		['undici:client:connected', (time, { socket }) => excludeSocket(socket)],
		['http2.client.stream.created', beginClientStream],
		['http2.client.stream.start', writtenStream],
		['http2.client.stream.finish', headersOfStream],
		['http2.client.stream.close', endClientStream],
		['net.client.socket', beginSocket]
	].map(([channel, f]) => [channel, handler(f)]);

	/* Requests and calls that are open. When they began is not known. */
	function findOpen(time) {
		for (const socket of handles()) {
			const message = socket && socket._httpMessage;

			if (!message || message.destroyed || open.has(message))
				continue;
			const { req } = message, method = text(req ? req.method : message.method);

			if (socket.server && req && !message.writableFinished) {
				const { remotePort = 0, localPort = 0 } = socket;
				const url = path(req.originalUrl || req.url);
				const id = follow(time, message, onServed);

				put(O, time, id, HTTP1, method, url, remotePort, localPort);
			} else if (!socket.server && message.path) {
				const host = hostOf(message), url = path(message.path);
				const id = follow(time, message, onCalled);

				put(B, time, id, HTTP1, method, host, url);
			}
		}
	}

	const start = handler(time => {
		isOn = true;
		for (const [channel, f] of subscriptions)
			channels.subscribe(channel, f);
		if (settings.owners !== 0 || cpu)
			storage = new hooks.AsyncLocalStorage();
		if (cpu || files)
			hook = hooks.createHook(files ? { init, before: beforeJob } : { before });
		if (hook)
			hook.enable();
		observe();
		if (tell && proc.listenerCount('exit') < (proc.getMaxListeners() || Infinity))
			proc.on('exit', onExit);
		look(time);
		findOpen(time);
	});

	/* Programs see that listeners are removed, and may throw. */
	function attempt(f) {
		try {
			f();
		} catch (error) {
			nErrors++;
		}
	}

	function remove() {
		attempt(() => proc.removeListener('exit', onExit));
		for (const [channel, f] of isOn ? subscriptions : [])
			attempt(() => channels.unsubscribe(channel, f));
		for (const object of open.keys())
			attempt(() => leave(object));
		for (const known of [...sockets.values()])
			attempt(() => drop(known));
		attempt(() => hook && hook.disable());
		attempt(() => storage && storage.disable());
		attempt(() => observer && observer.disconnect());
		for (const map of [open, routes, jobs, connected])
			map.clear();
		answered = null;
		isRemoved = true;
	}

	const onExit = () => attempt(() => isOff || tell(pull()));

	/* ---- for the caller ---- */

	const state = () => isRemoved ? 3 : isOff ? 2 : isOn ? 1 : 0;

	/* What the evaluate that calls it interrupts may be a handler: then nothing is taken. */
	function pull() {
		const time = now(), isBusy = depth > 0, { user, system } = proc.cpuUsage();
		let records = '';

		lastPull = time;
		if (!isBusy && isOn && !isOff) {
			if (major < 22 && withSockets)
				later(handler(look));
			for (const known of sockets.values()) {
				if (known.read && time - known.read > IDLE_US)
					flush(known);
			}
		}
		const head = [
			'v1', time, from, state(), Number(isBusy), nLost, nLeftOut, nErrors,
			open.size, sockets.size, nUnseen,
			Number(proc.env.UV_THREADPOOL_SIZE) || 4, user, system
		].join(',');

		if (!isBusy) {
			records = Buffer.from(bytes.buffer, 0, length).latin1Slice();
			length = end = nRecords = nLost = nLeftOut = 0;
			numbers.clear();
			lastTime = from = time;
		}
		return head + records;
	}

	function stop() {
		const last = pull();

		if (!isOff) {
			isOff = true;
			later(remove);
		}
		return last;
	}

	if (settings.atOnce)
		start();
	else
		later(start);
	return { pull, stop, state };
})
