#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where output goes: an error names the output that failed, and a file that is not complete is not
# left behind.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/out"
profile=$work/shop.cpuprofile
cp "$top"/data/http-server/*.cpuprofile "$profile" || exit 99
LC_ALL=C
export LC_ALL

failed=0

# fail TEXT: the rule of that name does not hold.
fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$work/stderr"
	failed=1
}

# expect_error RULE TEXT STATUS: what the command before must have printed, and its exit status.
expect_error() {
	[ "$3" = 1 ] || fail "$1: exit status $3"
	grep -q -F -x -e "flametty: $2" "$work/stderr" || fail "$1: expected: $2"
}

# expect_empty RULE: no file is left.
expect_empty() {
	[ -z "$(ls -A "$work/out")" ] || fail "$1: left: $(ls -A "$work/out")"
	rm -rf "$work/out"
	mkdir "$work/out"
}

if [ -w /dev/full ]; then
	"$FLAMETTY" report "$profile" >/dev/full 2>"$work/stderr"
	expect_error 'report names its output' '(standard output): cannot write: No space left on device' $?
	"$FLAMETTY" export -o - "$profile" >/dev/full 2>"$work/stderr"
	expect_error '-o - is the standard output' '(standard output): cannot write: No space left on device' $?
	"$FLAMETTY" export -o /dev/full "$profile" 2>"$work/stderr"
	expect_error 'export names its file' '/dev/full: cannot write: No space left on device' $?
fi

"$FLAMETTY" report "$profile" >&- 2>"$work/stderr"
expect_error 'closed output is an error' '(standard output): cannot write: Bad file descriptor' $?

# Without standard error the file must not take its place.
"$FLAMETTY" export -o "$work/out/file" "$profile" "$work/none" 2>&- >&-
"$FLAMETTY" export "$profile" >"$work/expected" 2>"$work/stderr"
cmp -s "$work/expected" "$work/out/file" || fail 'messages do not get into the file'
rm -f "$work/out/file"

"$FLAMETTY" export -o "$work/out" "$profile" 2>"$work/stderr"
expect_error 'folder is an error' "$work/out: cannot write: Is a directory" $?
expect_empty 'folder is an error'

# With 4 or 8 kB for a file, the system sends a signal; if that is ignored, write() fails.
(
	ulimit -c 0
	ulimit -f 8
	"$FLAMETTY" export -o "$work/out/file" "$profile"
) 2>"$work/stderr" && fail 'limit of file size ends the program'
expect_empty 'limit of file size leaves nothing'
(
	trap '' XFSZ
	ulimit -f 8
	exec "$FLAMETTY" export -o "$work/out/file" "$profile"
) 2>"$work/stderr"
expect_error 'limit of file size is an error' "$work/out/file: cannot write: File too large" $?
expect_empty 'limit of file size leaves nothing'

# The export waits in the middle: the pipe is full. (Shells ignore INT and QUIT for jobs in the
# background; check_draft has them.)
for signal in HUP TERM XCPU USR1; do
	mkfifo "$work/out/fifo"
	(
		ulimit -c 0
		exec "$FLAMETTY" export -o "$work/out/fifo" "$profile"
	) 2>"$work/stderr" &
	exec 3<"$work/out/fifo"
	head -c 1000 <&3 >"$work/head"
	[ "$(wc -c <"$work/head")" -eq 1000 ] || fail "$signal: the export has not begun"
	kill -s $signal $!
	wait $! 2>/dev/null && fail "$signal ends an export that waits"
	exec 3<&-
	rm "$work/out/fifo"
	expect_empty "$signal leaves nothing"
done

exit $failed
