// SPDX-License-Identifier: GPL-2.0-or-later
// What the engine of DevTools' Performance panel finds in traces of pages. usage: engine.mjs JOBS, a
// file with {FILE: "trace"}. READERS names the folder with node_modules. Prints {FILE: found or a
// text}. Times are us of the trace's clock; those of vitals, except navigation, are us since the
// navigation.
//   vitals        by navigation of the main frame: url, navigation, and fp, fcp, lcp, dcl, load;
//                 phases: the ends of those of LCP
//   cls, inp      the worst session window; the longest interaction, in us
//   interactions  type, ts, dur, inputDelay, processing, presentationDelay
//   requests      url, ts, dur, status, mimeType, priority, encoded and decoded bytes
//   kinds         self time of the main thread's slices by DevTools' categories, in us
//   notes         label, key, name of the entry, function, ts, dur, and back: the key that it has
//   initiators    [name, ts] of an event, and of the one that caused it
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { pathToFileURL } from 'node:url';

const engine = pathToFileURL(path.join(process.env.READERS, 'node_modules/@paulirish/trace_engine') + '/');
globalThis.DOMRect ??= class DOMRect {
	constructor(x = 0, y = 0, width = 0, height = 0) { Object.assign(this, { x, y, width, height }); }
	static fromRect(rect) { return new DOMRect(rect?.x, rect?.y, rect?.width, rect?.height); }
};
// The engine says on the console what it finds odd; the output is ours.
console.log = console.info = console.warn = console.error = () => {};
const Trace = await import(new URL('models/trace/trace.js', engine));
const { EventsSerializer } = await import(new URL('models/trace/EventsSerializer.js', engine));
const { getEventStyle } = await import(new URL('models/trace/Styles.js', engine));

function read(file) {
	let data = fs.readFileSync(file);
	if (data[0] === 0x1f && data[1] === 0x8b)
		data = zlib.gunzipSync(data);
	const json = JSON.parse(data.toString());
	return { events: json.traceEvents ?? json, metadata: json.metadata };
}

// The engine refuses traces whose recording states no frames: it gets the frame of the first
// navigation to the web.
function stateFrames(events) {
	const started = events.find(e => e.name === 'TracingStartedInBrowser' && !e.args?.data);
	const navigation = events.find(e => e.name === 'navigationStart' &&
		e.args.data?.isOutermostMainFrame && e.args.data.documentLoaderURL?.startsWith('http'));
	if (started && navigation)
		started.args = { data: { frames: [{ frame: navigation.args.frame,
			url: navigation.args.data.documentLoaderURL, processId: navigation.pid,
			isOutermostMainFrame: true, isInPrimaryMainFrame: true }] } };
}

function phasesOf(insights, navigation) {
	for (const { navigation: of, model } of insights?.values() ?? [])
		if (of === navigation && model.LCPBreakdown?.subparts)
			return Object.fromEntries(Object.entries(model.LCPBreakdown.subparts)
				.map(([name, part]) => [name, part.max - navigation.ts]));
	return null;
}

function vitalsOf(data, insights) {
	const { metricScoresByFrameId } = data.PageLoadMetrics;
	const names = { FP: 'fp', FCP: 'fcp', LCP: 'lcp', DCL: 'dcl', L: 'load' };
	return [...metricScoresByFrameId.get(data.Meta.mainFrameId) ?? []].map(([navigation, scores]) => {
		const out = { url: navigation.args.data?.documentLoaderURL ?? null,
			navigation: navigation.ts, phases: phasesOf(insights, navigation) };
		for (const [name, score] of scores)
			if (names[name])
				out[names[name]] = score.timing;
		return out;
	}).sort((a, b) => a.navigation - b.navigation);
}

function requestsOf(data) {
	return data.NetworkRequests.byTime.map(r => ({
		url: r.args.data.url, ts: r.ts, dur: r.dur, status: r.args.data.statusCode,
		mimeType: r.args.data.mimeType, priority: r.args.data.priority,
		encoded: r.args.data.encodedDataLength, decoded: r.args.data.decodedBodyLength,
		method: r.args.data.requestMethod, protocol: r.args.data.protocol,
		receiving: r.args.data.syntheticData?.downloadStart ?? null,
	}));
}

// Self time, by category, of the main threads of processes that have the main frame.
function kindsOf(data) {
	const kinds = {};
	for (const process of data.Renderer.processes.values()) {
		if (!process.isOnMainFrame)
			continue;
		for (const thread of process.threads.values()) {
			if (thread.name !== 'CrRendererMain')
				continue;
			for (const entry of thread.entries) {
				const kind = getEventStyle(entry.name)?.category?.name ?? 'other';
				kinds[kind] = (kinds[kind] ?? 0) + (data.Renderer.entryToNode.get(entry)?.selfTime ?? 0);
			}
		}
	}
	return kinds;
}

function notesOf(metadata, trace) {
	const serializer = new EventsSerializer();
	const { entryLabels = [], linksBetweenEntries = [] } = metadata?.modifications?.annotations ?? {};
	const { hiddenEntries = [], expandableEntries = [] } = metadata?.modifications?.entriesModifications ?? {};
	const keys = [...entryLabels.map(one => [one.label, one.entry]),
		...linksBetweenEntries.flatMap(one => [['from', one.entryFrom], ['to', one.entryTo]]),
		...hiddenEntries.map(key => ['hidden', key]), ...expandableEntries.map(key => ['expandable', key])];
	return keys.map(([label, key]) => {
		const entry = serializer.eventForKey(key, trace);
		return { label, key, name: entry?.name, function: entry?.callFrame?.functionName,
			ts: entry?.ts, dur: entry?.dur, back: entry && serializer.keyForEvent(entry) };
	});
}

async function traceOf(file) {
	const model = Trace.TraceModel.Model.createWithAllHandlers();
	const { events, metadata } = read(file);
	stateFrames(events);
	await model.parse(events, { metadata, isFreshRecording: false });
	const { data, insights } = model.parsedTrace();
	return {
		vitals: vitalsOf(data, insights),
		cls: data.LayoutShifts.sessionMaxScore,
		inp: data.UserInteractions.longestInteractionEvent?.dur ?? null,
		interactions: data.UserInteractions.interactionEventsWithNoNesting.map(i => ({
			type: i.type, ts: i.ts, dur: i.dur, inputDelay: i.inputDelay,
			processing: i.mainThreadHandling, presentationDelay: i.presentationDelay,
		})),
		notes: notesOf(metadata, model.parsedTrace()),
		requests: requestsOf(data),
		kinds: kindsOf(data),
		initiators: [...data.Initiators.eventToInitiator].map(
			([event, by]) => ({ event: [event.name, event.ts], by: [by.name, by.ts] })),
	};
}

const said = {};
for (const file of Object.keys(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))) {
	try {
		said[file] = await traceOf(file);
	} catch (error) {
		said[file] = String(error.stack);
	}
}
process.stdout.write(JSON.stringify(said));
