#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The program is in its sandbox while it reads, in each command, with all threads; --no-sandbox
# keeps it out. What commands read and write works inside: links, outputs of all kinds.
# tests/unit/check_sandbox.c tests what the sandbox forbids.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
grep -q '^Seccomp:' /proc/self/status 2>/dev/null || { echo "this kernel has no seccomp"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
pid=
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/in" "$work/elsewhere" "$work/out"
profile=$work/in/shop.cpuprofile
cp "$top"/data/http-server/*.cpuprofile "$profile" || exit 99
cd "$work" || exit 99
LC_ALL=C
export LC_ALL
before=$(sed -n 's/^Seccomp:[^0-9]*//p' /proc/self/status)

failed=0
fail() {
	echo "FAILED: $*"
	[ ! -s "$work/stderr" ] || sed 's/^/    /' "$work/stderr"
	failed=1
}

# ---- while it reads ----

# state WORDS...: Seccomp and NoNewPrivs of all threads of the program, while it waits for its input.
state() {
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	# Open for both, so that it neither ends nor fails.
	"$FLAMETTY" "$@" <"$work/pipe" >"$work/stdout" 2>"$work/stderr" &
	pid=$!
	exec 9<>"$work/pipe"
	n=0
	until grep -q '^State:.*sleeping' "/proc/$pid/status" 2>/dev/null && grep -q flametty "/proc/$pid/comm" 2>/dev/null; do
		n=$((n + 1))
		[ "$n" -lt 200 ] || break
		sleep 0.05
	done
	sleep 0.2
	state=$(sed -n 's/^\(Seccomp\|NoNewPrivs\):[^0-9]*/\1 /p' "/proc/$pid"/task/*/status | sort -u | tr '\n' ' ')
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
	exec 9>&-
}

inside='NoNewPrivs 1 Seccomp 2 '
if [ "$before" != 0 ]; then
	echo "this test is in a sandbox itself"
else
	for words in "report -" "export -f folded -" "export -f folded -o out/new -" "diff $profile -" \
		"--render=80x24 -" "--render=80x24 --keys=w -"; do
		# shellcheck disable=SC2086
		state $words
		[ "$state" = "$inside" ] || fail "flametty $words: $state"
		# shellcheck disable=SC2086
		state $words --no-sandbox
		[ "$state" = 'NoNewPrivs 0 Seccomp 0 ' ] || fail "flametty $words --no-sandbox: $state"
	done
fi

# ---- what is read ----

# same RULE WORDS...: prints with the sandbox what it prints without.
same() {
	rule=$1
	shift
	"$FLAMETTY" "$@" <"$profile" >"$work/stdout" 2>"$work/stderr" || fail "$rule: status $?"
	"$FLAMETTY" "$@" --no-sandbox <"$profile" >"$work/stdout.off" 2>"$work/stderr.off"
	cmp -s "$work/stdout" "$work/stdout.off" || fail "$rule: another output"
	cmp -s "$work/stderr" "$work/stderr.off" || fail "$rule: another message"
}

mkdir links tree tree/below
ln -s "$profile" links/a.cpuprofile
ln -s "$profile" linked
ln -s "$work/elsewhere/other.cpuprofile" tree/below/b.cpuprofile
cp "$profile" elsewhere/other.cpuprofile
cp "$profile" tree/c.cpuprofile
echo '{"team": "shop"}' >in/flametty.json
same "a link" report linked
same "a directory with a link" report links/
same "links below" report -r tree
same "links of a fleet" fleet tree --top 3
same "labels beside" report -f json "$profile"
same "a comparison" diff links/a.cpuprofile tree/c.cpuprofile
same "a rendered screen" --render=80x24 "$profile"
same "standard input" report -
same "a descriptor" report /dev/stdin
(cd in && same "the current directory" report shop.cpuprofile) || failed=1

# ---- what is written ----

# wrote RULE FILE: the command before has ended well, and the file is whole.
wrote() {
	[ "$status" = 0 ] || fail "$1: status $status"
	[ -z "${2:-}" ] || cmp -s "$2" "$work/folded" || fail "$1: $2 is not whole"
}
export_to() {
	"$FLAMETTY" export -f folded "$@" "$profile" >"$work/stdout" 2>"$work/stderr"
	status=$?
}
"$FLAMETTY" export --no-sandbox -f folded "$profile" >"$work/folded" 2>/dev/null
export_to -o out/new && wrote "a new file" out/new
export_to --force -o out/new && wrote "a file that is replaced" out/new
ln -s ../elsewhere/target out/link
export_to --force -o out/link && wrote "a link to nothing" elsewhere/target
export_to --force -o out/link && wrote "a link to a file" elsewhere/target
export_to -o - && wrote "standard output" "$work/stdout"
export_to -o /dev/null && wrote "a device"
export_to -o "$work/out/absolute" && wrote "an absolute path" "$work/out/absolute"
"$FLAMETTY" export -f cpuprofile -o out/new-folder/ "$profile" 2>"$work/stderr"
status=$?
wrote "a new directory"
[ "$(ls out/new-folder | wc -l)" = 1 ] || fail "a new directory: $(ls out/new-folder)"
"$FLAMETTY" export -f cpuprofile -o out/new-folder "$profile" 2>"$work/stderr"
"$FLAMETTY" fleet --export out/fleet tree/*.cpuprofile 2>"$work/stderr"
status=$?
wrote "tables of a fleet"
[ -n "$(ls out/fleet)" ] || fail "tables of a fleet: none"
[ -z "$(find . -name '*.??????' -newer "$work/folded" -type f ! -name '*.*.*')" ] ||
	fail "left: $(find . -name '*.??????')"

exit $failed
