#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Slow loading shows its progress. Esc ends it and shows the part that was read, if there is one; q
# leaves it.
. "$(dirname "$0")/lib.sh"

# send KILOBYTES: the beginning of a profile in small pieces, then nothing until the test ends.
feed() {
	at=0
	exec >"$work/fifo"
	while [ -e "$work/fifo" ] && [ ! -e "$work/stop" ]; do
		if [ $at -lt "$1" ]; then
			dd bs=1000 skip=$at count=1 <"$profile" 2>/dev/null || return
			at=$((at + 1))
		fi
		sleep 0.02
	done
}

open 100 30
mkfifo "$work/fifo"
feed 0 &
run '"$FLAMETTY" "$work/fifo"; echo "status $?"'
wait_for "$loading"
keys Escape
wait_for "$cancelled"
wait_until 'screen | grep -q "^status 1"' 'exit status 1'
check_sane

# Half of its nodes.
touch "$work/stop"
wait
rm "$work/stop"
feed 200 &
run 'clear; "$FLAMETTY" "$work/fifo"; echo "status $?"'
wait_for "$loading"
sleep 0.5
keys Escape
wait_for 'samples not read, only hit counts'
keys q
wait_until 'screen | grep -q "^status 0"' 'exit status 0'
check_sane

# A Russian letter is the key at its place, before there is a chart, too.
touch "$work/stop"
wait
rm "$work/stop"
mkdir -p "$work/flametty"
echo 'set layout ru' >"$work/flametty/config"
feed 0 &
run 'clear; "$FLAMETTY" "$work/fifo"; echo "status $?"'
wait_for "$loading"
keys -l й
wait_until 'screen | grep -q "^status 0"' 'exit status 0'
check_sane
