#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What flametty run records, also of programs that are killed, what it says about the rest, and that
# nothing stays behind.
#
# usage: tests/run/record.sh        NODE is the program of Node.js that is used
set -u

command=run
. "$(dirname "$0")/lib.sh"
ulimit -c 0
prof=$work/prof
hook=$(cd "$(dirname "$0")/../.." && pwd)/src/record/run_hook.cjs

# nothing_left NAME: no folder of a run in TMPDIR.
nothing_left() {
	wait_until '[ -z "$(find "$work" -maxdepth 1 -name "flametty-*")" ]' || failed "$1: a folder is left"
}

profiles() { find "$prof" -name '*profile' 2>/dev/null | wc -l; }

cat >"$work/busy.js" <<'EOS'
'use strict';
function busy(ms) { for (const end = Date.now() + ms; Date.now() < end;); }
const ms = Number(process.argv[2]), begun = Date.now();
const timer = setInterval(() => {
	busy(20);
	if (Date.now() - begun < ms) return;
	clearInterval(timer);
	if (process.argv[3]) process.kill(process.pid, process.argv[3]);
}, 25);
EOS
cat >"$work/memory.js" <<'EOS'
'use strict';
const all = [];
setTimeout(() => { for (;;) all.push(new Array(1000).fill(1.5)); }, 900);
EOS

# ---- chunks are one profile ----
run 0 -o "$prof" -- "$NODE" "$work/busy.js" 1700
[ "$(profiles)" = 1 ] || failed "$(profiles) profiles of one process"
"$FLAMETTY" report -f json "$prof" >"$work/out" 2>"$work/err" || failed "the profile cannot be read"
grep -o '"duration_us": [0-9]*' "$work/out" | awk 'NR == 1 { good = $2 > 1500000 && $2 < 9e6 } END { exit !good }' ||
	failed "the length of the chunks"
