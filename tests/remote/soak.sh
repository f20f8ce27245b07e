#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty watch for long, on programs that stall, start workers, end and are started again: its memory and
# its open files do not grow, the directory keeps to --max, and the list of stalls has them all.
#
# SOAK: seconds; two minutes with ALL_CASES=yes; else it is skipped. All is in namespaces of its own: port
# 9229 stays free for the other tests meanwhile.
set -u

SOAK=${SOAK:-${ALL_CASES:+120}}
[ -n "$SOAK" ] || { echo "ALL_CASES is not set, nor SOAK"; exit 77; }
if [ -z "${IN_SPACE:-}" ]; then
	unshare -npf --mount-proc ip link set lo up 2>/dev/null || { echo "no namespaces here"; exit 77; }
	IN_SPACE=yes
	export IN_SPACE
	exec unshare -npf --mount-proc sh -c 'ip link set lo up; exec sh "$@"' sh "$0" "$@"
fi
HAS_PORT=no
command=watch
. "$(dirname "$0")/lib.sh"
begin_remote
MOST=5

cat >"$work/soaked.js" <<'EOF2'
'use strict';
const { Worker } = require('worker_threads');
function burn(ms) { for (const end = Date.now() + ms; Date.now() < end;); }
let n = 0;
setInterval(() => {
	if (++n % 3 === 0)
		burn(80);
	else if (n % 7 === 0)
		new Worker('setTimeout(() => {}, 1500)', { eval: true });
}, 300);
setTimeout(() => process.exit(), 9000);
EOF2
(
	while :; do node "$work/soaked.js" >/dev/null 2>&1 || echo "status $?" >>"$work/harmed"; done
) &
pids="$pids $!"
"$FLAMETTY" watch --command-line 'soaked\.js' --all --stall 50ms --busy 5%/2s --grow 100M/1min --keep 2s \
	--max $MOST -o "$work/d" >"$work/out" 2>"$work/err" &
flametty=$!
pids="$pids $flametty"
began=$(date +%s)

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$flametty/status"; }
files() { ls "/proc/$flametty/fd" | wc -l; }
look() {
	sleep "$1"
	kb=$(resident)
	[ "$(find "$work/d" -name 'CPU.*' | wc -l)" -le $MOST ] || failed "more than $MOST profiles"
	echo "after $(($(date +%s) - began)) s: $kb kB, $(files) open files, $(wc -l <"$work/d/stalls.jsonl") lines"
}
# The first fifth fills what is kept of each process.
look $((SOAK / 5)) && start_kb=$kb start_files=$(files)
look $((SOAK * 3 / 10)) && middle_kb=$kb
look $((SOAK / 2))
[ "$kb" -le $((start_kb + start_kb / 5)) ] || failed "$start_kb kB, $middle_kb kB, $kb kB"
[ "$(files)" -le $((start_files + 12)) ] || failed "open files: $start_files, then $(files)"
[ ! -e "$work/harmed" ] || failed "programs: $(sort "$work/harmed" | uniq -c)"
begun=$(grep -c ' begin ' "$work/out")
[ "$begun" -ge $((SOAK / 20)) ] || failed "$begun programs in $SOAK s"
stalls=$(grep -c ' stall ' "$work/out")
kill -TERM "$flametty"
wait "$flametty" 2>/dev/null
[ "$(grep -c '"event":"stall"' "$work/d/stalls.jsonl")" -ge "$stalls" ] || failed "the list lacks stalls"
cp "$work/out" "$work/lines"
run 0 report --table=stalls --top=3 "$work/d"
has "soaked.js" "the list of stalls"

[ "$n_failed" = 0 ] && echo "soak: all as it should be: $begun programs, $stalls stalls"
[ "$n_failed" = 0 ]
