#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty dies by SIGKILL, or can read no more, just when the process sends: Node.js 18 to 24 crashes
# where a connection ends without a close frame at such a moment. The process goes on, an inspector that
# was opened is closed, and one that was open stays so, without a connection. Then: it cannot see the
# ports of the process.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../preload.sh"
build_library fail_call.c
library=$all/fail.so
begin_remote
trap 'clean_up; rm -rf "$all"' EXIT

cat >"$work/count.js" <<'EOF'
'use strict';
let n = 0;
setInterval(() => { for (const end = Date.now() + 3; Date.now() < end; n++); }, 5);
require('fs').writeFileSync(process.argv[2], '');
EOF

# Whether no connection to port 9229 is left (01: ESTABLISHED, 08: CLOSE_WAIT).
is_alone() {
	! awk '$2 ~ /:240D$/ && ($4 == "01" || $4 == "08") { found = 1 } END { exit !found }' \
		"/proc/$pid/net/tcp"
}

# dies SETTING...: what fail_call.c shall do with recv().
dies() {
	env "$@" LD_PRELOAD="$library" FAIL_CALL=recv FAIL_CALL_SECONDS=20 \
		"$program" attach --report -t 300ms -o "$work/recording" "$pid" >"$work/out" 2>&1
	got=$?
	rm -rf "$work/recording"
}

start count.js
for at in 6 10 14 16 17 18 19 20; do
	dies FAIL_CALL_KILL=1 FAIL_CALL_AT=$at
	[ $got = 137 ] || [ $got = 0 ] || failed "killed at $at: status $got"
	n_killed=$((${n_killed:-0} + (got == 137)))
	check_left "$pid" "killed at $at"
	wait_until is_alone || failed "killed at $at: a connection is left"
	dies FAIL_CALL_FROM=$at
	[ $got = 1 ] || [ $got = 0 ] || failed "deaf from $at on: status $got"
	check_left "$pid" "deaf from $at on"
done
[ "$n_killed" -ge 3 ] || failed "only $n_killed were killed"
stop "$pid"

start count.js --inspect
for at in 8 12 16 20; do
	dies FAIL_CALL_KILL=1 FAIL_CALL_AT=$at
	[ $got = 137 ] || [ $got = 0 ] || failed "--inspect, killed at $at: status $got"
	kill -0 "$pid" 2>/dev/null || failed "--inspect, killed at $at: the process has ended"
	is_open "$pid" || failed "--inspect, killed at $at: the inspector is closed"
	wait_until is_alone || failed "--inspect, killed at $at: a connection is left"
done
stop "$pid"

# The ports of the process cannot be seen: its own is that of its command line, and 9229 is another's.
listens() {
	for inode in $(awk '$4 == "0A" { print $10 }' "/proc/$pid/net/tcp"); do
		ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "socket:\[$inode\]" && return 0
	done
	return 1
}

start count.js --inspect
other=$pid
start count.js --inspect-port=39229
for at in 5 6 7 8 9 10; do
	run_blind=$(env LD_PRELOAD="$library" FAIL_CALL=opendir FAIL_CALL_FROM=$at FAIL_CALL_SECONDS=20 \
		"$program" attach --report -t 300ms -o "$work/recording" "$pid" 2>&1)
	case $run_blind in *"belongs to process $other"*) failed "blind from $at on: $run_blind" ;; esac
	rm -rf "$work/recording"
	kill -0 "$pid" 2>/dev/null || failed "blind from $at on: the process has ended"
	wait_until '! listens' || failed "blind from $at on: the inspector is open"
done
stop "$pid"
stop "$other"

[ "$n_failed" = 0 ] || exit 1
echo "dies: all as it should be"
