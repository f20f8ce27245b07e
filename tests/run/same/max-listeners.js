for (let i = 0; i < 10; i++)
	for (const name of ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(name, () => console.log(name));
setTimeout(() => { for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.removeAllListeners(name); }, 20);
