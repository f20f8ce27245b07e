const fs = require('fs');
fs.writeFileSync('ready', '');
for (const end = Date.now() + 2500; Date.now() < end;);
fs.writeFileSync('finished', ''); console.log('finished');
