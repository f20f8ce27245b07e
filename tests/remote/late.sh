#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that get SIGUSR1 late, or act on it late: their inspectors do not stay open, also when
# flametty has ended by then, and the reason is given. Nothing is sent where that can be known before.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote

cat >"$work/call.js" <<'EOF'
'use strict';
process.on('SIGUSR2', () => require('child_process').execSync('sleep 5'));
setInterval(() => {}, 1000);
require('fs').writeFileSync(process.argv[2], '');
EOF

is_in_call() { [ -n "$(cat "/proc/$pid/task/$pid/children")" ]; }

begin_call() {
	kill -USR2 "$pid"
	wait_until is_in_call || failed "no call"
}

# Whether a process has our argument in its command line: the guard.
has_guard() { grep -lsa "$1" /proc/[0-9]*/cmdline | grep -q .; }

# ---- stopped ----
start call.js
kill -STOP "$pid"
run 1 attach -t 1s "$pid"
has 'it is stopped: nothing was sent' "stopped"
kill -CONT "$pid"
sleep 1
! is_open "$pid" || failed "stopped: the inspector is open"
[ ! -s "$work/node.log" ] || failed "stopped: the program says $(cat "$work/node.log")"

# ---- one long call: flametty ends, the guard stays ----
for try in 1 2 3; do
	begin_call
	"$FLAMETTY" attach -t 611s "$pid" >"$work/out" 2>&1 &
	flametty=$!
	# The signal may wait for a free processor for a second. On a busy machine it takes longer: again.
	sleep 2.5
	kill -TERM "$flametty"
	wait "$flametty"
	[ $? = 143 ] || failed "it does not end while the program is busy"
	! has_guard '61[1]s' || break
	wait_until '! is_in_call' || failed "try $try: the call does not end"
done
! grep -q 'handle SIGUSR1 itself' "$work/out" || failed "a false reason"
has_guard '61[1]s' || failed "no guard waits"
wait_until 'grep -q "Debugger listening" "$work/node.log"' || failed "the inspector does not open"
wait_until "! is_open $pid" || failed "a long call: the inspector stays open"
wait_until "! has_guard '61[1]s'" || failed "the guard does not end"
check_left "$pid" "a long call"

# ---- it ends before it answers ----
begin_call
"$FLAMETTY" attach -t 612s "$pid" >"$work/out" 2>&1 &
flametty=$!
wait_until 'is_taken "$pid"' || failed "a process that ends: it is not taken"
kill -9 "$pid"
wait "$flametty"
has 'it has ended' "a process that ends"
wait_until "! has_guard '61[2]s'" || failed "the guard waits for a process that has ended"

# ---- it becomes another program while we wait ----
# A shell with a handler that is called node, and becomes one without a handler, which SIGUSR1 ends.
shell=$(command -v bash) && cp "$shell" "$work/node"
if [ -x "$work/node" ]; then
	cat >"$work/becomes.sh" <<'EOF'
trap : USR1
until [ -e "$1" ]; do :; done
exec sleep 30
EOF
	"$work/node" "$work/becomes.sh" "$work/go" &
	pid=$!
	pids="$pids $pid"
	wait_until 'grep -q "^SigCgt:.*[2367abef]..$" "/proc/$pid/status"' || failed "no handler"
	"$FLAMETTY" attach -t 1s "$pid" >"$work/out" 2>&1 &
	flametty=$!
	# It waits now for a moment in which it can send the signal.
	wait_until 'is_port_taken 9229' || failed "exec: it does not wait"
	: >"$work/go"
	wait "$flametty"
	[ $? = 1 ] || failed "exec: the status is not 1"
	has 'it is another program now, as after exec(): nothing was sent' "exec"
	kill -0 "$pid" || failed "exec: the process has ended"
	stop "$pid"
fi

# ---- one flametty for a process ----
start call.js
"$FLAMETTY" attach -t 20s "$pid" >/dev/null 2>&1 &
flametty=$!
wait_until "is_open $pid" || failed "the inspector does not open"
run 1 attach -t 1s "$pid"
has "recorded already, by flametty (process $flametty)" "a second flametty"
is_open "$pid" || failed "the second has closed the inspector of the first"
kill -TERM "$flametty"
wait "$flametty"
check_left "$pid" "two of flametty"

# ---- one port for two processes: the second opens when the first has left it ----
first=$pid
mv "$work/node.log" "$work/first.log"
start call.js
run 0 attach -t 300ms "$first" "$pid"
if grep -q 'Starting inspector' "$work"/*.log; then failed "two processes: $(cat "$work/node.log")"; fi
check_left "$first" "two processes"
check_left "$pid" "two processes"
stop "$first"
stop "$pid"

[ "$n_failed" = 0 ] || exit 1
echo "late: all as it should be"
