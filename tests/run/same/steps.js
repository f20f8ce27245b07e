const fs = require('fs'); let n = 0;
fs.writeFileSync('ready', '');
setInterval(() => { for (const end = Date.now() + 400; Date.now() < end;); if (n++ > 3) { fs.writeFileSync('steps', ''); process.exit(0); } }, 1);
