const fs = require('fs');
fs.writeFileSync('ready', '');
(async () => { for (const end = Date.now() + 2500; Date.now() < end;) await 1; fs.writeFileSync('finished', ''); })();
