const path = require('path');
console.log(Object.keys(require.cache).map(x => path.basename(x)), process.execArgv, process.argv.length);
console.log(Object.keys(globalThis), Object.getOwnPropertyNames(globalThis).length, Object.getOwnPropertySymbols(globalThis).length);
console.log(Object.keys(process).length, require('module').builtinModules.length, process.title.length > 0);
