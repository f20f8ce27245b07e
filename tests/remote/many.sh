#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Several processes at once that were told nothing about their inspectors: each is recorded, at the same
# time as the others, and is as before. NODES: programs of Node.js, in turn; the one in PATH by default.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote
N=6

cat >"$work/many.js" <<'EOF2'
'use strict';
const cluster = require('cluster'), fs = require('fs');
if (process.argv[3] === 'cluster' && cluster.isPrimary) {
	for (let i = 0; i < 3; i++)
		cluster.fork();
	let n = 0;
	cluster.on('listening', () => ++n === 3 &&
		fs.writeFileSync(process.argv[2], Object.values(cluster.workers).map(w => w.process.pid).join(' ')));
} else {
	process.on('SIGUSR2', () => fs.writeFileSync(`${process.argv[2]}.left`, `${process.debugPort} ${Reflect.ownKeys(globalThis).length}`));
	require('http').createServer(function served(request, response) { response.end(); }).listen(0, '127.0.0.1', () =>
		process.argv[3] !== 'cluster' && fs.writeFileSync(process.argv[2], ''));
}
setInterval(function turn() { for (const end = Date.now() + 4; Date.now() < end;); }, 20);
EOF2

# The ports on which a process listens.
ports() {
	for inode in $(ls -l "/proc/$1/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]$/\1/p'); do
		awk -v inode="$inode" '$4 == "0A" && $10 == inode { print $2 }' "/proc/$1/net/tcp"
	done | sort
}

# What the process could have kept.
left_in() {
	rm -f "$2.left"
	kill -USR2 "$1"
	wait_until "test -s '$2.left'" || failed "process $1 does not answer"
	cat "$2.left"
	ports "$1"
}

list= k=0
while [ $k -lt $N ]; do
	for node in ${NODES:-node}; do
		[ $k -lt $N ] || break
		k=$((k + 1))
		"$node" "$work/many.js" "$work/ready.$k" >"$work/log.$k" 2>&1 &
		pids="$pids $!"
		list="$list $!"
	done
done
k=0
for pid in $list; do
	k=$((k + 1))
	wait_until "test -e '$work/ready.$k'" || { failed "node does not start"; exit 1; }
	left_in "$pid" "$work/ready.$k" >"$work/before.$k"
done

check_all() {
	k=0
	for pid in $list; do
		k=$((k + 1))
		wait_until "left_in $pid '$work/ready.$k' | cmp -s - '$work/before.$k'" ||
			failed "$1: process $pid: $(left_in "$pid" "$work/ready.$k"), not $(cat "$work/before.$k")"
	done
}

# shellcheck disable=SC2086
run 0 attach -t 1s -o "$work/all.d/" --report --format=json $list
[ "$(ls "$work/all.d" | wc -l)" = $((N + 1)) ] || failed "files: $(ls "$work/all.d")"
check_all "by number"
# All at the same time.
"$FLAMETTY" report --table=lanes -f csv "$work/all.d" >"$work/out" 2>&1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "start_us") from = i; else if ($i == "duration_us") len = i }
	NR > 1 && /,samples/ { end = $from + $len; if (first == "" || end < first) first = end; if ($from > last) last = $from }
	END { exit !(from && len && NR > 1 && last < first) }' "$work/out" || failed "they are not recorded at the same time"

# A pattern, an option, and one that fails: the others do not.
"$node" -e 'process.on("SIGUSR1", () => {}); setInterval(() => {}, 1000); require("fs").writeFileSync(process.argv[2], "")' \
	many.js "$work/ready.own" &
own=$!
pids="$pids $own"
wait_until 'test -e "$work/ready.own"' || failed "node does not start"
run 1 attach -t 300ms --report --top=1 "many*.js"
has "process $own: " "a process that handles SIGUSR1"
[ "$(grep -c "^flametty: process" "$work/out")" = 1 ] || failed "one failure is more than one line"
has "$N lanes" "a pattern"
check_all "a pattern"
kill -9 "$own"
wait "$own" 2>/dev/null

# One that has a port of its own stays there.
"$node" --inspect-port=0 "$work/many.js" "$work/ready.own" >"$work/log.own" 2>&1 &
own=$!
pids="$pids $own"
wait_until 'test -e "$work/ready.own"' || failed "node does not start"
run 0 attach -t 300ms --report --top=1 "$own" "${list##* }"
[ "$(grep -c 'Debugger listening' "$work/log.own")" = 1 ] || failed "--inspect-port=0: $(cat "$work/log.own")"
kill -9 "$own"
wait "$own" 2>/dev/null

# A cluster.
rm -f "$work/ready"
node "$work/many.js" "$work/ready" cluster >"$work/node.log" 2>&1 &
cluster=$!
pids="$pids $cluster"
wait_until 'test -s "$work/ready"' || failed "the cluster does not start"
before=$(ports "$cluster")
run 1 attach -t 300ms --report "$cluster"
has "it is the main process of a cluster" "the main process alone"
run 0 attach -t 300ms --tree --report --top=1 "$cluster"
has "4 lanes" "a cluster"
wait_until '[ "$(ports "$cluster")" = "$before" ]' || failed "a cluster: the inspector is open"
! grep 'failed' "$work/node.log" || failed "a cluster: a worker could not open its inspector"
for pid in $(cat "$work/ready"); do
	[ "$(ports "$pid")" = "" ] || failed "a cluster: the inspector of worker $pid is open"
done
kill -9 "$cluster" $(cat "$work/ready")

# flametty dies while it opens them, or records them.
for pause in 0.2 0.4 0.8 2; do
	# shellcheck disable=SC2086
	"$FLAMETTY" attach -t 20s $list >"$work/out" 2>&1 &
	flametty=$!
	sleep $pause
	kill -9 "$flametty"
	wait "$flametty" 2>/dev/null
	check_all "killed after $pause s"
done

# All that run: in a PID namespace, as others of the machine are not ours.
if unshare -pf --mount-proc true 2>/dev/null; then
	cat >"$work/space.sh" <<-'EOF2'
		for k in 1 2 3; do
			node "$1/many.js" "$1/space.$k" >/dev/null 2>&1 &
		done
		while ! [ -e "$1/space.1" -a -e "$1/space.2" -a -e "$1/space.3" ]; do sleep 0.1; done
		"$2" attach -t 300ms --all-node -o "$1/node.d/" --report --top=1 >"$1/out" 2>&1
		echo $? >"$1/status"
	EOF2
	unshare -pf --mount-proc sh "$work/space.sh" "$work" "$FLAMETTY"
	[ "$(cat "$work/status")" = 0 ] || failed "--all-node: status $(cat "$work/status")"
	has "3 lanes" "--all-node"
fi

[ $n_failed = 0 ] || echo "$n_failed failed"
[ $n_failed = 0 ]
