/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run` has Node.js load this file before the program (--require), in every process and
 * worker. Each of them records itself and writes its profile when it ends.
 *
 * The file that is loaded is this function, called with the settings of the run:
 *   notes     the folder of notes: started.PID.TID, which becomes wrote.PID.TID
 *   profiles  the folder of profiles
 *   interval  microseconds between samples
 *   heap      instead of time, record what is allocated: bytes between samples; 0: time
 *
 * The program must not notice. So what it counts stays as it is: the handlers of signals here are
 * no listeners of `process`, but handles of their own, of the class that Node.js uses for listeners.
 * A signal for which the program has a listener is left to it. Otherwise the profile is written, and
 * the process dies of the signal, as it would have without this file.
 *
 * Functions that are used later are taken now: programs replace some, such as those of fs. */
(function flametty(settings) {
	'use strict';

	/* Deno loads it, too, but records itself, and asks the user before files may be touched. */
	if (typeof Deno !== 'undefined' || typeof Bun !== 'undefined')
		return;

	const { openSync, writeSync, closeSync, renameSync, existsSync, writeFileSync } = require('fs');
	const { performance } = require('perf_hooks');
	const workerThreads = require('worker_threads');
	const { isMainThread, threadId } = workerThreads;
	const { stringify } = JSON;
	const { kill, listenerCount } = process;
	const later = setImmediate;
	const thread = `${process.pid}.${threadId}`;
	const SAVE = Symbol.for('flametty.run');
	const PIECE = 5000; /* elements of an array that are written at once */
	const WORKER_MS = 1000; /* how long to wait for a worker that shall write its profile */
	let session, file, isDone = false;

	/* No exception gets into the program. */
	function complain(error) {
		try {
			writeSync(2, `flametty: process ${process.pid}: ${error && error.message}\n`);
		} catch {
			/* There is no standard error. */
		}
	}

	function attempt(f) {
		try {
			return f();
		} catch (error) {
			return complain(error);
		}
	}

	/* ---- the profile ---- */

	/* The number is that of the thread in its process, from 1 on. */
	function fileName() {
		const number = String(threadId + 1).padStart(3, '0');
		const now = new Date(), two = n => String(n).padStart(2, '0');
		const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
		const time = two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds());

		return settings.heap ? `${settings.profiles}/Heap.${date}.${time}.${thread}.${number}.heapprofile` :
			`${settings.profiles}/CPU.${date}.${time}.${thread}.${number}.cpuprofile`;
	}

	/* In pieces: the whole may be longer than a string can be. */
	function writeJson(fd, object) {
		let before = '{';

		for (const [name, value] of Object.entries(object)) {
			writeSync(fd, `${before}${stringify(name)}:`);
			before = ',';
			if (!Array.isArray(value)) {
				writeSync(fd, stringify(value));
				continue;
			}
			for (let i = 0; i < value.length; i += PIECE)
				writeSync(fd, (i ? ',' : '[') + stringify(value.slice(i, i + PIECE)).slice(1, -1));
			writeSync(fd, value.length ? ']' : '[]');
		}
		writeSync(fd, '}');
	}

	/* A profile without samples is none. */
	function write(profile) {
		if (profile.samples.length) {
			const fd = openSync(`${file}.part`, 'w', 0o600);

			try {
				writeJson(fd, profile);
			} finally {
				closeSync(fd);
			}
			renameSync(`${file}.part`, file);
		}
		renameSync(`${settings.notes}/started.${thread}`, `${settings.notes}/wrote.${thread}`);
	}

	/* The callback of post() runs before post() returns. */
	function save() {
		if (isDone)
			return;
		isDone = true;
		session.post(settings.heap ? 'HeapProfiler.stopSampling' : 'Profiler.stop', (error, result) => {
			if (error)
				complain(error);
			else if (existsSync(settings.notes)) /* otherwise the run is over */
				attempt(() => write(result.profile));
		});
	}

	/* ---- workers ---- */

	/* A worker that is terminated runs no code any more, nor do the workers of a process that ends.
	 * So they are told before. A call of the inspector interrupts also a worker that is busy. */
	const sessions = new Map(); /* by thread id */
	const seen = new Set(); /* the thread ids that there were */

	function followWorkers() {
		session.on('NodeWorker.attachedToWorker', ({ params }) => {
			const title = /^\[worker (\d+)\]/.exec(params.workerInfo.title);

			if (title) {
				sessions.set(Number(title[1]), params.sessionId);
				seen.add(Number(title[1]));
			}
		});
		session.on('NodeWorker.detachedFromWorker', ({ params }) => {
			for (const [id, sessionId] of sessions)
				if (sessionId === params.sessionId)
					sessions.delete(id);
		});
		session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
	}

	function isWriting(id) {
		return existsSync(`${settings.notes}/started.${process.pid}.${id}`);
	}

	/* A worker with an `env` of its own does not load the script: it is noted as one that has not
	 * written. */
	function noteOthers() {
		for (const id of seen)
			if (!isWriting(id) && !existsSync(`${settings.notes}/wrote.${process.pid}.${id}`))
				writeFileSync(`${settings.notes}/started.${process.pid}.${id}`, '', { mode: 0o600 });
	}

	/* Returns the threads that were told, and write now. */
	function tellWorkers(ids) {
		const expression = `globalThis[Symbol.for('flametty.run')]?.('')`;
		const message = stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
		const told = ids.filter(id => sessions.has(id) && isWriting(id));

		for (const id of told)
			session.post('NodeWorker.sendMessageToWorker', { sessionId: sessions.get(id), message });
		return told;
	}

	function waitForWorkers(left) {
		const still = new Int32Array(new SharedArrayBuffer(4));
		const end = performance.now() + WORKER_MS;

		while ((left = left.filter(isWriting)).length && performance.now() < end)
			Atomics.wait(still, 0, 0, 2);
	}

	/* The wait for workers is not in the profile. */
	function saveAll() {
		const told = attempt(() => tellWorkers([...sessions.keys()]));

		attempt(save);
		attempt(() => waitForWorkers(told || []));
		if (existsSync(settings.notes))
			attempt(noteOthers);
	}

	function wrapTerminate() {
		const { Worker } = workerThreads, { terminate } = Worker.prototype;

		Worker.prototype.terminate = {
			terminate(...values) {
				attempt(() => waitForWorkers(tellWorkers([this.threadId])));
				return terminate.apply(this, values);
			}
		}.terminate;
	}

	/* ---- signals ---- */

	/* The class of handles of signals. It has no public name; the resource of a listener has it. */
	function signalClass() {
		let found;
		const none = () => {};
		const hook = require('async_hooks').createHook({
			trackPromises: false,
			init(id, type, trigger, resource) {
				if (type === 'SIGNALWRAP')
					found = resource.constructor;
			}
		});

		hook.enable();
		process.on('SIGWINCH', none);
		process.removeListener('SIGWINCH', none);
		hook.disable();
		return found;
	}

	const handles = new Map(); /* by the name of the signal */
	const removed = new Map(); /* when the loop was idle before the program removed a listener */

	/* A listener that removes itself (`once`) may run before our handle. Its removal counts until the
	 * loop has waited again, or has turned. */
	function hasListener(name) {
		return listenerCount.call(process, name) > 0 ||
			removed.get(name) === performance.nodeTiming.idleTime;
	}

	function noteRemoval(name) {
		if (!handles.has(name))
			return;
		removed.set(name, performance.nodeTiming.idleTime);
		later(() => removed.delete(name)).unref();
	}

	/* A terminal that does not echo would stay so. */
	function restoreTerminal() {
		if (require('tty').isatty(0) && process.stdin.isRaw)
			process.stdin.setRawMode(false);
	}

	/* Write the profiles, and let the signal have its default action. False: it is the program's. */
	function prepareToDie(name) {
		if (hasListener(name) || !handles.has(name))
			return false;
		saveAll();
		attempt(restoreTerminal);
		handles.get(name).close();
		handles.delete(name);
		return true;
	}

	function catchSignals() {
		const Signal = signalClass();

		process.on('removeListener', name => attempt(() => noteRemoval(name)));
		for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR2']) {
			const handle = new Signal();

			handle.unref();
			handle.onsignal = () => {
				if (attempt(() => prepareToDie(name)))
					kill.call(process, process.pid, name);
			};
			if (handle.start(require('os').constants.signals[name]) === 0)
				handles.set(name, handle);
		}
	}

	/* ---- begin ---- */

	function start() {
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
		session.post('Profiler.start');
	}

	function begin() {
		const command = [process.argv0, ...process.execArgv, ...process.argv.slice(1)].join(' ');

		/* A program that outlives the run starts processes without a place to write to. */
		if (!existsSync(settings.notes))
			return;
		writeFileSync(`${settings.notes}/started.${thread}`, command, { mode: 0o600 });
		file = fileName();
		session = new (require('inspector').Session)();
		session.connect();
		process.on('exit', saveAll);
		attempt(followWorkers);
		attempt(wrapTerminate);
		/* flametty calls this in a process that has a signal to handle, but never returns to its
		 * loop: with the name of the signal; and the main thread in its workers. */
		Object.defineProperty(globalThis, SAVE, {
			configurable: true,
			value: name => Number(isMainThread ? prepareToDie(name) : (saveAll(), true))
		});
		if (isMainThread)
			attempt(catchSignals);
		start();
	}

	attempt(begin);
})
