#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The list of flametty live with several processes of Node.js: one ends, one begins, one is entered and
# left; and each is as before.
set -u

command=live
. "$(dirname "$0")/lib.sh"
begin_remote
command -v tmux >/dev/null || { echo "tmux is missing"; exit 77; }
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR

# A server that is busy for a part of the time; a worker of a cluster, with its main process.
cat >"$work/listed.js" <<'EOF'
'use strict';
const cluster = require('cluster'), fs = require('fs'), [, , ready, share] = process.argv;
process.on('SIGUSR2', () => fs.writeFileSync(`${ready}.left`, `${process.debugPort} ${Reflect.ownKeys(globalThis).length} ${process._getActiveHandles().length}`));
if (share === 'cluster' && cluster.isPrimary) {
	cluster.fork().on('online', () => fs.writeFileSync(ready, ''));
} else {
	setInterval(function refresh() { for (const end = Date.now() + +share; Date.now() < end;); }, 100);
	require('http').createServer((request, response) => response.end()).listen(0, '127.0.0.1', () =>
		share !== 'cluster' && fs.writeFileSync(ready, ''));
}
EOF

# The ports on which a process listens.
ports() {
	for inode in $(ls -l "/proc/$1/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]$/\1/p'); do
		awk -v inode="$inode" '$4 == "0A" && $10 == inode { print $2 }' "/proc/$1/net/tcp"
	done | sort
}

n=0
begin() { # the share of 100 ms that it is busy for
	n=$((n + 1))
	ready=$work/ready.$n
	node "$work/listed.js" "$ready" "$1" >"$work/log.$n" 2>&1 &
	pid=$!
	pids="$pids $pid"
	wait_until "test -e '$ready'" || { failed "node does not start"; exit 1; }
}
left_in() { # process, its file
	rm -f "$2.left"
	kill -USR2 "$1"
	wait_until "test -s '$2.left'" || failed "process $1 does not answer"
	cat "$2.left"
	ports "$1"
}

begin 80
busy=$pid busy_file=$ready
begin 5
calm=$pid calm_file=$ready
begin 20
ends=$pid
begin cluster
primary=$pid
before_busy=$(left_in "$busy" "$busy_file")
before_calm=$(left_in "$calm" "$calm_file")

tmux=flametty-procs-$$
screen() { tmux -L "$tmux" capture-pane -p >"$work/out" 2>/dev/null; }
shows() { screen && grep -q -e "$1" "$work/out"; }
press() { tmux -L "$tmux" send-keys "$@"; }
row() { shows "node listed.js.* $1 .*$2"; }

began=$(date +%s)
tmux -L "$tmux" -f /dev/null new-session -d -x 200 -y 30 \
	"'$FLAMETTY' live --no-config --tree 'listed.j[s]'; echo ended with \$?; sleep 100"
wait_until 'shows "Processes .* of 5"' || failed "the list has not all"
for pid in $busy $calm $ends $primary; do
	wait_until "row $pid '[0-9] %'" || failed "process $pid is not measured"
done
# V8 may have moved it into the loop of timers, and tells of that only.
wait_until "row $busy '\(refresh  listed.js\|listOnTimeout  timers\):[0-9]'" || failed "no function"
wait_until "row $primary '' && shows ' primary '" || failed "no primary"
shows ' worker ' || failed "no worker"
# It is about no time before it began.
wait_until 'shows " Processes .* the last [0-9.]* s "' || failed "no time"
length=$(sed -n 's/.* Processes .* the last \([0-9]*\)[0-9.]* s .*/\1/p' "$work/out" | head -n 1)
[ "$length" -le $(($(date +%s) - began + 1)) ] || failed "it is of the last $length s"
# The busiest comes first; then by number.
screen
sed -n 5p "$work/out" | grep -q " $busy " || failed "the busiest is not the first"
press j
press '<'
wait_until 'shows "Pid▾"' || failed "not sorted by number"
press I

# ---- they come and go ----
begin 40
new=$pid
wait_until "row $new '[0-9] %'" || failed "the new process is not there"
kill -9 "$ends"
wait_until "row $ends 'ended'" || failed "the process that has ended is not told"
wait_until "! row $ends ''" || failed "the process that has ended stays"

# ---- one of them ----
press /
press "$busy" Enter
wait_until 'shows "Processes .* 1 of 1 *$"' || failed "no filter"
press Enter
wait_until 'shows " 7 Live .*shares of the last" && shows "refresh\|listOnTimeout"' || failed "Enter does not show the process"
wait_until 'shows " live [0-9][0-9]:"' || failed "its picture does not move"
press p
wait_until 'shows "frozen: everything"' || failed "it cannot be frozen"
press Escape
wait_until 'shows "Processes .* 1 of 1 *$"' || failed "Esc does not come back"
press Escape
wait_until 'shows "Processes .* of 5 *$"' || failed "the filter stays"
press q
wait_until 'shows "ended with 0"' || failed "it does not end"
tmux -L "$tmux" kill-server
tmux=

# ---- as text ----
run 0 live --no-config --render=120x30 -t 3s --keys='<Enter>' "$busy" "$calm"
has '^ node listed.js.* live [0-9][0-9]:' "Enter before the picture"
run 0 live --no-config --render=120x30 -t 3s --keys='<Enter><Esc>' "$busy" "$calm"
has 'Processes .* 1 of 2 *|$' "Esc before the picture"

# ---- killed ----
check_all() {
	wait_until '[ "$(left_in "$busy" "$busy_file")" = "$before_busy" ]' ||
		failed "$1: $(left_in "$busy" "$busy_file") is left, not $before_busy"
	wait_until '[ "$(left_in "$calm" "$calm_file")" = "$before_calm" ]' ||
		failed "$1: $(left_in "$calm" "$calm_file") is left, not $before_calm"
	for pid in $busy $calm $primary $new; do
		kill -0 "$pid" || failed "$1: process $pid has ended"
		wait_until "! is_taken $pid" || failed "$1: process $pid is still recorded"
	done
}
check_all "ended"
closed=$(ports "$busy")
"$FLAMETTY" live --no-config --render=100x30 -t 60s "$busy" "$calm" >"$work/out" 2>&1 &
flametty=$!
wait_until '[ "$(ports "$busy")" != "$closed" ]' || failed "the inspector does not open"
sleep 2
kill -9 "$flametty"
wait "$flametty" 2>/dev/null
check_all "killed"

[ $n_failed = 0 ] || echo "$n_failed failed"
[ $n_failed = 0 ]
