const { Worker } = require('worker_threads');
const w = new Worker('setInterval(() => {}, 9); process.on("exit", () => console.log("not seen"))', { eval: true });
w.on('online', () => setTimeout(() => process.exit(3), 20));
