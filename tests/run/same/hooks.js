const ah = require('async_hooks'), seen = {};
ah.createHook({ init(id, type) { seen[type] = (seen[type] || 0) + 1; } }).enable();
setTimeout(() => { console.log(seen, new ah.AsyncLocalStorage().getStore()); }, 300);
