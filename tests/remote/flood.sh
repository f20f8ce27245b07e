#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An inspector that sends without end keeps no recording from its end: the time of -t, SIGINT and
# SIGTERM.
set -u

here=$(cd "$(dirname "$0")" && pwd)
command=attach inspector=fake
. "$(dirname "$0")/lib.sh"
begin_remote

# start NAME KIND COMMAND [ARGUMENT...]: records a flood of that kind; $pid is flametty.
start() {
	name=$1
	shift
	python3 -B "$here/fake_inspector.py" "--flood=$1" >"$work/$name.port" 2>/dev/null &
	pids="$pids $!"
	wait_until '[ -s "$work/$name.port" ]' || { echo "no inspector"; exit 1; }
	shift
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$FLAMETTY" "$@" "127.0.0.1:$(cat "$work/$name.port")" \
		>"$work/$name.out" 2>&1 &
	pid=$!
	pids="$pids $pid"
}

# check NAME PID: ends by itself.
check() {
	ended=$2
	wait_until '! kill -0 "$ended" 2>/dev/null' || failed "$1: it does not end"
}

start shown pings live --no-config -t 1s --render=80x24
shown=$pid
start watched events watch --stall=1s
watched=$pid
start answers answers attach -t 100s --report
at_first=$pid
sleep 1
kill -TERM "$watched" || n_failed=1
kill -INT "$at_first" || n_failed=1
check "live -t" "$shown"
check "watch and SIGTERM" "$watched"
check "attach, the first call and SIGINT" "$at_first"

[ "$n_failed" = 0 ] || exit 1
echo "flood: all as it should be"
