#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty live on real processes of Node.js: what it shows, and that each of them survives with its
# inspector closed.
set -u

command=live
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
begin_remote
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR

cat >"$work/lively.js" <<'EOF'
'use strict';
function heavy(n) { return n < 2 ? n : heavy(n - 1) + heavy(n - 2); }
setInterval(() => heavy(30), 20);
process.on('SIGUSR2', () => require('child_process').execSync('sleep 4'));
require('fs').writeFileSync(process.argv[2], '');
EOF

# ---- without a terminal ----
run 2 live lively.js
has 'live needs a terminal' "no terminal"
start lively.js
run 0 live --no-config -t 2s --render=120x40 lively.js
has 'heavy' "the chart"
has ' 7 Live ' "the pane"
has 'live [0-9][0-9]:[0-9][0-9]:[0-9][0-9]' "the time of day"
has 'of the last 10 s' "what the verdict is about"
has '10 s.*60 s.*Function' "the table"
check_left "$pid" "one picture"
run 0 live --no-config -t 2s --render=120x40 --keys='1' lively.js
has '│[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\(\.[05]\)\{0,1\} ' "the ruler, in the first seconds"
run 0 live --no-config -t 2s --render=120x40 --keys='p' lively.js
has 'frozen: everything' "a key before the picture"
has ' 7 Functions ' "the whole after the key"
if command -v python3 >/dev/null 2>&1; then
	# The keys take more than a second: what comes meanwhile is neither shown nor saved.
	keys=$(i=0; while [ $i -lt 2500 ]; do printf 4567; i=$((i + 1)); done)
	run 0 live --no-config -t 3s --render=200x44 --keys="$keys:save $work/said.cpuprofile<Enter>" lively.js
	python3 -B "$top/tests/sentences.py" --live "$work/out" "$work/said.cpuprofile" ||
		failed "a number is not that of what was saved"
fi
run 0 live --no-config -t 2s --render=120x40 --keys='pT?' lively.js
has 'Help; every command' "several keys"
run 2 live --no-config -t 1s --render=120x40 --keys='<nosuch>' lively.js
has '--keys: no such key' "a key that does not exist"
run 1 live --no-config --render=120x40 nosuch.js
has 'nosuch.js: no JavaScript process' "a name"

# ---- on a terminal ----
if command -v tmux >/dev/null; then
	tmux=flametty-live-$$
	screen() { tmux -L "$tmux" capture-pane -p >"$work/out" 2>/dev/null; }
	shows() { screen; grep -q -e "$1" "$work/out"; }
	press() { tmux -L "$tmux" send-keys "$@"; }
	tmux -L "$tmux" -f /dev/null new-session -d -x 120 -y 40 \
		"'$FLAMETTY' live --no-config $pid; echo ended with \$?; sleep 100"
	wait_until 'shows " live [0-9]"' || failed "it does not begin"
	wait_until 'shows "heavy  *lively.js:2"' || failed "no function"
	screen
	first=$(grep -o -m 1 ' live [0-9][0-9:]*' "$work/out")
	wait_until '! shows "$first"' || failed "the picture does not move"
	press s
	wait_until 'shows "the last 10 s"' || failed "s: not longer"
	first=$(grep -o -m 1 ' live [0-9][0-9:]*' "$work/out")
	wait_until '! shows "$first"' || failed "the picture stands still"
	shows "the last 10 s" || failed "a message goes before the next key"
	press p
	wait_until 'shows "frozen: everything"' || failed "p: not frozen"
	wait_until 'shows " 7 Functions "' || failed "frozen: the pane of files"
	press ":save $work/saved.cpuprofile" Enter
	wait_until 'shows "wrote .*saved.cpuprofile"' || failed "save"
	press p
	wait_until 'shows " live [0-9]"' || failed "p: it does not go on"
	kill -USR2 "$pid"
	wait_until 'shows "no answer since [2-9]"' || failed "silence is not told"
	wait_until 'shows " live [0-9]"' || failed "after the silence"
	press Q
	wait_until 'shows "ended with 0"' || failed "quit"
	check_left "$pid" "quit"
	[ -z "$(ls -d "$work"/flametty-?????? 2>/dev/null)" ] || failed "a folder is left"
	tmux -L "$tmux" kill-server
	run 0 report "$work/saved.cpuprofile"
	has heavy "what was saved"

	tmux -L "$tmux" -f /dev/null new-session -d -x 120 -y 40 "'$FLAMETTY' live --no-config $pid; sleep 100"
	wait_until 'shows " live [0-9]"' || failed "a second time"
	stop "$pid"
	wait_until 'shows "the process has ended"' || failed "the end is not told"
	wait_until 'shows heavy' || failed "what is kept is not shown"
	tmux -L "$tmux" kill-server
	tmux=
