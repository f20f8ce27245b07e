setImmediate(() => { console.log('immediate'); setTimeout(() => console.log('timeout'), 2); });
Promise.resolve().then(() => console.log('promise')); process.nextTick(() => console.log('tick'));
console.log('sync', require.main === module, typeof module.parent, module.children.length);
