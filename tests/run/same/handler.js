const name = process.argv[2];
process.on(name, () => { console.log('got', name); setTimeout(() => { console.log('bye'); process.exit(5); }, 50); });
setInterval(() => {}, 1000); require('fs').writeFileSync('ready', '');
