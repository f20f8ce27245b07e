process.on('uncaughtException', (error, origin) => { console.log(error.message, origin); process.exitCode = 5; });
setTimeout(() => { throw new Error('later'); }, 5);
