process.nextTick(() => console.log('tick')); Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask')); console.log('sync', process.argv.length);
