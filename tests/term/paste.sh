#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Pasted text goes into the prompt; outside of a prompt it is not taken for commands.
. "$(dirname "$0")/lib.sh"

open 100 30
view
in_tmux set-buffer 'QQ/nobodyhasthisname'
in_tmux paste-buffer -p
keys '?'
wait_for "$help"
keys q
wait_for "$chart"
keys /
in_tmux paste-buffer -p
wait_for 'nobodyhasthisname'
keys Escape
keys q
wait_for 'status 0'
check_sane
