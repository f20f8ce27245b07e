#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty run on real programs of Node.js: what is recorded, and that commands end as they do without
# it.
set -u

command=run
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
# A blank, a quote and a backslash are quoted for Node.js.
TMPDIR="$work/a \"b\\c"
mkdir "$TMPDIR"
# The script that loads the other one is for good; here it goes with the test.
FLAMETTY_HOOK=$work/hook
export TMPDIR FLAMETTY_HOOK
unset NODE_OPTIONS
ulimit -c 0
n_failed=0
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

failed() {
	echo "FAILED: $*"
	for file in out err; do
		[ ! -s "$work/$file" ] || sed 's/^/    /' "$work/$file" | head -30
	done
	n_failed=$((n_failed + 1))
}

# run STATUS ARGUMENT...: the program with that exit status.
run() {
	want=$1
	shift
	"$FLAMETTY" run "$@" >"$work/out" 2>"$work/err"
	got=$?
	[ "$got" = "$want" ] || failed "flametty run $*: status $got, not $want"
}

has() { grep -q -e "$2" "$work/$1" || failed "$3: no '$2' in $1"; }

# files FOLDER NUMBER: that many profiles, each of which can be read.
files() {
	n=$(find "$1" -name 'CPU.*.cpuprofile' | wc -l)
	[ "$n" -eq "$2" ] || failed "$n profiles, not $2"
	"$FLAMETTY" report "$1" >/dev/null 2>"$work/err" || failed "profiles cannot be read"
}

has_chunk() { [ -n "$(find "$TMPDIR" -path '*/chunks/*' ! -name '*.part')" ]; }

# signal NAME COMMAND...: `flametty run` in $pid, on a command that has written the file $work/ready;
# sends it the signal when there is a chunk. A loop that never ends has none.
signal() {
	name=$1
	shift
	rm -rf "$work/ready" "$work/prof"
	"$FLAMETTY" run -o "$work/prof" -- "$@" >"$work/out" 2>"$work/err" &
	pid=$!
	i=0
	until [ -e "$work/ready" ] || [ $i = 300 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	case $* in
	*endless.js*) sleep 0.8 ;;
	*)
		i=0
		until has_chunk || [ $i = 300 ]; do
			i=$((i + 1))
			sleep 0.1
		done
		;;
	esac
	kill -s "$name" "$pid"
	wait "$pid"
	status=$?
}

cat >"$work/work.js" <<'EOF'
'use strict';
exports.heavy = function heavy(n) { return n < 2 ? n : heavy(n - 1) + heavy(n - 2); };
EOF
cat >"$work/all.js" <<'EOF'
'use strict';
const { Worker } = require('worker_threads'), { heavy } = require('./work.js');
const code = `require(${JSON.stringify(require.resolve('./work.js'))}).heavy(31);`;
/* Late enough for a chunk. */
const ready = 'setTimeout(() => require("worker_threads").parentPort.postMessage(1), 700);';
new Worker(code, { eval: true });
const terminated = new Worker(code + ready + 'setInterval(() => {}, 9)', { eval: true });
terminated.on('message', () => terminated.terminate());
const unreferenced = new Worker(code + ready + 'setInterval(() => {}, 9)', { eval: true });
unreferenced.on('message', () => unreferenced.unref());
require('child_process').fork(__dirname + '/child.js');
heavy(26);
process.on('exit', () => { process.exitCode = 7; });
EOF
cat >"$work/child.js" <<'EOF'
'use strict';
console.log('child ' + process.argv.length);
/* Long enough for a sample on a busy machine. */
require('./work.js').heavy(31);
EOF
cat >"$work/server.js" <<'EOF'
'use strict';
setInterval(() => require('./work.js').heavy(20), 10);
require('fs').writeFileSync(process.argv[2], '');
EOF
cat >"$work/handler.js" <<'EOF'
'use strict';
process.once('SIGTERM', () => setTimeout(() => process.exit(5), 100));
setInterval(() => require('./work.js').heavy(20), 10);
require('fs').writeFileSync(process.argv[2], '');
EOF
# What packages like signal-exit do: die of the signal if all listeners are their own.
cat >"$work/counts.js" <<'EOF'
'use strict';
const end = () => {
	if (process.listeners('SIGTERM').length !== 1)
		return;
	process.removeListener('SIGTERM', end);
	process.kill(process.pid, 'SIGTERM');
};
process.on('SIGTERM', end);
setInterval(() => {}, 1000);
require('fs').writeFileSync(process.argv[2], '');
EOF
cat >"$work/endless.js" <<'EOF'
'use strict';
function spin() { let x = 0; for (let i = 0; i < 1e6; i++) x += i % 7; return x; }
require('fs').writeFileSync(process.argv[2], '');
for (;;) spin();
EOF
cat >"$work/esm.mjs" <<'EOF'
import { Worker } from 'node:worker_threads';
await new Promise(resolve => setTimeout(resolve, 10));
throw new Error('out of here ' + typeof Worker);
EOF

