process.nextTick(() => { null.x; });
