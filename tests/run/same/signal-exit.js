const end = signal => {
	if (process.listeners(signal).length === 1) { process.removeListener(signal, end); console.log('cleaned up'); process.kill(process.pid, signal); }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
setInterval(() => {}, 1000); require('fs').writeFileSync('ready', '');