# ---- what is recorded ----
run 7 -- node "$work/all.js" --report
has err '2 processes wrote 5 profiles' "children and workers"
has out 'child 2' "the output of the command"
has out '^5 lanes' "the report"
has out heavy "functions"
[ -z "$(ls -A "$TMPDIR")" ] || failed "a folder is left"
run 7 -o "$work/prof" --interval 500us node "$work/all.js"
has err "2 processes wrote 5 profiles in $work/prof" "-o"
if grep -q lanes "$work/out"; then failed "-o prints a report"; fi
files "$work/prof" 5
# One profile for each thread, numbered from 1 on in each process.
ls "$work"/prof/CPU.*.0.001.cpuprofile >/dev/null || failed "number of the main thread"
ls "$work"/prof/CPU.*.1.002.cpuprofile >/dev/null || failed "number of a worker"
twice=$(ls "$work/prof" | sed 's/.*\.\([0-9]*\.[0-9]*\)\.[0-9]*\.cpuprofile$/\1/' | sort | uniq -d)
[ -z "$twice" ] || failed "two profiles of thread $twice"
# A busy machine may sample as seldom as the interval of others; five times it does not.
i=0
is_fast() {
	rm -rf "$work/fine"
	run 0 -o "$work/fine" --interval 10us -- node -e 'for (const end = Date.now() + 300; Date.now() < end;);'
	files "$work/fine" 1
	"$FLAMETTY" report -f json "$work/fine" |
		awk -F '"interval_us": ' '/interval_us/ && !n++ { fast = $2 + 0 < 1000 } END { exit !fast }'
}
until is_fast; do
	i=$((i + 1))
	[ $i -lt 5 ] || { failed "10 us are no short interval"; break; }
done
run 2 --interval 9us -- true
has err 'from 10us to 1s' "an interval that is too short"
run 0 -o "$work/prof" --report -- sh -c "node '$work/child.js'; NODE_OPTIONS= node '$work/child.js'"
has err '1 of 2 processes wrote 1 profile in' "-o of another run"
has err 'wrote no profile: its NODE_OPTIONS are its own' "NODE_OPTIONS of a child"
# The child is short: which functions have samples, differs.
has out '^functions by self time' "-o and --report"
NODE_OPTIONS=--no-warnings
export NODE_OPTIONS
run 0 -- node -p 'process.env.NODE_OPTIONS'
has out 'run_preload.cjs" --no-warnings$' "NODE_OPTIONS of the user"
unset NODE_OPTIONS

# What is allocated.
run 7 --heap --interval 4kB -o "$work/heap" --report node "$work/all.js"
has err '2 processes wrote 5 profiles' "--heap"
has out 'in percent of the bytes' "bytes"
if grep -q 'hook.cjs\|run_preload' "$work/out"; then failed "what flametty allocates"; fi
ls "$work"/heap/Heap.*.0.001.heapprofile >/dev/null || failed "names of heap profiles"

# ---- how commands end ----
run 3 -- sh -c 'exit 3'
has err 'no process wrote a profile' "another program"
# It would be 126 where PATH has a folder that this user must not search.
path=$PATH
PATH=/usr/bin:/bin
run 127 -- no-such-command
PATH=$path
has err 'no-such-command' "no such command"
run 126 -- "$work/work.js"
run 1 -- node "$work/esm.mjs"
has err 'out of here function' "an exception"
has err '1 process wrote 1 profile' "a module that throws"
run 134 -- node -e 'process.abort()'
has err 'wrote no profile: it was killed before a slice was complete' "abort"
for signal in TERM HUP; do
	signal "$signal" node "$work/server.js" "$work/ready"
	case $signal in TERM) want=143 ;; HUP) want=129 ;; esac
	[ "$status" = "$want" ] || failed "SIG$signal: status $status"
	files "$work/prof" 1
done
signal TERM node "$work/handler.js" "$work/ready"
[ "$status" = 5 ] || failed "the program's own handler: status $status"
files "$work/prof" 1
signal TERM node "$work/counts.js" "$work/ready"
[ "$status" = 143 ] || failed "a program that counts listeners: status $status"
files "$work/prof" 1
# A shell dies of the signal, and leaves what it has started, as npm does.
signal TERM sh -c "node '$work/server.js' '$work/ready' & echo \$! >'$work/pid'; wait; exit 9"
[ "$status" = 143 ] || failed "a shell: status $status"
kill -9 "$(cat "$work/pid")" || failed "what a shell has started was ended"
has err '1 process still runs, and is recorded no longer' "a shell"
files "$work/prof" 1
# A signal that goes to the group, as that of Ctrl-C does.
# Where SIGINT is ignored, the command ignores it, too.
ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status)
case $ignored in
*[2367abef]) ;;
*)
	run 130 -o "$work/group" -- setsid sh -c "node -e 'setTimeout(() => process.kill(0, \"SIGINT\"), 500)'; exit 9"
	has err '1 process was killed, as by Ctrl-C: the last slice is missing' "a group"
	files "$work/group" 1
	;;
esac
# It dies at once; there is no profile without a turn of its loop.
signal TERM node "$work/endless.js" "$work/ready"
[ "$status" = 143 ] || failed "a loop that never ends: status $status"
has err 'or its event loop did not turn' "a loop that never ends"

# ---- sources ----
# The program that was started may name any file; a recording that is opened later may not.
mkdir "$work/elsewhere"
echo 'function spinHere() { const end = Date.now() + 300; while (Date.now() < end); } spinHere();' \
	>"$work/elsewhere/own.js"
run 0 --report --table=lines -- node "$work/elsewhere/own.js"
has out 'own.js:1.*function spinHere' "lines of an own recording"
run 0 -o "$work/later" -- node "$work/elsewhere/own.js"
"$FLAMETTY" report --table=lines "$work/later" >"$work/out" 2>"$work/err"
! grep -q 'function spinHere' "$work/out" || failed "lines of a recording that is opened later"
has err 'not read: it is not below the current directory' "a recording that is opened later"

# ---- wrong usage ----
run 2
has err 'wants a command' "no command"
run 2 --interval 3s node
run 2 --heap --interval 1ms node
run 2 -o "$work/work.js" node
exit $((n_failed > 0))
