const { spawnSync } = require('child_process');
for (const env of [{}, { NODE_OPTIONS: '' }, { NODE_OPTIONS: '--no-warnings' }, { FLAMETTY_RUN: '' }, { ...process.env, FLAMETTY_RUN: '/nowhere' }, { NODE_OPTIONS: process.env.NODE_OPTIONS || '' }]) {
	const r = spawnSync(process.execPath, ['-p', 'process.execArgv.length'], { env });
	console.log(r.status, String(r.stdout), String(r.stderr));
}
