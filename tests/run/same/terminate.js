const { Worker } = require('worker_threads'), { performance } = require('perf_hooks');
const codes = ['setInterval(() => {}, 9)', 'for (;;);', 'require("crypto").pbkdf2Sync("a", "b", 1500000, 64, "sha512")'];
(async () => {
	for (const code of codes) {
		const w = new Worker('require("worker_threads").parentPort.postMessage(1);' + code, { eval: true });
		await new Promise(done => w.once('message', done));
		await new Promise(done => setTimeout(done, 100));
		const t = performance.now(), end = w.terminate(), ms = performance.now() - t;
		console.log(ms < 50, await end);
	}
	console.log(Worker.prototype.terminate.length, Object.getOwnPropertyNames(Worker.prototype).length);
})();
