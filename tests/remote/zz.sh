#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty attach on real processes of Node.js: what is recorded, and that each of them survives with
# its inspector closed.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote

cat >"$work/server.js" <<'EOF'
'use strict';
function heavy(n) { return n < 2 ? n : heavy(n - 1) + heavy(n - 2); }
setInterval(() => heavy(28), 10);
require('fs').writeFileSync(process.argv[2], '');
EOF
cat >"$work/workers.js" <<'EOF'
'use strict';
const { Worker } = require('worker_threads');
const w = new Worker('function inWorker(n) { return n < 2 ? n : inWorker(n - 1) + inWorker(n - 2); }' +
	'setInterval(() => inWorker(28), 10); require("worker_threads").parentPort.postMessage(1)',
	{ eval: true, name: 'pool-1' });
w.on('message', () => require('fs').writeFileSync(process.argv[2], ''));
setInterval(() => {}, 1000);
EOF
cat >"$work/heap.js" <<'EOF'
'use strict';
const { Worker, isMainThread } = require('worker_threads');
const keep = [];
function keepRows(n) { for (let i = 0; i < n; i++) keep.push({ i, name: 'row' + i }); }
function keepNames(n) { for (let i = 0; i < n; i++) keep.push('name of ' + i + keep.length); }
setInterval(() => (isMainThread ? keepRows : keepNames)(500), 5);
if (isMainThread)
	new Worker(__filename).on('online', () => require('fs').writeFileSync(process.argv[2], ''));
EOF
cat >"$work/endless.js" <<'EOF'
'use strict';
function spin() { let x = 0; for (let i = 0; i < 1e6; i++) x += i % 7; return x; }
require('fs').writeFileSync(process.argv[2], '');
for (;;) spin();
EOF
cat >"$work/handler.js" <<'EOF'
'use strict';
process.on('SIGUSR1', () => {});
setInterval(() => {}, 1000);
require('fs').writeFileSync(process.argv[2], '');
EOF

# ---- what is recorded ----
# ---- servers of the program are not asked ----
cat >"$work/asked.js" <<'EOF'
'use strict';
const fs = require('fs');
fs.writeFileSync(process.argv[2] + '.asked', '');
const server = require('net').createServer(socket => {
	socket.on('error', () => {}).on('data', data => fs.appendFileSync(process.argv[2] + '.asked', data));
	fs.appendFileSync(process.argv[2] + '.asked', 'connected\n');
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync(process.argv[2], ''));
EOF
for option in --no-warnings --inspect --inspect=0 --inspect-port=0; do
	start asked.js $option
	run 0 attach -t 300ms --report "$pid"
	[ ! -s "$work/ready.asked" ] || failed "$option: the server of the program is asked: $(cat "$work/ready.asked")"
	stop "$pid"
done

# ---- by address: the process that listens there, or what the inspector tells about it ----
exit $((n_failed > 0))
