#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# C-z gives the shell a sane terminal, fg brings the picture back.
. "$(dirname "$0")/lib.sh"

open 100 30
view
press k
before=$(screen)
keys C-z
check_sane
run fg
wait_until 'test "$(screen)" = "$before"' 'the picture again'
[ "$(tells cursor_flag)" = 0 ] || fail "the cursor is shown in the chart"
keys C-z
check_sane
resize 80 24
run fg
wait_for "$chart"
keys q
check_sane
