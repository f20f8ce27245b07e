#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty watch on real processes of Node.js: what it says of stalls, the profiles that it writes,
# and that each process survives with its inspector closed.
set -u

command=watch
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
begin_remote

# The number of profiles in a folder.
count() { find "$1" -name 'CPU.*.cpuprofile' | wc -l; }

cat >"$work/two.js" <<'EOF'
'use strict';
function sortSlowly(ms) {
	const begin = process.cpuUsage().user;
	let n = 0;
	while (process.cpuUsage().user - begin < ms * 1000)
		n += Array.from({ length: 500 }, (_, i) => (i * 7919) % 1009).sort()[3];
	return n;
}
function runTool(s) { return require('child_process').execSync('sleep ' + s); }
setInterval(() => sortSlowly(3), 50);
const steps = [() => sortSlowly(400), () => runTool(0.7), () => process.exit()];
process.on('SIGUSR2', () => steps.shift()());
require('fs').writeFileSync(process.argv[2], '');
EOF
cat >"$work/again.js" <<'EOF'
'use strict';
function spinAgain(ms) {
	const begin = process.cpuUsage().user;
	let n = 0;
	while (process.cpuUsage().user - begin < ms * 1000) n += Math.sqrt(n);
	return n;
}
process.on('SIGUSR2', () => spinAgain(400));
setInterval(() => {}, 1e6);
require('fs').writeFileSync(process.argv[2], '');
EOF

# The process, which has no server, listens: its inspector may have a port of its own.
listens() {
	for inode in $(awk '$4 == "0A" { print $10 }' "/proc/$pid/net/tcp"); do
		ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "socket:\[$inode\]" && return 0
	done
	return 1
}

# says REGEX: wait until a line of flametty has it.
says() { wait_until "grep -q -e '$1' '$work/out'" || failed "no '$1'"; }

# ---- two stalls, and the end of the process ----
start two.js
"$FLAMETTY" watch "$pid" --stall 200ms --keep 1500ms --max 1 -o "$work/d" >"$work/out" 2>&1 &
flametty=$!
pids="$pids $flametty"
for line in " begin " " file " " at most .*: runTool "; do
	says "$line"
	kill -USR2 "$pid"
done
wait "$flametty"
status=$?
[ "$status" = 0 ] || failed "the end: status $status"
has "^20..-..-..T..:..:..\.....*:00 $pid begin .*two\.js" "the beginning"
# On a busy machine a stall takes so long that it is told while it goes on, too; the file may end before it.
events='1 event'
if grep -q 'open goes on' "$work/out"; then events='[12] events*'; fi
has "$pid \(stall at most\|open goes on,\) [0-9.]* m*s.*: sortSlowly two\.js:2 .* > $work/d/CPU\." "the first stall"
has "$pid sta[a-z]* at most .*: runTool two\.js:9 .*execSync" "the second stall"
has "runTool.* > $work/d/CPU" "the second file"
has "$pid file [1-9][0-9]*\.[0-9]* s, $events > $work/d/CPU\.[0-9.]*\.$pid\.0\.001\.cpuprofile" "the file"
has "$pid end the process has ended" "the end"
[ "$(grep -c ' stall .*sortSlowly' "$work/out")" = 1 ] || failed "not one line for a stall"
[ "$(count "$work/d")" = 1 ] || failed "--max=1, but $(count "$work/d") files"
[ -e "$(echo "$work"/d/CPU.*.002.cpuprofile)" ] || failed "--max=1: the older file stays"
[ "$(find "$work/d" | wc -l)" = 3 ] || failed "other files are left"
run 0 report --top=3 "$work"/d/CPU.*.cpuprofile
has "main thread (pid $pid): [1-9][0-9]*\.[0-9]* s" "the range of the file"
has 'runTool two.js:9' "its finding"
run 0 report --table=stalls "$work/d"
has "20..-..-.. ..:..:.. .* m*s  stall .*$pid two.js.* sortSlowly two.js:2" "the list of stalls"
has "stall .*$pid two.js.* runTool two.js:9" "the list of stalls"
run 0 --render=100x24 --keys='<Enter>' "$work/d"
has 'main thread' "the recording from the list"
has 'runTool' "the recording from the list"
run 0 --render=160x24 --keys='j<Enter>' "$work/d"
has 'is not there any more' "a recording that --max has removed"

