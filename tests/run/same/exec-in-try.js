const { execSync } = require('child_process'), fs = require('fs');
fs.writeFileSync('ready', '');
try { execSync('sleep 3'); } catch (e) { console.log('caught', e.signal); }
fs.writeFileSync('next-step', ''); console.log('next step');
