#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Loading that takes long shows how far it is, and Esc ends it.
. "$(dirname "$0")/lib.sh"

# The first half of a profile, a little at a time, and then nothing until the end of the test.
feed() {
	size=$(wc -c <"$profile")
	at=0
	exec >"$work/fifo"
	while [ -e "$work/fifo" ] && [ ! -e "$work/stop" ]; do
		if [ $at -lt $((size / 2000)) ]; then
			dd bs=1000 skip=$at count=1 <"$profile" 2>/dev/null || return
			at=$((at + 1))
		fi
		sleep 0.02
	done
}

open 100 30
mkfifo "$work/fifo"
feed &
run '"$FLAMETTY" "$work/fifo"; echo "status $?"'
wait_for "$loading"
keys Escape
wait_for "$cancelled"
wait_until 'screen | grep -q "^status 1"' 'exit status 1'
check_sane
