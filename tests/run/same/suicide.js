setTimeout(() => process.kill(process.pid, process.argv[2]), 20); setTimeout(() => console.log('late'), 2000);
