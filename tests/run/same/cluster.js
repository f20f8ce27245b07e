const cluster = require('cluster'), http = require('http');
if (cluster.isPrimary) {
	cluster.fork(); cluster.fork();
	let n = 0;
	cluster.on('exit', (worker, code, signal) => console.log('exit', code, signal));
	cluster.on('listening', (worker, { port }) => { if (++n === 2) http.get({ port }, r => { r.resume(); r.on('end', () => { for (const id in cluster.workers) cluster.workers[id].kill(); }); }); });
} else {
	const server = http.createServer((q, r) => r.end('ok')).listen(0);
}