has out '"busy"' "the function"
has out '"name": "node busy.js 1700", "parent": null}' "the name of the process"
# What flametty does in the process is none of the program's functions.
if grep -q 'hook.cjs\|run_preload' "$prof"/*.cpuprofile; then failed "functions of the script"; fi
nothing_left chunks

# ---- whatever the umask is ----
# The scripts of the recording are the user's own; the program has the umask that it had before.
hook_before=$FLAMETTY_HOOK
for mask in 002 000 077; do
	rm -rf "$prof"
	FLAMETTY_HOOK=$work/hook-$mask
	(
		umask $mask
		run 0 -o "$prof" -- "$NODE" -e 'const mode = path => require("fs").statSync(path).mode & 0o777;
			console.log([mode(process.env.FLAMETTY_RUN), mode(process.env.FLAMETTY_RUN + "/hook.cjs"), process.umask()].map(n => n.toString(8)).join());
			for (const end = Date.now() + 300; Date.now() < end;);'
		exit "$n_failed"
	) || n_failed=$((n_failed + 1))
	has out "^700,600,$(printf %o "0$mask")\$" "umask $mask"
	has err '1 process wrote 1 profile' "umask $mask"
	[ "$(profiles)" = 1 ] || failed "umask $mask: $(profiles) profiles"
done
FLAMETTY_HOOK=$hook_before

# ---- what is killed has all but its last chunk ----
for signal in KILL SEGV; do
	rm -rf "$prof"
	"$FLAMETTY" run -o "$prof" -- "$NODE" "$work/busy.js" 900 "SIG$signal" >"$work/out" 2>"$work/err"
	status=$?
	case $signal in KILL) want=137 ;; SEGV) want=139 ;; esac
	[ "$status" = "$want" ] || failed "SIG$signal: status $status"
	[ "$(profiles)" = 1 ] || failed "SIG$signal: $(profiles) profiles"
	has err 'the last slice is missing' "SIG$signal"
done
rm -rf "$prof"
run 134 -o "$prof" -- "$NODE" --max-old-space-size=20 "$work/memory.js"
[ "$(profiles)" = 1 ] || failed "out of memory: $(profiles) profiles"

# ---- what the command leaves behind ----
# left NAME PROGRAM SECONDS: the milliseconds of a run whose command ends after SECONDS.
left() {
	rm -rf "$prof"
	begun=$(date +%s%N)
	run 0 -o "$prof" -- sh -c '"$0" -e "$1" >/dev/null 2>&1 & echo $! >"$3"
		until [ "$(readlink "/proc/$!/exe")" = "$(readlink -f "$0")" ]; do sleep 0.02; done; sleep "$2"' "$NODE" "$2" "$3" "$work/left"
	ms=$((($(date +%s%N) - begun) / 1000000))
	kill -9 "$(cat "$work/left")" 2>/dev/null
	has err '^flametty: 1 process wrote 1 profile' "$1"
}
left "a process that works" 'setInterval(() => { for (const end = Date.now() + 40; Date.now() < end;); }, 50)' 0.4
busy_ms=$ms
left "a service" 'setInterval(() => {}, 100)' 0.4
[ "$ms" -lt "$busy_ms" ] || failed "a service without work is waited for: $ms ms, and $busy_ms ms for one that works"
# The command ends before its process has begun to record itself. It lives too short to be a service.
left "a process that starts" 'const end = Date.now() + 200; setInterval(() => { if (Date.now() > end) process.exit(); }, 1)' 0.03
if grep -q warning "$work/err"; then failed "a process that starts"; fi

# ---- a limit ----
rm -rf "$prof"
run 0 -o "$prof" --max-recording 8k -- "$NODE" "$work/busy.js" 2000
has err '1 profile is the newest part only (--max-recording)' "the limit"
[ "$(profiles)" = 1 ] || failed "the limit: $(profiles) profiles"
run 2 --max-recording much -- "$NODE" -e 0

# ---- processes that are not recorded ----
rm -rf "$prof"
run 0 -o "$prof" -- sh -c '"$0" "$1" 50; NODE_OPTIONS= "$0" -e 1; NODE_OPTIONS=--no-warnings "$0" -e 2; FLAMETTY_RUN= "$0" -e 3' "$NODE" "$work/busy.js"
[ "$(profiles)" = 1 ] || failed "omissions: $(profiles) profiles"
has err '1 of 4 processes wrote 1 profile' "omissions"
[ "$(grep -c 'its NODE_OPTIONS are its own; .* NODE_OPTIONS="$NODE_OPTIONS' "$work/err")" = 2 ] || failed "NODE_OPTIONS"
has err '-e 3) wrote no profile: its variables lack the FLAMETTY_RUN' "FLAMETTY_RUN"
if grep -v '^flametty: ' "$work/err" | grep -q .; then failed "a message without a name"; fi

# ---- processes and workers have names ----
rm -rf "$prof"
cat >"$work/tree.js" <<'EOS'
const { execSync } = require('child_process'), { Worker, threadName } = require('worker_threads');
new Worker('for (const end = Date.now() + 100; Date.now() < end;);', { eval: true, name: 'pool-1' });
execSync(`"${process.execPath}" "${__dirname}/busy.js" 100`);
require('fs').writeFileSync(__dirname + '/has-names', String(threadName !== undefined));
EOS
run 0 -o "$prof" -- "$NODE" "$work/tree.js"
"$FLAMETTY" report -f json "$prof" >"$work/out" 2>"$work/err"
pid=$(sed -n 's/.*"pid": \([0-9]*\), "name": "node tree.js", "parent": null.*"tid": 0,.*/\1/p' "$work/out")
has out "\"name\": \"node busy.js 100\", \"parent\": $pid}" "a child of a shell"
if grep -q true "$work/has-names"; then has out '"tid": 1, "name": "pool-1"' "the name of a worker"; fi

# ---- namespaces: a process has its number here, once ----
if unshare -pf --mount-proc true 2>/dev/null; then
	rm -rf "$prof"
	run 0 -o "$prof" -- sh -c 'unshare -pf --mount-proc "$0" "$1" & unshare -pf --mount-proc "$0" "$1"; wait' "$NODE" "$work/tree.js"
	has err '^flametty: 4 processes wrote' "PID namespaces"
	if grep -q warning "$work/err"; then failed "PID namespaces: a warning"; fi
	if ls "$prof" | grep -q '\.[0-9]\.[01]\.00[0-9]\.cpuprofile'; then failed "PID namespaces: $(ls "$prof")"; fi
	"$FLAMETTY" report -f json "$prof" >"$work/out" 2>"$work/err"
	pid=$(sed -n 's/.*"pid": \([0-9]*\), "name": "node tree.js", "parent": null.*"tid": 0,.*/\1/p' "$work/out" | head -n 1)
	has out "\"name\": \"node busy.js 100\", \"parent\": $pid}" "a child in a PID namespace"
	# The same number in the same millisecond: each has a key of its own.
	mkdir -p "$work/keys/notes" "$work/keys/chunks"
	cat >"$work/key.js" <<'EOS'
