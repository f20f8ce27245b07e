#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When memory ends while the terminal is being taken, the program ends, or stays and is ended by a key;
# the terminal is as before in any case. Curses ends the program itself when it has none.
. "$(dirname "$0")/lib.sh"

fail_allocations

# A file that takes its time: the terminal is taken while it is being read.
mkfifo "$work/slow"
open 100 30

# start N: allocation N of the program and all after it fail.
start() {
	run "clear; LD_PRELOAD=\$work/fail.so FAIL_ALLOC_FROM=$1 \"\$FLAMETTY\" \"\$work/slow\"; echo \"$1: status \$?\""
}

exec 3<>"$work/slow"
# Ends in curses come between those of the program's own start and the first picture.
ended=0 drawn=0 n=20
while [ $drawn -lt 3 ]; do
	start $n
	wait_until "screen | grep -q -e '$loading' -e '^$n: status'" "the terminal or the end of $n"
	if screen | grep -q "^$n: status"; then
		ended=$((ended + 1))
	else
		drawn=$((drawn + 1))
		keys Q
		wait_until "screen | grep -q '^$n: status'" "the end of $n"
		# It may have ended before it took the key, which the shell has then.
		keys C-u
	fi
	check_sane
	n=$((n + 20))
	[ $n -lt 20000 ] || fail "no picture with $n allocations"
done
[ $ended -ge 5 ] || fail "only $ended runs ended"
