#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# FLAMETTY_DEBUG: keys and pictures go to the file, which is added to; a link is refused, and so is
# what is no file.
. "$(dirname "$0")/lib.sh"

# has PATTERN: a line of the log.
has() { grep -q -E "^ *[0-9]+\.[0-9]{3} ms  $1\$" "$work/log" || { cat "$work/log"; fail "no line: $1"; }; }

number='[0-9]+\.[0-9]{3} ms'
open 120 40
run 'export FLAMETTY_DEBUG="$work/log"'
for n in 1 2; do
	view
	keys 5 C-d
	wait_until "grep -q 'key: C-d' '$work/log'" "a line for the key"
	keys Q
	wait_for 'status 0'
	wait_until "[ \"\$(grep -c ' end\$' '$work/log')\" = $n ]" "the last line"
	run clear
	wait_gone 'status 0'
done
has 'begin: process [0-9]+, which has used [0-9.]+ ms of a processor'
has 'profile: complete'
has 'key: 5'
has 'key: C-d'
has "picture: (complete|unfinished), made in $number, sent in $number, [1-9][0-9]* bytes"
has "picture: (complete|unfinished), made in $number, sent in $number, [1-9][0-9]* bytes, $number after the key"
[ "$(grep -c ' begin: ' "$work/log")" = 2 ] || fail "the second log is not behind the first one"
[ "$(ls -l "$work/log" | cut -c 1-10)" = "-rw-------" ] || fail "others may read the log"

ln -s "$work/log" "$work/link"
for file in "$work/link" /dev/tty "$work"; do
	run "FLAMETTY_DEBUG='$file' \"\$FLAMETTY\" \"\$profile\"; echo \"status \$?\""
	wait_for 'status 1'
	screen | grep -q 'FLAMETTY_DEBUG: ' || fail "$file: no message"
	run clear
	wait_gone 'status 1'
done
