require('fs').writeFileSync('ready', '');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
require('fs').writeFileSync('finished', '');