# ---- by the command line, also after a restart; SIGTERM writes what is pending ----
"$FLAMETTY" watch --command-line 'again\.js' --stall 200ms -o "$work/e" --format=json \
	>"$work/out" 2>"$work/err" &
flametty=$!
pids="$pids $flametty"
start again.js
first=$pid
says "\"begin\",\"pid\":$first,"
kill -USR2 "$first"
says '"stall".*spinAgain'
stop "$first"
says "\"end\",\"pid\":$first,"
[ "$(count "$work/e")" = 1 ] || failed "the end does not write what is pending"
start again.js
says "\"begin\",\"pid\":$pid,"
kill -USR2 "$pid"
says "\"stall\",\"pid\":$pid,"
wait_until listens || failed "the inspector is closed"
kill -TERM "$flametty"
wait "$flametty"
status=$?
[ "$status" = 143 ] || failed "SIGTERM: status $status"
check_left "$pid" SIGTERM
[ "$(count "$work/e")" = 2 ] || failed "SIGTERM does not write what is pending"
has '"function":{"name":"spinAgain","url":"file://.*again.js","line":2,' "the function in JSON"
if command -v python3 >/dev/null 2>&1; then
	python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$work/out" ||
		failed "no JSON"
	python3 -B "$top/tests/sentences.py" --watch "$work/out" || failed "a number is not that of the file"
fi
stop "$pid"

# ---- requests: beside each profile ----
begin_asked
# On a busy machine each of its stalls may be one in which it hardly runs, of which there are no files.
"$FLAMETTY" watch --requests --stall 40ms --busy 20%/1s --keep 1500ms --max 1 -o "$work/f" "$pid" >"$work/out" 2>&1 &
flametty=$!
pids="$pids $flametty"
wait_until '[ "$(left)" != "$before" ]' || failed "requests: no script"
says ' file .*001.cpuprofile'
kill -TERM "$flametty"
wait "$flametty" 2>/dev/null
check_left "$pid" requests
[ "$(left)" = "$before" ] || failed "requests: something is left in the program"
[ "$(find "$work/f" -name 'CPU.*' | wc -l)" = 2 ] || failed "requests: not two files"
for file in "$work"/f/CPU.*.cpuprofile; do
	run 0 report --table=routes "$file" "${file%.cpuprofile}.requests.trace.json"
done
has ' GET /slow/:n$' "the route in the file"
run 0 --render=120x40 "$file" "${file%.cpuprofile}.requests.trace.json"
has 'of 2 files, one clock' "the files have one clock"
stop "$pid"
run 2 watch --requests $$
has 'requests of watch needs a folder' "--requests without a folder"

# ---- wrong usage ----
run 2 watch
has 'needs a process or --command-line' "no process"
run 2 watch 1 --stall 1ms
has "stall wants a time from 5ms to 1 hour, or 0 for none, not '1ms'" "--stall"
run 2 watch 1 --gc 40
has "gc wants a percentage, as 40%" "--gc"
run 2 watch 1 --busy 90%/1ms
run 2 watch 1 --keep 1h
run 2 watch 1 --max many
run 2 watch 1 --format=csv
has 'it has text and json' "--format"
run 2 watch --command-line '('
run 1 watch $$
has 'no JavaScript runtime' "another program"
: >"$work/file"
run 1 watch $$ -o "$work/file"

[ "$n_failed" = 0 ] && echo "watch: all as it should be"
[ "$n_failed" = 0 ]
