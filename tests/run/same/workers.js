const { Worker, isMainThread, threadId, parentPort, workerData, resourceLimits } = require('worker_threads');
if (isMainThread) {
	const { EventEmitter } = require('events');
	// Node hands over the messages of a worker and its error in any order.
	const end = id => new Promise(done => {
		const w = new Worker(__filename, { workerData: id, name: 'pool-' + id, stdout: false }), said = [];
		w.on('message', m => said.push(JSON.stringify(m))); w.on('error', e => said.push('error ' + e.message));
		w.on('exit', code => setTimeout(() => { console.log(said.sort().join('\n')); done(code); }, 50));
	});
	(async () => {
		for (const id of [1, 2, 3]) console.log('exit', await end(id));
		const w = new Worker('require("worker_threads").parentPort.postMessage(require("worker_threads").threadId)', { eval: true, env: {} });
		w.on('message', m => console.log('eval', m));
	})();
} else {
	parentPort.postMessage([threadId, process.listenerCount('exit'), process.execArgv, Object.keys(require.cache).length]);
	if (workerData === 2) process.exit(6);
	if (workerData === 3) throw new Error('in worker');
	process.on('exit', code => parentPort.postMessage('exit ' + code));
}
