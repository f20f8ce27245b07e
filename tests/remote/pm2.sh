#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that pm2 runs, as processes of their own and as a cluster: all are recorded, by --all-node, by
# a pattern and as what the daemon of pm2 has started, and none is harmed: every request is answered, pm2
# starts nothing again, no inspector stays open.
#
# MODULES: the folder with node_modules, with pm2 in it. All is in namespaces of its own, as other
# processes of the machine are not ours, nor is their port 9229.
set -u

pm2=${MODULES:-}/node_modules/pm2/bin/pm2
[ -n "${MODULES:-}" ] && [ -e "$pm2" ] || { echo "MODULES has no pm2"; exit 77; }
if [ -z "${IN_SPACE:-}" ]; then
	unshare -npf --mount-proc ip link set lo up 2>/dev/null || { echo "no namespaces here"; exit 77; }
	IN_SPACE=yes
	export IN_SPACE
	exec unshare -npf --mount-proc sh -c 'ip link set lo up; exec sh "$@"' sh "$0" "$@"
fi
HAS_PORT=no
command=attach
. "$(dirname "$0")/lib.sh"
begin_remote
PM2_HOME=$work/home
export PM2_HOME
unset NODE_OPTIONS
N=5 # programs

cat >"$work/app.js" <<'EOF2'
'use strict';
require('http').createServer(function served(request, response) {
	response.end(`${process.debugPort} ${Reflect.ownKeys(globalThis).length} ${process.listenerCount('SIGUSR1')}`);
}).listen(process.env.PORT, '127.0.0.1');
setInterval(function turn() { for (const end = Date.now() + 4; Date.now() < end;); }, 20);
EOF2
# Asks all ports without a pause; at the end it tells how many were answered, and what went wrong.
cat >"$work/client.js" <<'EOF2'
'use strict';
const http = require('http'), fs = require('fs');
let n = 0, bad = 0, ends = false;
function ask(port) {
	http.get({ port, host: '127.0.0.1', agent: false }, r => { r.resume(); r.on('end', () => { n++; again(port); }); })
		.on('error', e => { bad++; fs.appendFileSync(`${process.argv[2]}.bad`, e.message + "\n"); again(port); });
}
const again = port => ends || setTimeout(ask, 5, port);
[4001, 4002, 4003].forEach(ask);
process.on('SIGTERM', () => { ends = true; setTimeout(() => { fs.writeFileSync(process.argv[2], `${n} ${bad}`); process.exit(); }, 500); });
EOF2

pm2() { node "$pm2" --silent "$@" >>"$work/pm2.log" 2>&1; }

# The ports on which a process listens.
ports() {
	for inode in $(ls -l "/proc/$1/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]$/\1/p'); do
		awk -v inode="$inode" '$4 == "0A" && $10 == inode { print $2 }' /proc/net/tcp
	done | sort
}

# What a recording could change: number, restarts and ports of each program and of the daemon, and what the
# programs tell of themselves.
state() {
	node "$pm2" jlist 2>/dev/null | sed -n '/^\[/p' | node -e '
		for (const p of JSON.parse(require("fs").readFileSync(0)))
			console.log(p.pid, p.name, p.pm2_env.exec_mode, p.pm2_env.status, p.pm2_env.restart_time);'
	for pid in $(cat "$work/pids"); do
		echo "$pid: $(ports "$pid" | tr '\n' ' ')"
	done
	for port in 4001 4002 4003 4003 4003; do
		node -e 'require("http").get({ port: process.argv[1] }, r => r.pipe(process.stdout))' $port
		echo
	done
}

check_all() {
	wait_until 'state >"$work/after"; cmp -s "$work/before" "$work/after"' ||
		{ failed "$1: not as before"; diff "$work/before" "$work/after"; }
	[ ! -e "$work/answers.bad" ] || failed "$1: $(sort "$work/answers.bad" | uniq -c)"
}

(
	cd "$work" || exit 1
	for k in 1 2; do PORT=400$k pm2 start app.js --name "own$k"; done
	PORT=4003 pm2 start app.js --name cluster -i 3
)
daemon=$(cat "$PM2_HOME/pm2.pid")
pids="$pids $daemon"
{ echo "$daemon"; node "$pm2" jlist | sed -n '/^\[/p' | node -e '
	for (const p of JSON.parse(require("fs").readFileSync(0))) console.log(p.pid);'; } >"$work/pids"
pids="$pids $(tr '\n' ' ' <"$work/pids")"
[ "$(wc -l <"$work/pids")" = $((N + 1)) ] || failed "pm2 runs $(cat "$work/pids"): $(cat "$work/pm2.log")"
node "$work/client.js" "$work/answers" >"$work/client.log" 2>&1 &
client=$!
pids="$pids $client"
sleep 1
state >"$work/before"
[ "$(grep -c ' online 0$' "$work/before")" = $N ] || failed "pm2 does not run $N programs: $(cat "$work/before")"

# The daemon and the client are processes of Node.js, too.
run 0 attach -t 1s --all-node --report --top=20
has "$((N + 2)) lanes" "--all-node"
check_all "--all-node"
run 0 attach -t 1s --report --top=20 "*app.js"
has "$N lanes" "a pattern"
has "node app.js: main thread" "a pattern"
check_all "a pattern"
run 0 attach -t 1s --tree --report --top=20 "$daemon"
has "$((N + 1)) lanes" "--tree"
check_all "--tree"
for pause in 0.5 1.5; do
	"$FLAMETTY" attach -t 20s --all-node >"$work/out" 2>&1 &
	flametty=$!
	sleep $pause
	kill -9 "$flametty"
	wait "$flametty" 2>/dev/null
	check_all "killed after $pause s"
done

kill -TERM "$client"
wait "$client"
read -r n bad <"$work/answers"
[ "$n" -gt 100 ] && [ "$bad" = 0 ] || failed "$n answers, $bad failures"
pm2 kill
[ "$n_failed" = 0 ] && echo "pm2: all as it should be, $n answers"
[ "$n_failed" = 0 ]
