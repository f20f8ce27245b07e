setTimeout(() => console.log('timeout'), 40); setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => console.log('promise')); process.nextTick(() => console.log('tick'));
console.log('sync', require.main === module, typeof module.parent, module.children.length);
