const name = process.argv[2]; let n = 0;
process.on(name, () => { console.log(name, ++n); setTimeout(() => process.exit(n), 300); });
setInterval(() => {}, 1000); require('fs').writeFileSync('ready', '');
