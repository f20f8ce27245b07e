let n = 0; const timer = setInterval(() => { for (const end = Date.now() + 20; Date.now() < end;); if (++n === 60) { clearInterval(timer); console.log('done'); } }, 25);