else
	echo "tmux is missing: not tried on a terminal"
fi

# ---- an idle process: what it waits for ----
echo 'setInterval(() => {}, 60000); require("fs").writeFileSync(process.argv[2], "");' >"$work/idle.js"
start idle.js
run 0 live --no-config -t 2s --render=120x40 "$pid"
has 'idle [0-9.]* % of .*: waits for 1 timer' "what an idle process waits for"
stop "$pid"

# ---- requests ----
begin_asked
run 0 live --no-config --requests --sockets -t 3s --render=120x60 "$pid"
has '^. Requests  ' "the lane of requests"
has '^GET /users/:n' "a row of a route"
has '^. Waits for ' "the lane of waits"
has 'GET /users/:n .*behind GET /slow/:n' "the verdict"
[ "$(left)" = "$before" ] || failed "requests: something is left in the program"
run 0 live --no-config --requests -t 3s --render=120x40 --keys='W' "$pid"
has 'live [0-9][0-9]:' "W: the window moves"
has 'Route  *Count' "the pane of routes"
has 'GET /users/:n  *[1-9]' "a route"
run 2 live --requests --heap -t 1s --render=80x24 "$pid"
if command -v tmux >/dev/null; then
	tmux=flametty-live-$$
	tmux -L "$tmux" -f /dev/null new-session -d -x 120 -y 40 \
		"'$FLAMETTY' live --no-config --requests $pid; echo ended with \$?; sleep 100"
	wait_until 'shows " live [0-9]"' || failed "requests: it does not begin"
	[ "$(left)" != "$before" ] || failed "requests: the test sees no script"
	press W
	wait_until 'shows "GET /slow/:n  *[1-9]"' || failed "requests: no routes"
	for turn in 1 2; do
		first=$(grep -o -m 1 ' live [0-9][0-9:]*' "$work/out")
		wait_until '! shows "$first"' || failed "requests: picture $turn does not move"
		shows 'GET /slow/:n  *[1-9]' || failed "requests: the pane does not stay ($turn)"
	done
	press ":save $work/one.cpuprofile" Enter
	wait_until 'shows "requests needs a folder"' || failed "requests: saved as one file"
	press ":save $work/asked.d/" Enter
	wait_until 'shows "wrote .*asked.d"' || failed "requests: save"
	press p
	wait_until 'shows "frozen: everything"' || failed "requests: not frozen"
	wait_until 'shows "GET /slow/:n  *[1-9]"' || failed "requests: the pane is not there when frozen"
	press Q
	wait_until 'shows "ended with 0"' || failed "requests: quit"
	[ "$(left)" = "$before" ] || failed "requests: something is left after a while"
	tmux -L "$tmux" kill-server
	tmux=
	run 0 report --table=routes "$work/asked.d"
	has ' GET /slow/:n$' "what was saved"
fi
# Without a pull for 10 s, the script removes itself.
"$FLAMETTY" live --no-config --requests -t 60s --render=80x24 "$pid" >"$work/out" 2>&1 &
flametty=$!
wait_until '[ "$(left)" != "$before" ]' || failed "killed: no script"
kill -9 "$flametty"
wait "$flametty" 2>/dev/null
wait_until '[ "$(left)" = "$before" ]' || failed "killed: the script stays"
check_left "$pid" "requests"
stop "$pid"

# ---- killed ----
start lively.js
"$FLAMETTY" live --no-config -t 60s --render=80x24 "$pid" >"$work/out" 2>&1 &
flametty=$!
wait_until "is_open $pid" || failed "the inspector does not open"
kill -9 "$flametty"
wait "$flametty" 2>/dev/null
check_left "$pid" "killed"
[ -z "$(ls -d "$work"/flametty-?????? 2>/dev/null)" ] || failed "killed: a folder is left"
stop "$pid"

[ "$n_failed" = 0 ] || exit 1
echo "live: all as it should be"
