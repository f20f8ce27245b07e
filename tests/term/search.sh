#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A search is typed, walked and ended; Esc in the prompt gives back the picture of before.
. "$(dirname "$0")/lib.sh"

open 120 40
view
# The last line is drawn last.
wait_for 'Enter zoom'
before=$(screen)
keys /
wait_for 'Esc: cancel'
keys l o a d
wait_for 'function'
keys Escape
wait_until 'test "$(screen)" = "$before"' 'the first picture again'
keys / q u e r y Enter
wait_for '/query/'
keys n
wait_for 'function'
keys Escape
wait_gone '/query/'
keys q
wait_for 'status 0'
check_sane
