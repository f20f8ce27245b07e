#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of Node.js that decide where an inspector opens, or that a process is not the program or
# has not begun: what they do is recorded, or the true reason is given and nothing is changed.
#
# usage: options.sh [NODE...]
# NODE: programs `node`
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote
# Other ports than 9229, so that nothing else comes in between.
port=$((20000 + $$ % 10000))

cat >"$work/spin.js" <<'EOF'
'use strict';
function spin(n) { return n < 2 ? n : spin(n - 1) + spin(n - 2); }
setInterval(() => spin(30), 20);
EOF
{ cat "$work/spin.js"; echo "process.debugPort = $((port + 1));"; } >"$work/own-port.js"
printf '{ "scripts": { "wait": "sleep 60" } }\n' >"$work/package.json"

# begin NODE ARGUMENT...: in $work; $pid is its number. It has its handler for SIGUSR1, if it has one.
begin() {
	(cd "$work" && exec "$@") >"$work/node.log" 2>&1 &
	pid=$!
	pids=$pid
	n=0
	until [ -n "$takes_none" ] || takes_signal; do
		n=$((n + 1))
		[ "$n" -lt 300 ] || { failed "$version: it does not start"; break; }
		sleep 0.1
	done
}

takes_signal() {
	mask=$(sed -n 's/^SigCgt:.*\(...\)$/\1/p' "/proc/$pid/status" 2>/dev/null)
	[ $((0x${mask:-0} & 0x200)) != 0 ]
}

# The main thread sleeps until another one wakes it, and not only for a moment.
is_held() {
	for look in 1 2 3 4 5; do
		grep -q futex "/proc/$pid/wchan" || return 1
		[ $look = 5 ] || sleep 0.05
	done
}

# The process listens on no port of 127.0.0.1, ::1 or any address.
is_shut() {
	for inode in $(cat "/proc/$pid/net/tcp" "/proc/$pid/net/tcp6" 2>/dev/null | awk '$4 == "0A" { print $10 }'); do
		! ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "socket:\[$inode\]" || return 1
	done
}

# recorded NAME ADDRESS: and closed again.
recorded() {
	run 0 attach -t 300ms --report "$pid"
	has spin "$version: $1"
	grep -qF "listening on ws://$2" "$work/node.log" || failed "$version: $1: $(cat "$work/node.log")"
	kill -0 "$pid" || failed "$version: $1: the program has ended"
	wait_until is_shut || failed "$version: $1: the inspector is open"
	stop "$pid"
}

# refused NAME REASON: nothing is sent, and nothing is printed by the program.
refused() {
	cp "$work/node.log" "$work/before.log"
	for how in attach live; do
		case $how in
		attach) "$FLAMETTY" attach -t 300ms --report "$pid" ;;
		live) "$FLAMETTY" live --no-config -t 300ms --render=80x24 "$pid" ;;
		esac >"$work/out" 2>&1
		[ $? = 1 ] || failed "$version: $how: $1: the status is not 1"
		has "$2" "$version: $how: $1"
	done
	cmp -s "$work/node.log" "$work/before.log" || failed "$version: $1: it prints $(cat "$work/node.log")"
	kill -0 "$pid" || failed "$version: $1: the program has ended"
}

for node in "${@:-node}"; do
	version=$("$node" -v) || { failed "$node does not run"; continue; }
	takes_none=
	begin "$node" --inspect-port="$port" spin.js
	recorded "a port" "127.0.0.1:$port"
	begin "$node" --inspect-port "$port" spin.js
	recorded "a port in a word of its own" "127.0.0.1:$port"
	begin "$node" --no-warnings spin.js --inspect-port=1
	recorded "an option of the program" "127.0.0.1:9229"
	begin "$node" own-port.js
	recorded "process.debugPort" "127.0.0.1:$((port + 1))"
	begin "$node" --inspect-port="127.0.0.2:$port" spin.js
	recorded "another loopback address" "127.0.0.2:$port"
	if grep -q . /proc/net/if_inet6 2>/dev/null; then
		begin "$node" --inspect-port="[::1]:$port" spin.js
		recorded "IPv6" "[::1]:$port"
	fi
	begin "$node" --inspect-port="0.0.0.0:$port" spin.js
	refused "an address for other machines" 'for other machines, too, at 0.0.0.0'
	stop "$pid"

	# The port is taken. A port that the program has set cannot be seen.
	begin "$node" --inspect="127.0.0.1:$port" spin.js
	holder=$pid
	wait_until 'grep -q listening "$work/node.log"' || failed "$version: no inspector"
	begin "$node" --inspect-port="$port" spin.js
	refused "a port that is taken" "port $port is held by process $holder"
	stop "$pid"
	begin "$node" --inspect-port="$port" own-port.js
	refused "process.debugPort, and a port that is taken" 'a process.debugPort of its own cannot be seen'
	stop "$pid"
	stop "$holder"

	# A process that waits for its debugger: it still does so.
	begin "$node" --inspect-brk="127.0.0.1:$port" spin.js
	wait_until 'grep -q listening "$work/node.log"' || failed "$version: no inspector"
	wait_until is_held || failed "$version: --inspect-brk: it does not wait"
	refused "--inspect-brk" 'waits for a debugger'
	! is_shut || failed "$version: --inspect-brk: the inspector is closed"
	stop "$pid"
	# In its first moments it does not wait yet.
	for pause in 0 0.02 0.05 0.1; do
		"$node" --inspect-brk="127.0.0.1:$port" "$work/spin.js" >"$work/node.log" 2>&1 &
		pid=$!
		pids=$pid
		wait_until 'tr "\\0" " " <"/proc/$pid/cmdline" | grep -q spin.js'
		sleep $pause
		run 1 attach -t 300ms --report "$pid"
		has 'waits for a debugger' "$version: --inspect-brk, after $pause s"
		! grep attached "$work/node.log" || failed "$version: --inspect-brk, after $pause s: attached"
		stop "$pid"
	done

	takes_none=yes
	begin "$node" --watch spin.js
	wait_until 'child=$(cat "/proc/$pid/task/$pid/children") && [ -n "$child" ]' || failed "$version: --watch"
	watcher=$pid
	pid=${child% }
	wait_until takes_signal || failed "$version: --watch: the program does not start"
	pid=$watcher
	refused "--watch" 'only starts the program again'
	pid=${child% }
	pids="$pids $pid"
	run 0 attach -t 300ms --report "$pid"
	has spin "$version: the program of --watch"
	kill -9 "$watcher" "$pid"
	wait "$watcher" 2>/dev/null
	if "$node" --run 2>&1 | grep -q 'bad option'; then continue; fi
	begin "$node" --run wait
	wait_until '[ -n "$(cat "/proc/$pid/task/$pid/children")" ]' || failed "$version: --run"
	child=$(cat "/proc/$pid/task/$pid/children")
	refused "--run" 'only runs a command of package.json'
	kill -9 "$pid" ${child}
done
[ "$n_failed" = 0 ] || exit 1
echo "options: all as it should be"
