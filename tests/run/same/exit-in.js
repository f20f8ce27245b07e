process.on('exit', () => { console.log('leaving'); process.exit(8); });
setTimeout(() => process.exit(2), 20);
