#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where output goes: an error names the output that failed, and a file that is not complete is not
# left behind.
. "$(dirname "$0")/lib.sh"
use_work
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
expect_error 'folder is an error' "$work/out: is a directory; trace is one file" $?
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

# The export waits in the middle: the pipe is full. Shells ignore INT and QUIT for jobs in the
# background, and nohup ignores HUP: where env cannot undo that, the other signals are left.
# check_draft has all of them.
signals='TERM XCPU USR1'
default=
if env --default-signal=HUP true 2>/dev/null; then
	signals="HUP INT QUIT $signals"
	default='env --default-signal=HUP,INT,QUIT'
fi
for signal in $signals; do
	mkfifo "$work/out/fifo"
	(
		ulimit -c 0
		# shellcheck disable=SC2086
		exec $default "$FLAMETTY" export -o "$work/out/fifo" "$profile"
	) 2>"$work/stderr" &
	export=$!
	exec 3<"$work/out/fifo"
	head -c 1000 <&3 >"$work/head"
	[ "$(wc -c <"$work/head")" -eq 1000 ] || fail "$signal: the export has not begun"
	kill -s $signal $export
	# The test ends also if the signal does not end the export.
	{ sleep 20; kill -s KILL $export; } >/dev/null 2>&1 3<&- &
	guard=$!
	wait $export 2>/dev/null
	status=$?
	kill $guard 2>/dev/null && wait $guard 2>/dev/null
	{ [ $status -gt 128 ] && [ $status != 137 ]; } ||
		fail "$signal ends an export that waits: exit status $status"
	exec 3<&-
	rm "$work/out/fifo"
	expect_empty "$signal leaves nothing"
done

exit $failed
