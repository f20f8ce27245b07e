#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the script of --requests may answer, by an inspector that is none: it tells of lost events, or
# answers what it never should. And a live picture whose files take long to write.
set -u

here=$(cd "$(dirname "$0")" && pwd)
command=live inspector=fake
. "$(dirname "$0")/lib.sh"
begin_remote
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR
object='{"result":{"type":"object","objectId":"1"}}'

# play ANSWER...: $at is the address of an inspector whose script answers so.
play() {
	printf '%s\n' "$@" >"$work/answers"
	printf '%s' "$(cat "$work/answers")" >"$work/answers"
	: >"$work/port"
	python3 -B "$here/fake_inspector.py" "$here"/../../data/build-tool/CPU.*.cpuprofile \
		"$work/expected" "$work/answers" >"$work/port" &
	pids="$pids $!"
	wait_until '[ -s "$work/port" ]' || { echo "no inspector"; exit 1; }
	at=127.0.0.1:$(cat "$work/port")
}

# ---- events without room: attach, live and watch say the same ----
head='v1,NOW,FROM,1,0,12,0,0,0,0,0,4,0,0'
lost() { play "$object" "{\"result\":{\"value\":\"$head;sGET;s/users/17;S0,3,1,2,3,1,80;F9,3,200,0\"}}"; }
missing='[0-9][0-9]* events of requests are missing: too many came within a second'
lost
run 0 attach --requests -t 2500ms -o "$work/attached/" "$at"
has "^flametty: warning: $missing" "attach"
lost
run 0 live --no-config --requests -t 2500ms --render=120x40 "$at"
has "^flametty: warning: $missing" "live: at the end"
has "^ *12 events of requests are missing" "live: in the picture"
lost
"$FLAMETTY" watch --requests --stall=20ms --keep 1500ms --max 1 -o "$work/f" "$at" >"$work/out" 2>&1 &
watched=$!
pids="$pids $watched"
wait_until 'grep -q "flametty: warning: .*cpuprofile: $missing" "$work/out"' || failed "watch"
kill -TERM "$watched"
wait "$watched" 2>/dev/null

# ---- answers that should never come ----
n=0
while IFS= read -r answers; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	IFS='|' && set -- $answers && unset IFS
	play "$@"
	timeout 60 "$FLAMETTY" attach --requests -t 300ms -o "$work/hostile$n/" "$at" >"$work/out" 2>&1
	status=$?
	[ "$status" -le 1 ] || failed "answer $n: status $status"
done <<'END'
{}|{}
{"result":{"type":"function","objectId":"1"}}
{"result":{"type":"object","objectId":"1"}}|{"result":{"value":"v1"}}
{"result":{"type":"object","objectId":"1"}}|{"result":{"value":"v1,9,9,1,1;S"}}
{"result":{"type":"object","objectId":"1"}}|{"result":{"value":"v1,-99999999999999999,99999999999999999,1,0,-1,-1,-1;S99999999999999999,1,1,1,1,1,1;F-99999999999999999,1,1,1"}}
{"result":{"type":"object","objectId":"1"}}|{"result":{"value":"no"}}
{"result":{"type":"object","objectId":"1"}}|{"result":
END

# ---- files that take long to write: keys are answered meanwhile ----
if command -v tmux >/dev/null && cc -O1 -shared -fPIC -o "$work/slow.so" "$here/../slow_link.c" -ldl 2>"$work/cc.log" &&
	LD_PRELOAD=$work/slow.so "$FLAMETTY" --version >/dev/null 2>&1; then
	lost
	tmux=flametty-answers-$$
	tmux -L "$tmux" -f /dev/null new-session -d -x 120 -y 40 \
		"LD_PRELOAD='$work/slow.so' '$FLAMETTY' live --no-config --requests $at; echo ended with \$?; sleep 100"
	screen() { tmux -L "$tmux" capture-pane -p >"$work/out" 2>/dev/null; }
	shows() { screen; grep -q -e "$1" "$work/out"; }
	wait_until 'shows " live [0-9]"' || failed "slow files: it does not begin"
	slow=0
	for turn in 1 2 3 4 5 6; do
		for key in '?' Escape; do
			tmux -L "$tmux" send-keys "$key"
			began=$(date +%s%N)
			[ "$key" = Escape ] || wait_until 'shows "every command"' || failed "slow files: no help"
			[ "$key" = '?' ] || wait_until '! shows "every command"' || failed "slow files: help stays"
			[ $(($(date +%s%N) - began)) -lt 1000000000 ] || slow=$((slow + 1))
			sleep 0.3
		done
	done
	[ "$slow" -lt 2 ] || failed "slow files: $slow of 12 keys were answered after a second"
	first=$(grep -o -m 1 ' live [0-9][0-9:]*' "$work/out")
	wait_until '! shows "$first"' || failed "slow files: the picture does not move"
	tmux -L "$tmux" send-keys Q
	wait_until 'shows "ended with 0"' || failed "slow files: quit"
	tmux -L "$tmux" kill-server
	tmux=
fi

[ "$n_failed" = 0 ] || exit 1
echo "answers: all as they should be"
