#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The interface is in the sandbox, with all its threads; those that read files are in a second one.
# Its helper and the editor are in none, and nothing of them is left however the program ends.
. "$(dirname "$0")/lib.sh"

grep -q '^Seccomp:' /proc/self/status 2>/dev/null || { echo "this kernel has no seccomp"; exit 77; }
[ "$(sed -n 's/^Seccomp:[^0-9]*//p' /proc/self/status)" = 0 ] || { echo "in a sandbox itself"; exit 77; }

# The editor says what it is in, and stops itself.
cat >"$work/editor" <<'END'
#!/bin/sh
grep -E '^(Seccomp|NoNewPrivs):' /proc/self/status | tr -s '\t\n' ' ' >"$work/editor.state"
trap '' TSTP
echo "the editor runs"
kill -STOP $$
echo "the editor goes on"
read -r line
END
chmod +x "$work/editor"
echo 'let x;' >"$work/x.js"
cat >"$work/one.cpuprofile" <<END
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"f","scriptId":"1","url":"file://$work/x.js","lineNumber":0,"columnNumber":0}}],
"startTime":0,"endTime":4000,"samples":[2,2,2,2],"timeDeltas":[0,1000,1000,1000]}
END
cd "$work" || exit 99

# Processes of this test that are the program: the helper is a child of the other one.
programs() {
	for comm in /proc/[0-9]*/comm; do
		pid=${comm#/proc/} pid=${pid%/comm}
		[ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$(readlink -f "$FLAMETTY")" ] &&
			tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q -F "$1" && echo "$pid"
	done
}
parent() { sed -n 's/^PPid:[^0-9]*//p' "/proc/$1/status"; }
# find NAME: sets main and helper.
find_both() {
	main='' helper=''
	for pid in $(programs "$1"); do
		if programs "$1" | grep -q -x "$(parent "$pid")"; then helper=$pid; else main=$pid; fi
	done
	[ -n "$main" ] && [ -n "$helper" ]
}
# state PID FIELD: of all its threads, each value once.
state() { sed -n "s/^$2:[^0-9]*//p" "/proc/$1"/task/*/status 2>/dev/null | sort -u | tr '\n' ' '; }
none_left() { [ -z "$(programs "$1")" ]; }

open 100 30
run "VISUAL=$work/editor \"\$FLAMETTY\" --no-config one.cpuprofile; echo \"status \$?\""
wait_for 'one.cpuprofile'
wait_until 'find_both one.cpuprofile' 'two processes'
[ "$(state "$main" Seccomp)$(state "$main" NoNewPrivs)" = '2 1 ' ] || fail "main: $(state "$main" Seccomp)"
[ "$(state "$helper" Seccomp)$(state "$helper" NoNewPrivs)" = '0 0 ' ] || fail "helper: $(state "$helper" Seccomp)"

# An editor that stops only itself stops the program, too, and goes on with it.
keys k e
wait_for 'the editor runs'
wait_for "$prompt"
[ "$(cat "$work/editor.state")" = 'NoNewPrivs: 0 Seccomp: 0 ' ] || fail "editor: $(cat "$work/editor.state")"
run fg
wait_for 'the editor goes on'
keys Enter
wait_for 'opened in editor'

# No program is started without the helper, and the program goes on.
kill -KILL "$helper"
keys e
wait_for 'cannot run'
keys q
check_sane
wait_until 'none_left one.cpuprofile' 'the end of all processes'
run clear

run "\"\$FLAMETTY\" --no-config --no-sandbox one.cpuprofile; echo \"status \$?\""
wait_for 'one.cpuprofile'
wait_until 'find_both one.cpuprofile' 'two processes'
[ "$(state "$main" Seccomp)" = '0 ' ] || fail "--no-sandbox: $(state "$main" Seccomp)"
kill -TERM "$main"
wait_until 'none_left one.cpuprofile' 'the end of the helper'
run clear

# A thread that reads has a filter more than the others.
mkfifo "$work/slow"
exec 9<>"$work/slow"
run "\"\$FLAMETTY\" --no-config slow; echo \"status \$?\""
wait_for "$loading"
wait_until 'find_both slow' 'two processes'
filters=$(state "$main" Seccomp_filters)
[ "$filters" = '1 2 ' ] || [ -z "$filters" ] || fail "filters: $filters"
# However it ends, the helper ends with it.
kill -KILL "$main"
wait_until 'none_left slow' 'the end of the helper'
exec 9>&-
