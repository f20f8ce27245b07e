#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A picture that other programs have damaged is drawn anew: after a stop in which the terminal could
# not be given back, and by C-l.
. "$(dirname "$0")/lib.sh"

open 100 30
run 'sh -c '\''echo $$ >"$work/pid"; exec "$FLAMETTY" "$profile"'\'''
wait_for "$chart"
press k
before=$(screen)
kill -s STOP "$(cat "$work/pid")"
wait_for "$prompt"
# The settings are still those of the program: Enter ends no line.
keys f g C-j
wait_until 'test "$(screen)" = "$before"' 'the picture again'
[ "$(tells cursor_flag)" = 0 ] || fail "the cursor is shown in the chart"

printf '\033[41mdamage\033[5;5Hdamage\n\n' >"$(tells pane_tty)"
wait_for damage
keys C-l
wait_until 'test "$(screen)" = "$before"' 'the picture again, by C-l'
# The next update must start from the cells that are on the screen now.
press k
press j
wait_until 'test "$(screen)" = "$before"' 'the picture again, by keys'
keys q
check_sane
