#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An inspector that sends without end keeps no recording from its end: the time of -t, SIGINT and
# SIGTERM.
set -u

here=$(cd "$(dirname "$0")" && pwd)
[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "python3 is missing"; exit 77; }
FLAMETTY=${FLAMETTY:-$PWD/flametty}
"$FLAMETTY" --help | grep -q 'flametty attach' || { echo "built without attach"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
TMPDIR=$work
export TMPDIR
floods=
trap 'kill -9 $floods 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_failed=0

# start NAME KIND COMMAND [ARGUMENT...]: records a flood of that kind; $pid is flametty.
start() {
	name=$1
	shift
	python3 -B "$here/fake_inspector.py" "--flood=$1" >"$work/$name.port" 2>/dev/null &
	floods="$floods $!"
	i=0
	until [ -s "$work/$name.port" ]; do
		i=$((i + 1))
		[ "$i" -lt 300 ] || { echo "no inspector"; exit 1; }
		sleep 0.1
	done
	shift
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$FLAMETTY" "$@" "127.0.0.1:$(cat "$work/$name.port")" \
		>"$work/$name.out" 2>&1 &
	pid=$!
	floods="$floods $pid"
}

# check NAME PID: ends by itself.
check() {
	i=0
	while kill -0 "$2" 2>/dev/null; do
		i=$((i + 1))
		if [ "$i" -gt 300 ]; then
			echo "FAILED: $1: it does not end"
			n_failed=$((n_failed + 1))
			return
		fi
		sleep 0.1
	done
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
