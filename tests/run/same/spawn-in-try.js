const { spawnSync } = require('child_process'), fs = require('fs');
fs.writeFileSync('ready', '');
const r = spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 3000)']);
fs.writeFileSync('next-step', r.signal || 'none');
