#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty watch --grow: a program whose memory grows is sampled, the function that keeps objects is named,
# and V8 samples nothing afterwards, also if flametty is killed meanwhile.
set -u

command=watch
. "$(dirname "$0")/lib.sh"
begin_remote

cat >"$work/leak.js" <<'EOF2'
'use strict';
const fs = require('fs'), inspector = require('inspector');
const kept = [];
function keepAll() {
	for (let i = 0; i < 250; i++) kept.push({ i, text: 'x'.repeat(100) + i, list: new Array(50).fill(i) });
}
function forgetAll() {
	let n = 0;
	for (let i = 0; i < 250; i++) n += JSON.stringify(new Array(50).fill(i)).length;
	return n;
}
setInterval(() => { keepAll(); forgetAll(); }, 50);
// V8 has one sampler of heaps, for all sessions.
process.on('SIGUSR2', () => {
	const session = new inspector.Session();
	session.connect();
	session.post('HeapProfiler.getSamplingProfile', error => {
		session.disconnect();
		fs.writeFileSync(`${process.argv[2]}.free`, error ? 'free' : 'V8 samples the heap');
	});
});
fs.writeFileSync(process.argv[2], '');
EOF2

says() { wait_until "grep -q -e '$1' '$work/out'" || failed "no '$1'"; }

# Whether V8 samples.
sampled() {
	rm -f "$work/ready.free"
	kill -USR2 "$pid"
	sleep 0.5
	grep -q samples "$work/ready.free"
}

# Whether V8 does not sample.
is_free() {
	rm -f "$work/ready.free"
	kill -USR2 "$pid"
	sleep 0.5
	grep -q free "$work/ready.free"
}

# It ends when the program has seen the end of the connection.
check_free() {
	wait_until is_free || failed "$1: $(cat "$work/ready.free")"
	check_left "$pid" "$1"
}

start leak.js
"$FLAMETTY" watch "$pid" --stall 0 --grow 15M/1min -o "$work/d" >"$work/out" 2>&1 &
flametty=$!
pids="$pids $flametty"
says "$pid grow [1-9][0-9.]* MB within [1-9].* s: keepAll leak.js:4 .* MB, [1-9][0-9]* %"
kill -TERM "$flametty"
wait "$flametty" 2>/dev/null
check_free "its end"
run 0 report --table=stalls "$work/d"
has "grow .*$pid leak.js .*keepAll leak.js:4" "the list of stalls"
stop "$pid"

# Killed when V8 samples.
for option in '' --all; do
	start leak.js
	# shellcheck disable=SC2086
	"$FLAMETTY" watch "$pid" --stall 0 --grow 5M/1min $option >"$work/out" 2>&1 &
	flametty=$!
	wait_until 'sampled' || failed "V8 does not sample"
	kill -9 "$flametty"
	wait "$flametty" 2>/dev/null
	check_free "killed $option"
	stop "$pid"
done
run 2 watch 1 --grow 20
has "grow wants a size of at least 1M, as 200M" "--grow"

[ "$n_failed" = 0 ] && echo "grow: all as it should be"
[ "$n_failed" = 0 ]