Date.now = () => 1700000000000;
eval(require('fs').readFileSync(process.argv[2], 'utf8'))({ folder: process.argv[3], interval: 1000 });
EOS
	for i in 1 2 3; do
		unshare -pf --mount-proc "$NODE" "$work/key.js" "$hook" "$work/keys" || failed "a key"
	done
	for i in 0 1 2; do
		[ -e "$work/keys/notes/ended.1.0.170000000000$i" ] || failed "key $i: $(ls "$work/keys/notes")"
	done
	[ "$(ls "$work/keys/notes" | grep -c ended)" = 3 ] ||
		failed "keys: $(ls "$work/keys/notes")"
	# The folder of the run is below another root.
	rm -rf "$prof" && mkdir "$work/hidden"
	cat >"$work/hide.sh" <<'EOS'
mount -t tmpfs none "$1" && exec "$2" -e 'setTimeout(() => {}, 300)'
EOS
	for folder in "$work"/flametty-*; do [ ! -d "$folder" ] || failed "$folder is left"; done
	TMPDIR=$work/hidden
	run 0 -o "$prof" -- unshare -m sh "$work/hide.sh" "$TMPDIR" "$NODE"
	TMPDIR=$work
	has err 'cannot see the folder of the recording' "another root"
fi

# ---- files of others ----
rm -rf "$prof" && mkdir "$prof"
run 0 -o "$prof" -- sh -c 'echo "{}" >"$1/CPU.20200101.000000.77.0.001.cpuprofile"; "$0" "$2" 100' "$NODE" "$prof" "$work/busy.js"
has err '1 process wrote 1 profile' "a file of another program"

# ---- nothing stays ----
(
	"$FLAMETTY" run --report -- "$NODE" -e 'process.exitCode = 6' 2>"$work/err"
	echo $? >"$work/status"
) | true
[ "$(cat "$work/status")" = 6 ] || failed "a broken pipe: status $(cat "$work/status")"
nothing_left "a broken pipe"
if [ "$(cd "$work" && ulimit -f 1; ulimit -f)" = 1 ]; then
	rm -rf "$prof"
	(ulimit -f 1 && "$FLAMETTY" run -o "$prof" -- "$NODE" -e 'for (const end = Date.now() + 200; Date.now() < end;) require("url").parse("http://a/" + end)') >"$work/out" 2>"$work/err"
	[ $? = 1 ] || failed "SIGXFSZ: not status 1"
	has err 'larger than is permitted\|File too large' "SIGXFSZ"
	[ "$(profiles)" = 0 ] || failed "SIGXFSZ: a file is left"
	nothing_left SIGXFSZ
fi
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir "$work/small"
	# full FOLDER STATUS WANTED SIZE: a program with that status, on a disk that becomes full, or is too
	# small for the script.
	full() {
		unshare -m sh -c 'mount -t tmpfs -o size=$5 none "$2" && TMPDIR=$3 && export TMPDIR || exit 77
			"$0" run -o "$2/prof" -- "$1" -e "for (const end = Date.now() + 400; Date.now() < end;) require(\"util\").inspect(process); process.exitCode = $4"
			status=$?; ls -A "$2" "$2/prof"; exit $status' "$FLAMETTY" "$NODE" "$work/small" "$1" "$2" "$4" >"$work/out" 2>"$work/err"
		status=$?
		[ "$status" != 77 ] || return
		[ "$status" = "$3" ] || failed "a full disk: status $status, not $3"
		has err 'no space is left\|No space left' "a full disk"
		if grep -q 'profile$\|part$\|flametty-' "$work/out"; then failed "a full disk: files are left"; fi
	}
	full "$work/small" 0 1 8k
	full "$work/small" 4 4 20k
	full "$work/small" 0 1 20k
fi
# However flametty ends.
"$FLAMETTY" run -- "$NODE" "$work/busy.js" 3000 >/dev/null 2>&1 &
pid=$!
wait_until '[ -n "$(find "$work" -path "*/flametty-*/chunks/*.0")" ]' || failed "nothing is recorded"
kill -9 "$pid"
wait "$pid" 2>/dev/null
nothing_left SIGKILL
exit $((n_failed > 0))
