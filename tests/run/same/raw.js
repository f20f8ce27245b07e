const fs = require('fs');
try { process.stdin.setRawMode(true); } catch (e) { console.log('no terminal'); }
fs.writeFileSync('ready', ''); setInterval(() => {}, 1000);
