for (const name of ['exit', 'beforeExit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGWINCH', 'removeListener', 'newListener', 'warning', 'uncaughtException'])
	console.log(name, process.listenerCount(name), process.rawListeners(name).length);
console.log(process.eventNames().map(String));
console.log(process.hasOwnProperty('on'), process.on.name, process.emit.name, process.exit.name, process.kill.name);
