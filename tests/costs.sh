#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Small inputs that would cost much: an answer comes in bounded time and memory, and a limit says what
# it left out. The limits of time and memory here are far above what the answers need.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
LC_ALL=C
export LC_ALL
SECONDS_MOST=60

failed=0

# fail TEXT: the rule of that name does not hold.
fail() {
	echo "FAILED: $*"
	head -5 "$work/stderr" | cut -c1-300 | sed 's/^/    /'
	failed=1
}

# answer STATUS ARGUMENT...: run the program; its output is in $work/stdout and $work/stderr.
answer() {
	wanted=$1
	shift
	(ulimit -t "$SECONDS_MOST"; exec "$FLAMETTY" "$@") >"$work/stdout" 2>"$work/stderr" </dev/null
	status=$?
	[ "$status" = "$wanted" ] || fail "$*: exit status $status"
}

# said TEXT: the program has said it on standard error.
said() {
	grep -q -F -e "$1" "$work/stderr" || fail "expected: $1"
}

# silent: the program has said nothing.
silent() {
	[ -s "$work/stderr" ] && fail "expected no message"
}

# ---- stacks of many rows ----

awk 'BEGIN { for (i = 0; i < 30000; i++) printf "f%d;", i; print "g 5" }' >"$work/deep.folded"
for format in svg html 'svg --merged'; do
	# shellcheck disable=SC2086
	answer 0 export -f $format "$work/deep.folded"
	said 'of the picture, 22 001 rows deeper than 8 000 are left out'
	grep -q '22 001 rows deeper than 8 000 are left out' "$work/stdout" ||
		fail "$format: the picture does not say what it leaves out"
done
awk 'BEGIN {
	print "["
	for (i = 0; i < 9000; i++)
		printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":9,\"name\":\"n\"}\n",
			i ? "," : "", i + 1, i
	print "]"
}' >"$work/lanes.json"
answer 0 export -f svg "$work/lanes.json"
said 'of the picture, 1 000 lanes are left out'
grep -q '1 000 lanes are left out' "$work/stdout" || fail 'the picture does not say what it leaves out'

if [ $failed = 0 ]; then echo 'costs: all rules hold'; fi
exit $failed
