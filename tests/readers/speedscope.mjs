// SPDX-License-Identifier: GPL-2.0-or-later
// What speedscope reads of files: usage: speedscope.mjs JOBS, a file with {FILE: null}. READERS names the
// folder with node_modules. Prints {FILE: [{name, unit, total, self: [[name, file, line, weight]]}] or a text}.
//
// The package has the page only, as one script. Its importer is taken out of it: the script runs
// with a document that does nothing, after a line that keeps the importer.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const release = path.join(process.env.READERS, 'node_modules/speedscope/dist/release');
const script = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const text = fs.readFileSync(path.join(release, script), 'utf8');
const found = /async function (\w+)\((\w+),(\w+)\)\{return\(await \w+\)\.importProfileGroupFromText\(\2,\3\)\}/.exec(text);
if (!found)
	throw new Error(`${script}: where is the importer?`);

const nothing = new Proxy(function () {}, {
	get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'length' ? 0 : name === Symbol.iterator ? [][Symbol.iterator] : nothing),
	set: () => true,
	apply: () => nothing,
	construct: () => nothing,
});
const quiet = { log() {}, warn() {}, error() {}, time() {}, timeEnd() {}, info() {} };
const context = vm.createContext({
	document: nothing, navigator: { userAgent: '' }, localStorage: nothing, console: quiet, TextDecoder, TextEncoder,
	WebAssembly, URL, Blob, setTimeout, clearTimeout, fetch: nothing, atob, btoa, performance, HTMLElement: class {},
	location: { hash: '', protocol: 'file:' }, requestAnimationFrame: nothing, matchMedia: nothing, addEventListener() {},
});
context.window = context.self = context;
const begin = '"use strict";(()=>{';
if (!text.startsWith(begin))
	throw new Error(`${script}: begins in another way`);
try {
	vm.runInContext(`${begin}globalThis.importer=${found[1]};${text.slice(begin.length)}`, context);
} catch {
	// The page itself cannot be drawn; the importer is there.
}

const toMicroseconds = { nanoseconds: 1e-3, microseconds: 1, milliseconds: 1e3, seconds: 1e6 };
const said = {};
for (const file of Object.keys(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))) {
	try {
		const group = await context.importer(path.basename(file), fs.readFileSync(file, 'utf8'));
		said[file] = !group ? 'speedscope does not know the format' : group.profiles.map((profile) => {
			// A list of rows: a name may be that of a member of every object.
			const self = [];
			const unit = profile.getWeightUnit(), factor = toMicroseconds[unit] ?? 1;
			profile.forEachFrame((frame) => {
				if (frame.getSelfWeight())
					self.push([frame.name, frame.file ?? null, frame.line ?? null, frame.getSelfWeight() * factor]);
			});
			return { name: profile.getName(), unit, total: profile.getTotalNonIdleWeight() * factor, self };
		});
	} catch (error) {
		said[file] = String(error);
	}
}
process.stdout.write(JSON.stringify(said));
