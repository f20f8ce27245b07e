// SPDX-License-Identifier: GPL-2.0-or-later
// What the engine of DevTools' Performance panel reads of traces and .cpuprofiles. usage:
// devtools.mjs JOBS, a file with {FILE: "trace"|"cpuprofile"}. READERS names the folder with node_modules.
// Prints {FILE: {profiles: [{pid, tid, self: [[name, url, line, microseconds]]}], slices: [...], requests: [...]} or a text}.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const engine = pathToFileURL(path.join(process.env.READERS, 'node_modules/@paulirish/trace_engine') + '/');
globalThis.DOMRect ??= class DOMRect {
	constructor(x = 0, y = 0, width = 0, height = 0) { Object.assign(this, { x, y, width, height }); }
	static fromRect(rect) { return new DOMRect(rect?.x, rect?.y, rect?.width, rect?.height); }
};
// The engine says on the console what it finds odd; the output is ours.
const odd = [];
console.log = console.info = () => {};
console.warn = console.error = (...values) => odd.push(values.map(String).join(' '));
const { CPUProfileDataModel } = await import(new URL('models/cpu_profile/CPUProfileDataModel.js', engine));
const Trace = await import(new URL('models/trace/trace.js', engine));
const { Helpers } = Trace;

// end, in milliseconds: where the last sample ends. The engine ends it after the average interval.
function selfTimes(model, end) {
	const n = model.samples?.length ?? 0;
	if (n && model.timestamps.length >= n && end !== undefined)
		model.timestamps[n] = end(model.timestamps, n);
	const self = new Map();
	model.forEachFrame(() => {}, (depth, node, sample, start, duration, selfTime) => {
		const frame = node.callFrame;
		const key = JSON.stringify([node.functionName, frame.url || null, frame.lineNumber >= 0 ? frame.lineNumber + 1 : null]);
		self.set(key, (self.get(key) ?? 0) + selfTime * 1000);
	});
	return [...self].filter(([, time]) => time > 0).map(([key, time]) => [...JSON.parse(key), time]);
}

// The tables of the panel end where the recording does.
const endOfRecording = (end) => (times, n) => end > times[n - 1] ? Math.min(times[n] ?? Infinity, end) : times[n];

// A trace has no end of the last sample; exports have a member of their own for it, lastDelta.
function lastDeltas(events) {
	const of = new Map();
	for (const event of events)
		if (event.name === 'Profile')
			of.set(`${event.pid} ${event.id}`, { tid: event.tid });
		else if (event.args?.data?.lastDelta !== undefined)
			of.get(`${event.pid} ${event.id}`).delta = event.args.data.lastDelta / 1000;
	return new Map([...of].map(([key, { tid, delta }]) => [`${key.split(' ')[0]} ${tid}`, delta]));
}

async function traceOf(events) {
	const deltas = lastDeltas(events);
	const model = Trace.TraceModel.Model.createWithAllHandlers();
	await model.parse(events, { isFreshRecording: false, isCPUProfile: false });
	const { data } = model.parsedTrace();
	const profiles = [], slices = [];
	for (const [pid, threads] of data.Samples.profilesInProcess)
		for (const [tid, { parsedProfile }] of threads)
			profiles.push({ pid, tid, samples: parsedProfile.samples?.length ?? 0, self: selfTimes(parsedProfile, deltas.get(`${pid} ${tid}`) === undefined ? undefined : (times, n) => times[n - 1] + deltas.get(`${pid} ${tid}`)) });
	for (const [pid, process] of data.Renderer.processes)
		for (const [tid, thread] of process.threads) {
			const self = new Map();
			for (const [entry, node] of thread.tree ? data.Renderer.entryToNode : [])
				if (entry.pid === pid && entry.tid === tid && entry.ph === 'X')
					self.set(entry.name, (self.get(entry.name) ?? 0) + (node.selfTime ?? 0));
			slices.push({ pid, tid, name: thread.name, entries: thread.entries.length, self: [...self] });
		}
	// Requests that a process serves: name, length in microseconds, and whether they began in the recording.
	const requests = Helpers.Trace.createMatchedSortedSyntheticEvents(events.filter((event) => event.cat === 'http.server'))
		.map(({ name, dur, args: { data: { beginEvent: { args } } } }) =>
			[name, dur + (args.before ?? 0) + (args.after ?? 0), !args.before && !args.open && !args.unfinished]);
	return { profiles, slices, requests };
}

const said = {};
for (const [file, kind] of Object.entries(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))) {
	odd.length = 0;
	try {
		const document = JSON.parse(fs.readFileSync(file, 'utf8'));
		said[file] = kind === 'trace' ? await traceOf(document.traceEvents ?? document) :
			{ profiles: [{ self: selfTimes(new CPUProfileDataModel(document), endOfRecording(document.endTime / 1000)) }], slices: [] };
		said[file].odd = [...new Set(odd)];
	} catch (error) {
		said[file] = String(error.stack);
	}
}
process.stdout.write(JSON.stringify(said));
