process.on('uncaughtExceptionMonitor', (error, origin) => console.log('origin', origin));
function thrower() { throw new TypeError('out of here'); }
thrower();
