#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When memory is short while a profile is on the screen, the interface stays: it says what it
# dropped, takes keys, draws, and ends when it is told to.
. "$(dirname "$0")/lib.sh"

# The key * is no pattern of file names.
set -f

fail_allocations

event='{"ph":"X","name":"shop.cpuprofile","pid":1,"tid":1,"ts":1,"dur":9,"args":{"secret":5}}'

open 110 40

# show SETTING [FILE]: the profile, and allocations fail as SETTING says while $work/short exists.
show() {
	rm -f "$work/short"
	run "clear; LD_PRELOAD=\$work/fail.so FAIL_ALLOC_WHILE=\$work/short $1 \"\$FLAMETTY\" \"${2:-\$profile}\"; echo \"status \$?\""
	wait_for "$chart"
	# All that the first picture needs is there.
	wait_gone 'loading'
	wait_steady
}

# leave: memory is there again; the program ends as usual.
leave() {
	rm -f "$work/short"
	keys '?'
	wait_for "$help"
	keys q
	wait_gone "$help"
	keys Q
	wait_for 'status 0'
	check_sane
}

# alive: the program still takes keys and draws. Help is drawn whatever else there is room for.
alive() {
	keys Escape
	keys '?'
	wait_for "$help"
	keys q
	wait_gone "$help"
	# Beside what transforms say, there may be no room for the end of the name.
	screen | grep -q -e "$chart" -e 'shop .* busy' || fail "the program has ended"
}

# press_all: keys of all kinds. A digit is a key when one follows that takes no count.
press_all() {
	for list in '6 T j l l E' '7 T > I' '9 T j j' '8 T' '5 T & e Enter' '4 T' 'Tab l j l' '0 w w' \
		'/ e Enter n n N' '* n' 'x m' 'u' 'o b' 'o b' 'c' '2 T j' '3 T' '1 T' 'x f' 'v d v' 'o c' 'r E' \
		'x i' 'x r' 'z' '? Escape' '/ r e' Escape C-l ', . .'; do
		# shellcheck disable=SC2086
		keys $list
	done
}

# The thread that reads an event has no memory: the details pane says so.
printf '[%s,%s]' "$event" "$event" >"$work/trace.json"
show FAIL_ALLOC_OTHERS=1 '$work/trace.json'
: >"$work/short"
keys 8
wait_for 'cannot be read again: not enough memory'
alive
leave

# A few allocations fail while a table is made: it says so, and the table can be shown again.
for first in 0 3 7 12; do
	show "FAIL_ALLOC_FIRST=$first"
	: >"$work/short"
	keys 6
	wait_for 'not enough memory ('
	rm "$work/short"
	keys 6 T
	wait_for 'Top-down'
	wait_gone 'not enough memory'
	alive
	leave
done

# Arrays for a table, a merged view or a transform do not fit: nothing of them is shown, the chart stays. What the
# tables of calls need may be there already.
awk 'BEGIN {
	for (i = 0; i < 60000; i++)
		printf "a%d;b%d;c%d;d%d;e%d %d\n", i % 7, i % 300, i % 5000, i % 20000, i % 59999, 1 + i % 5
}' >"$work/shop.cpuprofile.folded"
show FAIL_ALLOC_LARGE=500000 '$work/shop.cpuprofile.folded'
# The findings have arrays, too: memory must not get short in the middle of a step.
wait_for 'busy without a pause'
: >"$work/short"
for list in 7 2 3 'x r'; do
	# shellcheck disable=SC2086
	keys $list
	wait_for 'not enough memory'
	keys C-l
	wait_gone 'not enough memory'
done
alive
rm "$work/short"
keys 6 T
wait_for 'Function'
wait_gone 'not enough memory'
leave

# Single allocations fail, again and again, whatever the keys are for.
for every in 211 409 1009; do
	show "FAIL_ALLOC_EVERY=$every"
	: >"$work/short"
	press_all
	alive
	leave
done
