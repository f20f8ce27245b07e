process.on('exit', code => console.log('exit', code));
async function f() { await 1; throw new Error('rejected'); }
f();
