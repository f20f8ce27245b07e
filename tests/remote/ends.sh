#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that end at random moments while they are recorded: each of them ends as it does alone,
# with the same status and the same output.
#
# usage: ends.sh [COUNT [NODE [SEED [late]]]]
# COUNT programs (10), each with its time and its way to end; NODE: the program `node` that runs them,
# or several, separated by blanks; SEED: a number that gives the same programs again. late: flametty
# begins within 60 ms of the end, before or after. That is the moment in which Node.js aborts if its
# own thread acts on the signal too late: one program in some thousands, on a busy machine.
set -u

command=attach
n_runs=${1:-${ENDS:-10}}
nodes=${2:-node}
seed=${3:-$(date +%s)}
is_late=${4:-}
. "$(dirname "$0")/lib.sh"
begin_remote
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR

# WAY MILLISECONDS: works until then, and ends.
cat >"$work/ends.cjs" <<'EOF'
'use strict';
const way = process.argv[2], ms = +process.argv[3], until = Date.now() + ms;
const { Worker } = require('worker_threads');
function spin(t) { const end = Date.now() + t; let x = 0; while (Date.now() < end) x += x % 7; return x; }
const timer = setInterval(() => spin(2), 5);
process.on('exit', status => console.log('exit', status));
process.on('beforeExit', () => console.log('beforeExit'));
if (way === 'worker')
	new Worker(`${spin}; setInterval(() => spin(2), 5);`, { eval: true });
console.log('begins');
switch (way) {
case 'loop': spin(ms); clearInterval(timer); break;
case 'native': require('child_process').execSync(`sleep ${ms / 1000}`); clearInterval(timer); break;
case 'end': setTimeout(() => clearInterval(timer), ms); break;
case 'exit': case 'worker': setTimeout(() => process.exit(7), ms); break;
case 'loop-exit': setImmediate(() => { spin(ms); process.exit(7); }); break;
case 'throw': setTimeout(() => { throw new Error('as it shall'); }, ms); break;
case 'signal': setTimeout(() => process.kill(process.pid, 'SIGTERM'), ms); break;
}
EOF
{ echo "import { createRequire } from 'module'; const require = createRequire(import.meta.url);"
  sed "s/^'use strict';//" "$work/ends.cjs"; } >"$work/ends.mjs"

# The numbers of all runs: WAY FILE MILLISECONDS, and COMMAND MILLISECONDS of flametty, which begins
# after SECONDS.
awk -v n="$n_runs" -v seed="$seed" -v late="$is_late" 'BEGIN {
	srand(seed)
	n_ways = split("end end exit exit loop native worker loop-exit throw signal", way, " ")
	n_how = split("attach attach attach all heap heap-all watch live", how, " ")
	for (i = 0; i < n; i++) {
		ms = int(100 + rand() * (late ? 300 : 1000))
		delay = late ? ms - 60 + rand() * 80 : 0
		w = way[1 + int(rand() * n_ways)]
		# A busy program gets the signal when it is three seconds old.
		if (!late && w ~ /loop/ && rand() < 0.3)
			ms += 2700
		print w, rand() < 0.5 ? "ends.cjs" : "ends.mjs", ms, \
			how[1 + int(rand() * n_how)], int(100 + rand() * 800), (delay > 0 ? delay / 1000 : 0)
	}
}' >"$work/plan"

# flametty_once HOW MILLISECONDS PID
flametty_once() {
	case $1 in
	attach) "$FLAMETTY" attach -t "${2}ms" --report "$3" ;;
	all) "$FLAMETTY" attach --all -t "${2}ms" --report "$3" ;;
	heap) "$FLAMETTY" attach --heap -t "${2}ms" --report "$3" ;;
	heap-all) "$FLAMETTY" attach --heap --all -t "${2}ms" --report "$3" ;;
	live) "$FLAMETTY" live --no-config --all -t "${2}ms" --render=100x30 "$3" ;;
	watch)
		"$FLAMETTY" watch --all --stall=1s "$3" &
		watcher=$!
		sleep "$(awk -v ms="$2" 'BEGIN { print ms / 1000 }')"
		kill -TERM "$watcher" 2>/dev/null
		wait "$watcher"
		;;
	esac >"$work/out" 2>&1
}

# What a way ends with, and prints.
expect() {
	status=0
	case $1 in
	exit | worker | loop-exit) status=7 ;;
	throw) status=1 ;;
	signal) status=143 ;;
	esac
	echo begins
	case $1 in end | loop | native) echo beforeExit ;; esac
	[ "$1" = signal ] || echo "exit $status"
}

n_recorded=0
n=0
for node in $nodes; do
	while read -r way file ms how length delay; do
		n=$((n + 1))
		what="$("$node" -v) run $n of seed $seed: $way $file $ms, $how $length"
		"$node" --inspect-port=0 "$work/$file" "$way" "$ms" >"$work/printed" 2>"$work/node.log" &
		pid=$!
		pids=$pid
		wait_until '[ -s "$work/printed" ]' || failed "$what: it does not start"
		[ "$delay" = 0 ] || sleep "$delay"
		flametty_once "$how" "$length" "$pid"
		got=$?
		wait "$pid"
		node_status=$?
		expect "$way" >"$work/expected"
		[ "$node_status" = "$status" ] || failed "$what: the program ends with $node_status, not $status"
		cmp -s "$work/printed" "$work/expected" || failed "$what: it prints $(tr '\n' ' ' <"$work/printed")"
		case $got in
		0 | 143) n_recorded=$((n_recorded + 1)) ;;
		1) ;;
		*) failed "$what: flametty ends with $got" ;;
		esac
		# A loop may still go on when the recording has ended.
		case $way in
		*loop* | native) ;;
		*) ! grep -q 'stays open' "$work/out" || failed "$what: its inspector stays open" ;;
		esac
	done <"$work/plan"
done
echo "ends: $n programs, $n_recorded of them recorded, $n_failed not as they should be"
[ "$n_failed" = 0 ]
