#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files on one time line are shown anew when each is to begin at 0.
. "$(dirname "$0")/lib.sh"

# command TEXT: type a command line and run it.
command() {
	in_tmux send-keys -l ":$1"
	wait_for ":$1"
	keys Enter
}

open 120 40
run "\"\$FLAMETTY\" \"$top/data/http-server\" \"$top/data/worker-threads\"; echo \"status \$?\""
wait_for 'of 5 files'
command 'set clock=own'
wait_for 'each from 0'
command 'set clock=shared'
wait_until '! screen | grep -q "each from 0"' 'one time line again'
keys q
wait_for 'status 0'
check_sane
