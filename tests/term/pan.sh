#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A picture that was shifted and completed must look like one that was drawn as a whole, with and
# without wide characters. No key is lost when keys come quickly.
. "$(dirname "$0")/lib.sh"

# check_same WHAT: compare the picture with the same one drawn anew after the help screen.
check_same() {
	wait_steady
	moved=$(screen)
	press '?'
	keys '?'
	wait_gone "$help"
	wait_until 'test "$(screen)" = "$moved"' "$1: the same picture, drawn anew"
}

# Boxes of a few columns: each cell but a few differs after a step.
awk 'BEGIN { for (i = 0; i < 300; i++) printf "main;f%d;g%d 計算;%s%d %d\n", i, i * 7 % 10, i % 3 ? "h" : "漢字", i, 1 + i % 4 }' >"$profile"

open 160 24
view
press w
press w
press w
for key in d d a a D d A; do
	press "$key"
	check_same "after $key"
done
press 0
press w
start=$(screen)
keys d d d d a a a a d a d a
wait_until 'test "$(screen)" = "$start"' 'as many steps back as there were forth'
check_same 'after many keys'
keys q
wait_for 'status 0'
check_sane
