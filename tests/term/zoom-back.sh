#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Zoom to a span, and Backspace to the window before; help and back.
. "$(dirname "$0")/lib.sh"

# The screen above the pane; the cursor of the pane may differ.
chart() { screen | sed '/Bottom-up/,$d'; }

open 120 40
view
press k
press k
press k
before=$(chart)
press Enter
keys BSpace
wait_until 'test "$(chart)" = "$before"' 'the first picture again'
keys '?'
wait_for "$help"
keys q
wait_until 'test "$(chart)" = "$before"' 'the chart behind the help'
keys q
wait_for 'status 0'
check_sane
