#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty attach on real processes of Node.js: what is recorded, and that each of them survives with
# its inspector closed. RECORDS_PROCESSES=no: skip that.
set -u

[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
command -v node >/dev/null 2>&1 || { echo "node is missing"; exit 77; }
[ -d /proc/self/fd ] || { echo "there is no /proc"; exit 77; }
FLAMETTY=${FLAMETTY:-$PWD/flametty}
"$FLAMETTY" --help | grep -q 'flametty attach' || { echo "built without attach"; exit 77; }
# Runtimes open their inspector on one port.
if awk '$4 == "0A" && $2 ~ /:240D$/ { found = 1 } END { exit !found }' /proc/net/tcp; then
	echo "port 9229 is in use on this machine"
	exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
TMPDIR=$work
export TMPDIR
n_failed=0
pids=

clean_up() {
	for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

failed() {
	echo "FAILED: $*"
	[ ! -s "$work/out" ] || sed 's/^/    /' "$work/out" | head -30
	n_failed=$((n_failed + 1))
}

# Wait until a command succeeds.
wait_until() {
	i=0
	until eval "$1"; do
		i=$((i + 1))
		[ "$i" -lt 300 ] || return 1
		sleep 0.1
	done
}

# start SCRIPT [OPTION...]: run it; $pid is its number. The script writes a file when it is ready.
start() {
	script=$1
	shift
	rm -f "$work/ready"
	node "$@" "$work/$script" "$work/ready" >"$work/node.log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	wait_until 'test -e "$work/ready"' || { failed "node does not start"; exit 1; }
}

stop() {
	kill -9 "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# Whether one of the sockets of the process listens on port 9229 (240D in hexadecimal).
is_open() {
	for inode in $(awk '$4 == "0A" && $2 ~ /:240D$/ { print $10 }' "/proc/$1/net/tcp"); do
		ls -l "/proc/$1/fd" 2>/dev/null | grep -q "socket:\[$inode\]" && return 0
	done
	return 1
}

# The process is alive and its inspector is closed.
check_left() {
	kill -0 "$1" 2>/dev/null || failed "$2: the process has ended"
	wait_until "! is_open $1" || failed "$2: the inspector is open"
}

# run STATUS ARGUMENT...: the program with that exit status.
run() {
	want=$1
	shift
	"$FLAMETTY" "$@" >"$work/out" 2>&1
	got=$?
	[ "$got" = "$want" ] || failed "flametty $*: status $got, not $want"
}

has() { grep -q -e "$1" "$work/out" || failed "$2: no '$1'"; }

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
	{ eval: true });
w.on('message', () => require('fs').writeFileSync(process.argv[2], ''));
setInterval(() => {}, 1000);
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
start server.js
run 0 attach -t 1.2s "$pid"
has 'heavy  *server.js:2' "functions"
has '1 lane\|main thread' "one lane"
check_left "$pid" "one recording"
run 0 attach -t 300ms --report server.js
has heavy "by name"
check_left "$pid" "a second recording"
run 0 attach -t 300ms -o "$work/one.cpuprofile" "$pid"
run 0 report "$work/one.cpuprofile"
has heavy "the file"
run 1 attach -t 300ms -o "$work/one.cpuprofile" "$pid"
has 'ists' "no file is replaced"
run 0 attach -t 300ms -o "$work/out.d/" "$pid"
ls "$work"/out.d/CPU.*."$pid".0.000.cpuprofile >/dev/null || failed "names of files"
[ -z "$(ls -d "$work"/flametty-?????? 2>/dev/null)" ] || failed "a folder is left"

# ---- ends ----
"$FLAMETTY" attach -t 20s "$pid" >"$work/out" 2>&1 &
flametty=$!
wait_until "is_open $pid" || failed "the inspector does not open"
sleep 1
kill -INT "$flametty"
wait "$flametty"
status=$?
# A shell without job control starts commands with SIGINT ignored.
if [ "$status" = 0 ]; then has heavy "ended early"; else kill -9 "$flametty" 2>/dev/null; fi
check_left "$pid" "SIGINT"
for signal in TERM KILL; do
	"$FLAMETTY" attach -t 20s "$pid" >"$work/out" 2>&1 &
	flametty=$!
	wait_until "is_open $pid" || failed "the inspector does not open ($signal)"
	kill -s "$signal" "$flametty"
	wait "$flametty"
	status=$?
	case $signal in TERM) want=143 ;; KILL) want=137 ;; esac
	[ "$status" = "$want" ] || failed "$signal: status $status"
	check_left "$pid" "SIG$signal"
done
stop "$pid"

# ---- workers, a loop that never ends ----
start workers.js
run 0 attach --all -t 1s "$pid"
has inWorker "the worker"
has 'worker 1' "its lane"
check_left "$pid" "workers"
stop "$pid"
start endless.js
run 0 attach -t 1s "$pid"
has spin "a loop that never ends"
kill -0 "$pid" || failed "endless.js has ended"
stop "$pid"

# ---- refusals ----
start handler.js
run 1 attach -t 1s "$pid"
has 'may handle SIGUSR1 itself' "own handler"
check_left "$pid" "own handler"
stop "$pid"
if node --disable-sigusr1 -e 0 2>/dev/null; then
	start server.js --disable-sigusr1
	run 1 attach -t 1s "$pid"
	has 'disable-sigusr1' "--disable-sigusr1"
	check_left "$pid" "--disable-sigusr1"
	stop "$pid"
fi
sleep 1000 &
pid=$!
pids="$pids $pid"
run 1 attach -t 1s "$pid"
has 'no JavaScript runtime' "another program"
kill -0 "$pid" || failed "SIGUSR1 went to another program"
kill "$pid"
run 1 attach 4194999
has 'no process 4194999' "no process"
run 1 attach no-such-script.js
has 'no JavaScript process has this word' "no name"
run 2 attach -t never 1
run 2 attach --interval 3s 1
run 2 attach --all -o "$work/file" 1

# ---- two at once: one port for both ----
start server.js
first=$pid
start endless.js
"$FLAMETTY" attach -t 20s "$first" >/dev/null 2>&1 &
flametty=$!
wait_until "is_open $first" || failed "the inspector does not open"
run 1 attach -t 1s "$pid"
has "port 9229 is held by process $first" "the port is taken"
kill -TERM "$flametty"
wait "$flametty"
check_left "$first" "the port is taken"
kill -0 "$pid" || failed "endless.js has ended"
stop "$first"
stop "$pid"

[ "$n_failed" = 0 ] && echo "attach: all as it should be"
[ "$n_failed" = 0 ]
