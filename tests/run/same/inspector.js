const { Session } = require('inspector'), s = new Session();
s.connect();
s.on('Profiler.consoleProfileFinished', m => console.log('finished', m.params.title, m.params.profile.nodes.length > 0));
s.post('Profiler.enable'); s.post('Profiler.start');
console.profile('mine'); for (const end = Date.now() + 30; Date.now() < end;); console.profileEnd('mine');
console.profile(); console.profileEnd();
s.post('Profiler.stop', (e, r) => console.log(e, r.profile.nodes.length > 0));
console.log(require('inspector').url());
