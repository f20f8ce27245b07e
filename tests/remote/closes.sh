#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The inspector is closed again in each kind of program, and the program goes on.
#
# usage: closes.sh [NODE...]
# NODE: programs `node`
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote

# What each program runs; no `process` of it may be needed.
cat >"$work/timers.cjs" <<'EOF'
setInterval(() => { for (let i = 0; i < 1e6; i++); }, 20);
EOF
cp "$work/timers.cjs" "$work/timers.mjs"
cat >"$work/replaced.cjs" <<'EOF'
console.profile = console.profileEnd = () => {};
setInterval(() => { for (let i = 0; i < 1e6; i++); }, 20);
EOF
cat >"$work/removed.cjs" <<'EOF'
delete process._debugEnd;
setInterval(() => { for (let i = 0; i < 1e6; i++); }, 20);
EOF
cat >"$work/idle.cjs" <<'EOF'
setInterval(() => {}, 1e6);
EOF

# check NAME INPUT ARGUMENT...: of node, with that file as its standard input.
check() {
	name="$version: $1"
	input=$2
	shift 2
	"$node" --inspect-port=0 "$@" <"$input" >"$work/node.log" 2>&1 &
	pid=$!
	pids=$pid
	wait_until 'takes_signal "$pid"' || failed "$name: it does not start"
	run 0 attach -t 300ms --report "$pid"
	! grep -q 'flametty: ' "$work/out" || failed "$name: it complains"
	kill -0 "$pid" 2>/dev/null || failed "$name: the program has ended"
	wait_until '! has_port "$pid"' || failed "$name: the inspector is open"
	stop "$pid"
}

# Whether it has a handler for SIGUSR1.
takes_signal() {
	mask=$(sed -n 's/^SigCgt:.*\(...\)$/\1/p' "/proc/$1/status" 2>/dev/null)
	[ $((0x${mask:-0} & 0x200)) != 0 ]
}

# Whether the process listens on a port.
has_port() {
	for inode in $(awk '$4 == "0A" { print $10 }' "/proc/$1/net/tcp" 2>/dev/null); do
		ls -l "/proc/$1/fd" 2>/dev/null | grep -q "socket:\[$inode\]" && return 0
	done
	return 1
}

for node in "${@:-node}"; do
	version=$("$node" -v) || { failed "$node does not run"; continue; }
	check "CommonJS" /dev/null "$work/timers.cjs"
	check "a module" /dev/null "$work/timers.mjs"
	check "-e" /dev/null -e "$(cat "$work/timers.cjs")"
	check "a module by -e" /dev/null --input-type=module -e "$(cat "$work/timers.cjs")"
	check "standard input" "$work/timers.cjs" -
	check "a module by standard input" "$work/timers.cjs" --input-type=module -
	check "-r and -e" /dev/null -r "$work/timers.cjs" -e 0
	check "idle" /dev/null "$work/idle.cjs"
	check "no console.profile" /dev/null "$work/replaced.cjs"
	check "no process._debugEnd" /dev/null "$work/removed.cjs"
	mkfifo "$work/keys"
	exec 3<>"$work/keys"
	check "interactive" "$work/keys" -i
	exec 3>&-
	rm "$work/keys"
done
[ "$n_failed" = 0 ] || exit 1
echo "closes: all as it should be"
