#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The trace on the screen is replaced by a FIFO, and by a file that does not answer: the details
# pane says so, keys work, and the program ends when it is told to.
. "$(dirname "$0")/lib.sh"

event='{"ph":"X","name":"shop.cpuprofile","pid":1,"tid":1,"ts":1,"dur":9,"args":{"secret":5}}'
trace=$work/trace.json

open 120 50

# show: the trace, with the details of the event.
show() {
	rm -f "$trace"
	printf '[%s,%s]' "$event" "$event" >"$trace"
	run "$1\"\$FLAMETTY\" \"\$work/trace.json\"; echo \"status \$?\""
	wait_for "$chart"
}

show ''
rm "$trace"
mkfifo "$trace"
keys 8
wait_for 'cannot be read again: the file has changed since it was read'
keys '?'
wait_for "$help"
keys q
wait_gone "$help"
keys Q
wait_for 'status 0'
check_sane
run clear
wait_gone 'status 0'

# Reads of files block while $work/hang exists.
cat >"$work/hang.c" <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int fd, void *to, size_t size)
{
	struct stat st;

	while (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && access(getenv("hang"), F_OK) == 0)
		pause();
	return syscall(SYS_read, fd, to, size);
}
C
${CC:-cc} -shared -fPIC -o "$work/hang.so" "$work/hang.c" 2>/dev/null || exit 0
# A sanitizer must be the first library; and a static program has none.
ldd "$FLAMETTY" 2>/dev/null | grep -q 'libc\.' || exit 0
ldd "$FLAMETTY" | grep -q 'lib.san' && exit 0
nm -D "$FLAMETTY" 2>/dev/null | grep -q __asan_init && exit 0

hang=$work/hang
export hang
run 'hang=$work/hang; export hang'
run clear
for quit in Q 'q q' C-c; do
	show 'LD_PRELOAD=$work/hang.so '
	: >"$work/hang"
	keys 8
	wait_for 'reading the file'
	# Other panes, other events, and back: nothing waits.
	keys 7
	wait_gone 'reading the file'
	keys 8
	wait_for 'reading the file'
	keys '?'
	wait_for "$help"
	keys q
	wait_gone "$help"
	# shellcheck disable=SC2086
	keys $quit
	wait_for 'status 0'
	rm "$work/hang"
	check_sane
	run clear
	wait_gone 'status 0'
done
