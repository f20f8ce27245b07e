const { fork, spawnSync, execFileSync } = require('child_process');
if (process.argv[2] === 'child') {
	process.on('message', m => { process.send({ got: m, args: process.execArgv.length }); process.disconnect(); });
} else {
	console.log(String(execFileSync(process.execPath, ['-p', '1 + 1'])));
	const { status, signal, stderr } = spawnSync(process.execPath, ['-e', 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 2000)']);
	console.log(status, signal, String(stderr));
	const child = fork(__filename, ['child']);
	child.on('message', m => console.log(m)); child.on('exit', (...all) => console.log('exit', ...all)); child.send('hello');
}
