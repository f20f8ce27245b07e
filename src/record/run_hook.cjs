/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run` has Node.js load this file before the program, in every process and worker, by
 * run_preload.cjs. Each of them records itself in chunks, which it writes as they end.
 *
 * The file that is loaded is this function, called with the settings of the run:
 *   folder    of the run, with notes/ and chunks/
 *   interval  microseconds between samples
 *   heap      instead of time, record what is allocated: bytes between samples; 0: time
 *   most      bytes of chunks that a thread keeps; 0: all
 *   requests  requests.cjs, to follow requests, too; absent: do not
 *   follow    its settings
 *
 * Files are called by the key of the thread, PID.TID.MILLISECONDS: TID is 0 for the main thread, the
 * date is when it began, or a little later: processes of two PID namespaces may have one number.
 *   notes/key.KEY          empty: the key is taken
 *   notes/started.KEY      the thread records itself: command, parent, name, PID namespace as JSON
 *   notes/ended.KEY        the same when it has ended by itself
 *   notes/failed.KEY.CODE  a chunk could not be written
 *   chunks/KEY.N           chunk N, from 0 on; of a heap profile only the last one, which is all
 *   requests/KEY.0         what requests.cjs tells, a line each time
 *
 * The program must not notice, however it ends: so there is no handler of a signal here, and nothing
 * is told to other threads. What a signal ends has lost its last chunk. Chunks need a turn of the
 * loop: a program that never comes to that has none before it ends by itself, and its one chunk has
 * no limit: the interval cannot be changed while V8 records, and another thread that could end the
 * chunk would be seen.
 *
 * Functions that are used later are taken now: programs replace some, such as those of fs. */
(function flametty(settings) {
	'use strict';

	const { openSync, writeSync, closeSync, renameSync, unlinkSync, readlinkSync } = require('fs');
	const { threadId, threadName } = require('worker_threads');
	const { Session, console: { profile, profileEnd } } = require('inspector');
	const { stringify } = JSON, { from } = Buffer, { now } = Date;
	const KEYS_MOST = 1000; /* tries to find a key that no other thread has */
	const PIECE = 5000; /* elements of an array that are written at once */
	const TITLE = 'flametty ', IS_OURS = Symbol.for('flametty');
	/* Milliseconds of chunks: the first, the second, all others. Lists of timers have a length each:
	 * no program is likely to have one of these. */
	const FIRST_MS = 251, SECOND_MS = 503, CHUNK_MS = 1009, HEAP_MS = 5003, SHARED_MS = 10007;
	const SAMPLES_MOST = 4000; /* of a chunk, about */
	const kept = []; /* chunks: number and bytes, oldest first */
	/* Then Node.js has a session of its own, which prints what it does not expect: the end of a chunk. */
	const isShared = process.env.NODE_V8_COVERAGE !== undefined ||
		/(^|\s)"?--(cpu-prof|experimental-test-coverage)/.test([process.env.NODE_OPTIONS, ...process.execArgv].join(' '));
	let key, session, timer, requests, n = 0, bytes = 0, told = 0, isDone = false;

	/* No exception gets into the program. */
	function attempt(f) {
		try {
			return f();
		} catch {
			/* What is missing is named when the run is over. */
		}
	}

	/* ---- files ---- */

	function put(fd, text) {
		const data = from(text);

		for (let done = 0; done < data.length;)
			done += writeSync(fd, data, done, data.length - done);
		return data.length;
	}

	const isHook = ({ callFrame: { url } }) => url.endsWith('/run_preload.cjs') ||
		url.endsWith(`/${settings.folder.split('/').pop()}/hook.cjs`);

	/* In pieces: the whole may be longer than a string can be. Returns the bytes. */
	function putJson(fd, object) {
		let length = 0, before = '{';

		for (const [name, value] of Object.entries(object)) {
			length += put(fd, `${before}${stringify(name)}:`);
			before = ',';
			if (!Array.isArray(value)) {
				length += put(fd, stringify(value));
				continue;
			}
			for (let i = 0; i < value.length; i += PIECE)
				length += put(fd, (i ? ',' : '[') + stringify(value.slice(i, i + PIECE)).slice(1, -1));
			length += put(fd, value.length ? ']' : '[]');
		}
		return length + put(fd, '}');
	}

	/* Take a key. Whoever makes its file has it. */
	function takeKey() {
		for (let ms = now(), end = ms + KEYS_MOST; ms < end; ms++) {
			key = `${process.pid}.${threadId}.${ms}`;
			try {
				closeSync(openSync(`${settings.folder}/notes/key.${key}`, 'wx', 0o600));
				return;
			} catch (error) {
				if (error.code !== 'EEXIST')
					return;
			}
		}
	}

	/* Write a file that gets its name when it is complete. Returns its bytes; 0: it cannot be. */
	function write(name, object) {
		const path = `${settings.folder}/${name}`, part = `${path}.part`;
		let fd, length;

		try {
			fd = openSync(part, 'wx', 0o600);
			length = putJson(fd, object);
			closeSync(fd);
			fd = undefined;
			renameSync(part, path);
			return length;
		} catch (error) {
			attempt(() => closeSync(fd));
			attempt(() => unlinkSync(part));
			attempt(() => closeSync(openSync(`${settings.folder}/notes/failed.${key}.${error.code}`, 'w', 0o600)));
			return 0;
		}
	}

	/* Keep a chunk, and not more than is wanted. */
	function keep(number, object) {
		const length = write(`chunks/${key}.${number}`, object);

		kept.push([number, length]);
		bytes += length;
		while (settings.most && bytes > settings.most && kept.length > 1) {
			const [oldest, size] = kept.shift();

			bytes -= size;
			attempt(() => unlinkSync(`${settings.folder}/chunks/${key}.${oldest}`));
		}
	}

	/* ---- chunks of time ---- */

	/* Chunks overlap, so the profiler of V8 goes on, and there is no gap; but other sessions hear of
	 * them. */
	function beginChunk() {
		if (isShared)
			session.post('Profiler.start');
		else
			profile(TITLE + n);
	}

	/* A chunk that the program ends by console.profileEnd() comes here, too. */
	function take({ params }) {
		const number = Number(params.title.slice(TITLE.length));

		if (!params.title.startsWith(TITLE) || !params.profile)
			return;
		if (number === n && !isDone) {
			n++;
			beginChunk();
		}
		if (params.profile.samples && params.profile.samples.length)
			keep(number, params.profile);
	}

	/* Between two that do not overlap are some milliseconds. */
	function endSharedChunk() {
		/* The callback of post() runs before post() returns. */
		session.post('Profiler.stop', (error, result) => {
			if (!error && result.profile.samples.length)
				keep(n, result.profile);
		});
		n++;
		if (!isDone)
			beginChunk();
	}

	function endChunk() {
		const number = n++;

		if (!isDone)
			beginChunk();
		profileEnd(TITLE + number);
	}

	/* ---- what is allocated ---- */

	/* What this file allocates is not the program's. */
	function prune({ head, samples }) {
		const own = new Set(), left = [[head, false]];

		while (left.length) {
			const [node, isOwn] = left.pop();

			if (isOwn)
				own.add(node.id);
			for (const child of node.children)
				left.push([child, isOwn || isHook(child)]);
			node.children = node.children.filter(child => !isHook(child));
		}
		return { head, samples: samples.filter(sample => !own.has(sample.nodeId)) };
	}

	function takeHeap() {
		session.post('HeapProfiler.getSamplingProfile', (error, result) => {
			const profile = error ? { samples: [] } : prune(result.profile);

			if (profile.samples.length)
				write(`chunks/${key}.0`, profile);
		});
	}

	/* ---- requests ---- */

	/* Add what requests.cjs has seen, as far as there is room. isLast: it ends. */
	function takeRequests(isLast) {
		const text = isLast ? requests.stop() : requests.pull();
		const fd = openSync(`${settings.folder}/requests/${key}.0`, 'a', 0o600);

		told += put(fd, `${text}\n`);
		closeSync(fd);
		if (isLast || (settings.most && told > settings.most)) {
			if (!isLast)
				requests.stop();
			requests = undefined;
		}
	}

	/* ---- begin and end ---- */

	const takeChunk = settings.heap ? takeHeap : isShared ? endSharedChunk : endChunk;

	/* The timer is not made anew each time: the program may count what is made. */
	function turn() {
		timer._repeat = settings.heap ? HEAP_MS : isShared ? SHARED_MS :
			Math.min(timer._repeat < SECOND_MS ? SECOND_MS : CHUNK_MS,
				Math.max(FIRST_MS, Math.floor(SAMPLES_MOST * settings.interval / 1000)));
		attempt(takeChunk);
		if (requests)
			attempt(() => takeRequests(false));
	}

	/* The event `exit` begins. What its listeners do is in a chunk of its own, which comes only if they,
	 * or the program before, called process.exit(). */
	function beginEnd() {
		attempt(takeChunk);
		if (requests)
			attempt(() => takeRequests(false));
		attempt(() => renameSync(`${settings.folder}/notes/started.${key}`, `${settings.folder}/notes/ended.${key}`));
	}

	function end() {
		if (isDone)
			return;
		isDone = true;
		if (!settings.heap)
			attempt(takeChunk);
		if (requests)
			attempt(() => takeRequests(true));
	}

	/* A listener on the event `exit` would be counted, programs remove all, and from the eleventh on
	 * Node.js warns. So we look when process.emit is taken while process._exiting is set, which is when
	 * the event begins. */
	/* Call `look` when the property of `process` is taken while the process ends. It has no frame on the
	 * stack of what is called. */
	function watch(name, look) {
		const before = Object.getOwnPropertyDescriptor(process, name), proto = Object.getPrototypeOf(process);
		let isOwn = before !== undefined, value = isOwn ? before.value : undefined, isSeen = false;

		/* The program has one of its own. */
		if (isOwn && !('value' in before && before.configurable))
			return;
		const { get } = {
			get() {
				if (!isSeen && this === process && process._exiting) {
					isSeen = true;
					attempt(look);
				}
				return isOwn ? value : proto[name];
			}
		};
		get[IS_OURS] = true;
		Object.defineProperty(process, name, {
			configurable: true,
			enumerable: isOwn && before.enumerable,
			get,
			set(other) {
				if (this === process) {
					value = other;
					isOwn = true;
				} else {
					Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value: other });
				}
			}
		});
	}

	function begin() {
		const command = [process.argv0, ...process.execArgv, ...process.argv.slice(1)].join(' ');

		/* The test runner of Node.js loads what is preloaded twice. */
		if (((Object.getOwnPropertyDescriptor(process, 'reallyExit') || {}).get || {})[IS_OURS])
			return;
		takeKey();
		/* Of a run that is over nothing is left. */
		if (!write(`notes/started.${key}`, {
			command, parent: process.ppid, name: threadName || '',
			space: attempt(() => readlinkSync('/proc/self/ns/pid')) || ''
		}))
			return;
		session = new Session();
		session.connect();
		watch('emit', beginEnd);
		watch('reallyExit', end);
		timer = setInterval(turn, FIRST_MS).unref();
		if (settings.heap) {
			session.post('HeapProfiler.startSampling', {
				samplingInterval: settings.heap,
				includeObjectsCollectedByMajorGC: true,
				includeObjectsCollectedByMinorGC: true
			});
			return;
		}
		session.post('Profiler.enable');
		session.post('Profiler.setSamplingInterval', { interval: settings.interval });
		session.on('Profiler.consoleProfileFinished', message => attempt(() => take(message)));
		beginChunk();
		if (settings.requests) {
			requests = settings.requests(settings.follow, require);
			if (requests.error)
				requests = undefined;
		}
	}

	attempt(begin);
})
