// A build that only pretends, whose steps are spans of Next.js's own tracer: modules are built in
// parallel, some wait for a file, and a step is still running when the span around it has ended.
const { trace, flushAllTraces } = require('next/dist/trace');
const { setGlobal: set } = require('next/dist/trace/shared');
const { PHASE_DEVELOPMENT_SERVER } = require('next/constants');
const fs = require('fs/promises');

set('distDir', process.argv[2]);
set('phase', PHASE_DEVELOPMENT_SERVER);

const wait = ms => new Promise(done => setTimeout(done, ms));

function busy(ms) {
	for (const end = performance.now() + ms; performance.now() < end;)
		;
}

async function buildModule(parent, name, ms) {
	await parent.traceChild('build-module', { name }).traceAsyncFn(async span => {
		await span.traceChild('read-resource').traceAsyncFn(() => fs.readFile(__filename));
		await span.traceChild('next-swc-loader').traceAsyncFn(async loader => {
			loader.traceChild('next-swc-transform').traceFn(() => busy(ms));
			await wait(ms);
		});
	});
}

async function compile(parent, name, modules) {
	await parent.traceChild('webpack-compilation', { name }).traceAsyncFn(async span => {
		await span.traceChild('make').traceAsyncFn(make =>
			Promise.all(modules.map((path, i) => buildModule(make, path, 2 + i))));
		await span.traceChild('seal').traceAsyncFn(async seal => {
			seal.traceChild('chunk-graph').traceFn(() => busy(1));
			await wait(3);
			seal.traceChild('minify-js').traceFn(() => busy(4));
		});
	});
}

(async () => {
	const build = trace('next-build', undefined, { version: '14.2.15' });
	let telemetry;

	await build.traceAsyncFn(async () => {
		await compile(build, 'server', ['./app/layout.tsx', './app/page.tsx', './app/api/route.ts']);
		await flushAllTraces();
		await compile(build, 'client', ['./app/page.tsx', './app/cart.tsx']);
		telemetry = build.traceChild('telemetry-flush').traceAsyncFn(() => wait(15));
		build.traceChild('static-generation').traceFn(() => busy(2));
	});
	await telemetry;
	await flushAllTraces();
})();
