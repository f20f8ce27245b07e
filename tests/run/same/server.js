const http = require('http'), fs = require('fs');
http.createServer((q, r) => r.end('ok')).listen(0, () => fs.writeFileSync('ready', ''));
setInterval(() => {}, 1000);
